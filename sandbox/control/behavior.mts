import type { FastifyInstance } from 'fastify';

import type { AddressOutcome } from '../addresses.mts';
import type { State } from '../state.mts';
import type { Variants } from '../variants.mts';
import type { ChangePlan } from './changes.mts';
import type { Fault } from './faults.mts';
import {
	addressBody,
	bodyLimit,
	changesBody,
	clockBody,
	faultBody,
	latencyBody,
	rateBody,
	variantsBody,
} from './schemas.mts';

/** Controls that change how the service behaves. */
export function addBehaviorControls(control: FastifyInstance, state: State): void {
	control.get('/variants', () => state.variants);
	control.patch<{ Body: Partial<Variants> }>(
		'/variants',
		{ schema: { body: variantsBody } },
		({ body }) => {
			state.changeVariants(body);
			return state.variants;
		},
	);

	const time = () => ({ now: state.clock.timestamp(), advanced: state.clock.advanced });
	control.get('/clock', time);
	control.post<{ Body: { advance: number } }>(
		'/clock',
		{ schema: { body: clockBody } },
		({ body }) => {
			state.clock.advance(body.advance);
			return time();
		},
	);

	control.patch<{ Body: { requestsPerMinute: number } }>(
		'/rate',
		{ schema: { body: rateBody } },
		({ body }) => {
			state.limitTo(body.requestsPerMinute);
			return body;
		},
	);

	control.patch<{ Body: { latency: number } }>(
		'/latency',
		{ schema: { body: latencyBody } },
		({ body }) => {
			state.latency = body.latency;
			return body;
		},
	);

	control.get('/addresses', () => ({ data: state.addresses.all() }));
	control.post<{ Body: { address: string; outcome: AddressOutcome } }>(
		'/addresses',
		{ schema: { body: addressBody } },
		({ body }) => {
			state.addresses.set(body.address, body.outcome);
			return body;
		},
	);

	addDisturbances(control, state);
}

function addDisturbances(control: FastifyInstance, state: State): void {
	control.get('/faults', () => ({ data: state.faults.all() }));
	control.post<{ Body: Fault }>(
		'/faults',
		{ bodyLimit, schema: { body: faultBody } },
		({ body }, reply) => {
			state.faults.add(body);
			return reply.code(201).send({ data: state.faults.all() });
		},
	);
	control.delete('/faults', (_request, reply) => {
		state.faults.clear();
		return reply.code(204).send();
	});

	control.get('/changes', () => state.changes.report());
	control.post<{ Body: ChangePlan }>(
		'/changes',
		{ schema: { body: changesBody } },
		({ body }, reply) => {
			state.changes.start(body);
			return reply.code(201).send(state.changes.report());
		},
	);
	control.delete('/changes', (_request, reply) => {
		state.changes.stop();
		return reply.code(204).send();
	});
}
