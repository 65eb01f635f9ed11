import type { FastifyInstance } from 'fastify';

import type { StoredMessage } from '../data/messages.mts';
import { stateOf } from '../service/presentation.mts';
import type { State } from '../state.mts';
import { modeQuery, type InMode } from './schemas.mts';

/** Controls that show inbox, messages, requests and rate counters. */
export function addObservations(control: FastifyInstance, state: State): void {
	const inMode = { schema: { querystring: modeQuery } };

	control.get<InMode>('/inbox', inMode, ({ query }) => ({
		data: state.messages.inbox(query.mode).map((mail) => shown(state, mail)),
	}));

	control.delete<InMode>('/inbox', inMode, ({ query }, reply) => {
		state.messages.emptyInbox(query.mode);
		return reply.code(204).send();
	});

	control.get<InMode>('/messages', inMode, ({ query }) => ({
		data: state.messages.all(query.mode).map((message) => shown(state, message)),
	}));

	control.get('/requests', () => ({ data: state.requests.all() }));

	control.delete('/requests', (_request, reply) => {
		state.requests.clear();
		return reply.code(204).send();
	});

	control.get('/rate', () => ({
		requestsPerMinute: state.rate.requestsPerMinute,
		limiter: state.variants.limiter,
		...state.rate.report(state.clock.now()),
	}));
}

/** A message with all its times, including planned ones. */
export function shown({ clock }: State, message: StoredMessage) {
	const moment = (time: number | null) => (time === null ? null : new Date(time).toISOString());
	return {
		...message,
		state: stateOf(message, clock.now()),
		createdAt: moment(message.createdAt),
		sentAt: moment(message.sentAt),
		deliveredAt: moment(message.deliveredAt),
		bouncedAt: moment(message.bouncedAt),
		complainedAt: moment(message.complainedAt),
	};
}
