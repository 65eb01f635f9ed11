import Fastify from 'fastify';

import { addControls, introductionOf, type Introduction } from './control/plugin.mts';
import { addressThisMachineOnly } from './onlyThisMachine.mts';
import { errorAnswer, ServiceError } from './service/errors.mts';
import { addService } from './service/plugin.mts';
import { State, type Beginning } from './state.mts';

/** How to start a sandbox. All are optional. */
export interface SandboxOptions extends Partial<Beginning> {
	/** 0 for any free port. */
	port?: number;
}

/** A running sandbox: where it is, its keys, and how to stop it. */
export interface Sandbox extends Introduction {
	/** Programs in the same process can read and change it between requests. */
	state: State;
	stop(): Promise<void>;
}

/** The defaults of a sandbox. */
export const defaultOptions = {
	port: 8787,
	seed: 1,
	start: 1,
	contacts: 40,
	variants: {},
	requestsPerMinute: 60,
	latency: 0,
} satisfies SandboxOptions;

/** Requests are validated as they arrive, without conversions or removed fields. */
const strictly = { coerceTypes: false, removeAdditional: false, allowUnionTypes: true } as const;

/** Bytes: the largest html and the other fields. Larger bodies are rejected before they are read. */
const serviceBodyLimit = 1024 * 1024;

/**
 * Starts the service of the interface on this machine, for this machine only.
 * @throws the listening error, such as EADDRINUSE
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { port, ...beginning } = { ...defaultOptions, ...options };
	const state = new State(beginning);
	const app = serverFor(state);
	const origin = await app.listen({ port, host: '127.0.0.1' });
	const stop = async () => {
		state.endWaits();
		await app.close();
	};
	return { ...introductionOf(state, origin), state, stop };
}

function serverFor(state: State) {
	const app = Fastify({
		bodyLimit: serviceBodyLimit,
		forceCloseConnections: true,
		ajv: { customOptions: strictly },
	});
	addressThisMachineOnly(app);
	app.register(async (service) => addService(service, state), { prefix: '/api/v1' });
	app.register(async (control) => addControls(control, state), { prefix: '/_sandbox' });
	app.setNotFoundHandler((_request, reply) => {
		const error = new ServiceError(404, 'ROUTE_NOT_FOUND', 'The service is at /api/v1');
		const { contentType = 'text/plain', body } = errorAnswer(error, state.variants);
		return reply.code(404).type(contentType).send(body);
	});
	return app;
}
