import Fastify from 'fastify';
import type { AddressInfo } from 'node:net';

import { addControls, type Introduction } from './control/plugin.mts';
import { openDatabase } from './data/database.mts';
import { addressThisMachineOnly } from './onlyThisMachine.mts';
import { errorAnswer, ServiceError } from './service/errors.mts';
import { addService } from './service/plugin.mts';
import { State, type Beginning } from './state.mts';

/** How to start a sandbox. All are optional. */
export interface SandboxOptions extends Partial<Beginning> {
	/** 0 for any free port. */
	port?: number;
	/** A file, or `:memory:`. */
	database?: string;
}

/** A running sandbox: where it is, its keys, and how to stop it. */
export interface Sandbox extends Introduction {
	stop(): Promise<void>;
}

/** The defaults of a sandbox. */
export const defaultOptions = {
	port: 8787,
	database: ':memory:',
	seed: 1,
	contacts: 40,
	variants: {},
	requestsPerMinute: 60,
	latency: 0,
} satisfies SandboxOptions;

/** Requests are validated as they arrive, without conversions, defaults or removed fields. */
const strictly = {
	coerceTypes: false,
	removeAdditional: false,
	useDefaults: false,
	allowUnionTypes: true,
} as const;

/** Bytes: the largest html and the other fields. Larger bodies are rejected before they are read. */
const serviceBodyLimit = 1024 * 1024;

/**
 * Starts the service of the interface on this machine, for this machine only.
 * @throws the listening error, such as EADDRINUSE
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	return (await openSandbox(options)).sandbox;
}

/**
 * Starts a sandbox and returns its state, too, for tests in the same process that read
 * or change it between requests.
 * @throws the listening error, such as EADDRINUSE
 */
export async function openSandbox(
	options: SandboxOptions = {},
): Promise<{ sandbox: Sandbox; state: State }> {
	const { port, database: path, ...beginning } = { ...defaultOptions, ...options };
	const database = openDatabase(path);
	const state = new State(beginning, database);
	const introduction = (): Introduction => {
		const { port } = app.server.address() as AddressInfo;
		return {
			baseUrl: `http://127.0.0.1:${port}/api/v1`,
			controlUrl: `http://127.0.0.1:${port}/_sandbox`,
			testKey: state.keys.test,
			liveKey: state.keys.live,
		};
	};
	const app = serverFor(state, introduction);
	await app.listen({ port, host: '127.0.0.1' });
	const stop = async () => {
		state.endWaits();
		await app.close();
		database.close();
	};
	return { sandbox: { ...introduction(), stop }, state };
}

function serverFor(state: State, introduction: () => Introduction) {
	const app = Fastify({
		bodyLimit: serviceBodyLimit,
		forceCloseConnections: true,
		ajv: { customOptions: strictly },
	});
	addressThisMachineOnly(app);
	app.register(async (service) => addService(service, state), { prefix: '/api/v1' });
	app.register(async (control) => addControls(control, state, introduction), {
		prefix: '/_sandbox',
	});
	app.setNotFoundHandler((_request, reply) => {
		const error = new ServiceError(404, 'ROUTE_NOT_FOUND', 'The service is at /api/v1');
		const { contentType = 'text/plain', body } = errorAnswer(error, state.variants);
		return reply.code(404).type(contentType).send(body);
	});
	return app;
}
