import type { FastifyError, FastifyInstance } from 'fastify';

import { refuseEmbedding, requireJson } from '../onlyThisMachine.mts';
import { UnknownVariantError, checkVariants } from '../variants.mts';
import { ServiceError } from '../service/errors.mts';
import type { State } from '../state.mts';
import { addBehaviourControls } from './behaviour.mts';
import { addDataControls } from './dataControls.mts';
import { addObservations } from './observations.mts';
import { addPage } from './page.mts';
import { resetBody } from './schemas.mts';
import { addViews } from './view.mts';

/** How a running sandbox introduces itself. */
export interface Introduction {
	/** Where the service is, with its version segment. */
	baseUrl: string;
	/** Where the sandbox is controlled. */
	controlUrl: string;
	testKey: string;
	liveKey: string;
}

/** The controls of the sandbox, as a Fastify plugin. They aren't part of the service. */
export function addControls(
	control: FastifyInstance,
	state: State,
	introduction: () => Introduction,
): void {
	requireJson(control);
	refuseEmbedding(control);

	control.post<{ Body: Record<string, unknown> | undefined }>(
		'/reset',
		{ schema: { body: optional(resetBody) } },
		(request) => {
			const { variants, ...rest } = request.body ?? {};
			state.reset({ ...rest, variants: checkVariants(variants ?? {}) });
			return introduction();
		},
	);

	// For everyone on this machine. Requests from other websites are rejected everywhere.
	control.get('/keys', () => state.keys);

	addPage(control);
	addViews(control, state, introduction);
	addDataControls(control, state);
	addObservations(control, state);
	addBehaviourControls(control, state);

	control.setNotFoundHandler((request, reply) =>
		reply.code(404).send({ error: `There is no control ${request.method} ${request.url}` }),
	);
	control.setErrorHandler<FastifyError>((error, _request, reply) => {
		const status = statusOf(error);
		if (status === 500) console.error(error);
		return reply.code(status).send({ error: status === 500 ? 'See the output' : error.message });
	});
}

/** An optional body. */
function optional(schema: object) {
	return { anyOf: [schema, { type: 'null' }] };
}

function statusOf(error: FastifyError | ServiceError): number {
	if (error instanceof UnknownVariantError) return 400;
	if (error instanceof ServiceError) return error.status;
	return error.statusCode ?? 500;
}
