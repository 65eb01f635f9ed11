import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { unpaginatedLists } from '../data/collections.mts';
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
import { checkFieldNames, updateContact, withoutCleared } from './updateContact.mts';
import { modeOf } from './visit.mts';

/** The eight operations of the interface's Endpoints section, below its version segment. */
export function addOperations(service: FastifyInstance, state: State): void {
	service.post<{ Body: SendRequest }>(
		'/transactional/send',
		{ schema: { body: sendSchema } },
		async (request, reply) => {
			const { readings, clock } = state;
			checkFieldNames(readings, { ...request.body }, Object.keys(sendSchema.properties));
			const { message, replayed } = await send(state, modeOf(request), request.body);
			const asAnswered = replayed && readings.replayedMessage === 'asAnswered';
			const at = asAnswered ? message.createdAt : clock.now();
			const status = replayed && readings.replayStatus === 200 ? 200 : readings.sendStatus;
			return answer(reply, state, status, presentMessage(message, at, readings));
		},
	);

	service.put<{ Params: { id: string }; Body: UpdateRequest }>(
		'/contacts/:id',
		{
			schema: { params: contactPathSchema, body: updateSchema },
			preValidation: async (request: FastifyRequest) => setClearedAside(state, request),
		},
		async (request, reply) => {
			const { readings } = state;
			checkFieldNames(readings, { ...request.body }, settableFields);
			const { cleared } = request.visit;
			const mode = modeOf(request);
			const contact = updateContact(state, mode, request.params.id, request.body, cleared);
			return answer(reply, state, readings.updateStatus, presentContact(contact, readings));
		},
	);

	service.get<{ Querystring: ListQuery }>(
		'/contacts',
		{ schema: { querystring: listQuerySchema } },
		async (request, reply) => {
			const mode = modeOf(request);
			state.changes.beforeList(state.contacts, mode, state.clock.timestamp());
			return reply.code(state.readings.listStatus).send(listContacts(state, mode, request.query));
		},
	);

	service.get<{ Querystring: Record<string, string> }>(
		'/knowledge-base/articles/search',
		{ schema: { querystring: articleQuerySchema } },
		async (request, reply) => {
			const found = searchArticles(state, modeOf(request), request.query);
			return reply.code(state.readings.listStatus).send(found);
		},
	);

	for (const list of unpaginatedLists) {
		service.get(list.path, async (request, reply) =>
			reply.code(state.readings.listStatus).send(listAll(state, modeOf(request), list)),
		);
	}
}

/** Interface: 'Response: an object `{ "data": … }`.' A 204 has no body. */
function answer(reply: FastifyReply, state: State, status: number, data: unknown): FastifyReply {
	if (status === 204) return reply.code(204).send();
	return reply.code(status).send({ data, ...extraEnvelopeFields(state.readings) });
}

/** Has to happen before the schema sees the body: a value that clears need not keep its rules. */
function setClearedAside(state: State, request: FastifyRequest): void {
	const given = request.body;
	if (typeof given !== 'object' || given === null || Array.isArray(given)) return;
	const { body, cleared } = withoutCleared({ ...given }, state.readings);
	request.body = body;
	request.visit.cleared = cleared;
}
