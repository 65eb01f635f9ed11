import type { FastifyInstance, FastifyRequest } from 'fastify';

import { unpaginatedLists } from '../data/recordKinds.mts';
import type { State } from '../state.mts';
import { extraEnvelopeFields, presentContact, presentMessage } from './presentation.mts';
import { listAll, listContacts, searchArticles } from './lists.mts';
import {
	articleQuerySchema,
	contactPathSchema,
	listQuerySchema,
	sendSchema,
	updateSchema,
	type ListQuery,
	type SendRequest,
	type UpdateRequest,
} from './schemas.mts';
import { send } from './send.mts';
import { setAside, updateContact } from './updateContact.mts';
import { modeOf } from './visit.mts';

/**
 * The eight operations, below the version segment. Interface: HTTP-2, HTTP-3, HTTP-5, SEND-1,
 * SEND-26, UPDATE-1, UPDATE-6, LIST-12, OPEN-8.
 */
export function addOperations(service: FastifyInstance, state: State): void {
	// The interface names no status of a success.
	service.addHook('preHandler', async (_, reply) => {
		if (state.variants.service === 'odd') reply.code(202);
	});

	service.post<{ Body: SendRequest }>(
		'/transactional/send',
		{ schema: { body: sendSchema } },
		async (request) => {
			const { variants, clock } = state;
			const { message, replayed } = send(state, modeOf(request), request.body);
			Object.assign(request.visit.logged, { message: message.id, replayed });
			const asAnswered = replayed && variants.replayedMessage === 'asAnswered';
			const at = asAnswered ? message.createdAt : clock.now();
			const data = presentMessage(message, at, variants);
			return { data, ...extraEnvelopeFields(variants) };
		},
	);

	service.put<{ Params: { id: string }; Body: UpdateRequest }>(
		'/contacts/:id',
		{
			schema: { params: contactPathSchema, body: updateSchema },
			preValidation: async (request: FastifyRequest) => setUncheckedAside(state, request),
		},
		async (request) => {
			const { variants } = state;
			const { params, body, visit } = request;
			const contact = updateContact(state, modeOf(request), params.id, body, visit.aside);
			return { data: presentContact(contact, variants), ...extraEnvelopeFields(variants) };
		},
	);

	service.get<{ Querystring: ListQuery }>(
		'/contacts',
		{ schema: { querystring: listQuerySchema } },
		async (request) => {
			const mode = modeOf(request);
			state.changes.beforeList(state.contacts, mode, state.clock.timestamp());
			return listContacts(state, mode, request.query);
		},
	);

	service.get<{ Querystring: Record<string, string> }>(
		'/knowledge-base/articles/search',
		{ schema: { querystring: articleQuerySchema } },
		async (request) => searchArticles(state, modeOf(request), request.query),
	);

	for (const list of unpaginatedLists) {
		service.get(list.path, async (request) => listAll(state, modeOf(request), list));
	}
}

/** Has to run before the schema validates the body. */
function setUncheckedAside(state: State, request: FastifyRequest): void {
	const given = request.body;
	if (typeof given !== 'object' || given === null || Array.isArray(given)) return;
	const { body, aside } = setAside({ ...given }, state.variants);
	request.body = body;
	request.visit.aside = aside;
}
