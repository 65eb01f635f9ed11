import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { unpaginatedLists } from '../data/recordKinds.mts';
import { settableFields } from '../data/contacts.mts';
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
import { checkFieldNames, setAside, updateAnswer, updateContact } from './updateContact.mts';
import { modeOf } from './visit.mts';

/**
 * The eight operations, below the version segment. Interface: HTTP-2, HTTP-3, HTTP-5, SEND-1,
 * UPDATE-1, LIST-12.
 */
export function addOperations(service: FastifyInstance, state: State): void {
	service.post<{ Body: SendRequest }>(
		'/transactional/send',
		{ schema: { body: sendSchema } },
		async (request, reply) => {
			const { variants, clock } = state;
			checkFieldNames(variants, { ...request.body }, Object.keys(sendSchema.properties));
			const { message, replayed } = await send(state, modeOf(request), request.body);
			Object.assign(request.visit.logged, { message: message.id, replayed });
			const asAnswered = replayed && variants.replayedMessage === 'asAnswered';
			const at = asAnswered ? message.createdAt : clock.now();
			const status = replayed && variants.replayStatus === 200 ? 200 : variants.sendStatus;
			const data = presentMessage(message, at, variants);
			return answer(reply, status, { data, ...extraEnvelopeFields(variants) });
		},
	);

	service.put<{ Params: { id: string }; Body: UpdateRequest }>(
		'/contacts/:id',
		{
			schema: { params: contactPathSchema, body: updateSchema },
			preValidation: async (request: FastifyRequest) => setUncheckedAside(state, request),
		},
		async (request, reply) => {
			const { variants } = state;
			checkFieldNames(variants, { ...request.body }, settableFields);
			const { id } = request.params;
			const mode = modeOf(request);
			const before = state.contacts.find(mode, id);
			const contact = updateContact(state, mode, id, request.body, request.visit.aside);
			const [old, shown] = [before!, contact].map((one) => presentContact(one, variants));
			const body = updateAnswer(old, shown, variants);
			return answer(reply, variants.updateStatus, body);
		},
	);

	service.get<{ Querystring: ListQuery }>(
		'/contacts',
		{ schema: { querystring: listQuerySchema } },
		async (request, reply) => {
			const mode = modeOf(request);
			state.changes.beforeList(state.contacts, mode, state.clock.timestamp());
			return reply.code(state.variants.listStatus).send(listContacts(state, mode, request.query));
		},
	);

	service.get<{ Querystring: Record<string, string> }>(
		'/knowledge-base/articles/search',
		{ schema: { querystring: articleQuerySchema } },
		async (request, reply) => {
			const found = searchArticles(state, modeOf(request), request.query);
			return reply.code(state.variants.listStatus).send(found);
		},
	);

	for (const list of unpaginatedLists) {
		service.get(list.path, async (request, reply) =>
			reply.code(state.variants.listStatus).send(listAll(state, modeOf(request), list)),
		);
	}
}

/** A 204 has no body. What is no text is sent as JSON, null too. */
function answer(reply: FastifyReply, status: number, body: unknown): FastifyReply {
	if (status === 204) return reply.code(204).send();
	reply.code(status);
	if (typeof body === 'string') return reply.type('text/plain; charset=utf-8').send(body);
	return reply.type('application/json; charset=utf-8').send(JSON.stringify(body));
}

/** Has to happen before the schema sees the body. */
function setUncheckedAside(state: State, request: FastifyRequest): void {
	const given = request.body;
	if (typeof given !== 'object' || given === null || Array.isArray(given)) return;
	const { id } = request.params as { id: string };
	const stored = state.contacts.find(modeOf(request), id);
	const { body, aside } = setAside({ ...given }, stored, state.variants);
	request.body = body;
	request.visit.aside = aside;
}
