import type { FastifyError, FastifyInstance } from 'fastify';

import { refuseEmbedding, requireJson } from '../onlyThisMachine.mts';
import { addPage } from '../page/plugin.mts';
import type { Beginning, State } from '../state.mts';
import { addBehaviorControls } from './behavior.mts';
import { addDataControls } from './dataControls.mts';
import { addObservations } from './observations.mts';
import { resetBody } from './schemas.mts';

/** How a running sandbox introduces itself. */
export interface Introduction {
	/** Where the service is, with its version segment. */
	baseUrl: string;
	/** Where the sandbox is controlled. */
	controlUrl: string;
	testKey: string;
	liveKey: string;
}

export function introductionOf({ keys }: State, origin: string): Introduction {
	return {
		baseUrl: `${origin}/api/v1`,
		controlUrl: `${origin}/_sandbox`,
		testKey: keys.test,
		liveKey: keys.live,
	};
}

/** The controls of the sandbox, as a Fastify plugin. They aren't part of the service. */
export function addControls(control: FastifyInstance, state: State): void {
	requireJson(control);
	refuseEmbedding(control);

	control.post<{ Body?: Partial<Beginning> | null }>(
		'/reset',
		{ schema: { body: { ...resetBody, type: ['object', 'null'] } } },
		({ body, host }) => {
			state.reset(body ?? {});
			return introductionOf(state, `http://${host}`);
		},
	);

	// For everyone on this machine. Requests from other websites are rejected everywhere.
	control.get('/keys', () => state.keys);

	addPage(control, state);
	addDataControls(control, state);
	addObservations(control, state);
	addBehaviorControls(control, state);

	control.setNotFoundHandler((request, reply) =>
		reply.code(404).send({ error: `There is no control ${request.method} ${request.url}` }),
	);
	control.setErrorHandler<FastifyError>((error, _request, reply) => {
		const { statusCode = 500, message } = error;
		if (statusCode === 500) console.error(error);
		return reply.code(statusCode).send({ error: statusCode === 500 ? 'See the output' : message });
	});
}
