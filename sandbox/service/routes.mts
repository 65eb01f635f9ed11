import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

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
import { setAside, updateAnswer, updateContact } from './updateContact.mts';
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
			const { message, replayed } = send(state, modeOf(request), request.body);
			Object.assign(request.visit.logged, { message: message.id, replayed });
			const asAnswered = replayed && variants.replayedMessage === 'asAnswered';
			const at = asAnswered ? message.createdAt : clock.now();
			const data = presentMessage(message, at, variants);
			return answer(reply, variants.sendStatus, { data, ...extraEnvelopeFields(variants) });
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
			return reply.code(listStatus(state)).send(listContacts(state, mode, request.query));
		},
	);

	service.get<{ Querystring: Record<string, string> }>(
		'/knowledge-base/articles/search',
		{ schema: { querystring: articleQuerySchema } },
		async (request, reply) => {
			const found = searchArticles(state, modeOf(request), request.query);
			return reply.code(listStatus(state)).send(found);
		},
	);

	for (const list of unpaginatedLists) {
		service.get(list.path, async (request, reply) =>
			reply.code(listStatus(state)).send(listAll(state, modeOf(request), list)),
		);
	}
}

const listStatus = ({ variants }: State) => (variants.service === 'odd' ? 206 : 200);

/** A 204 has no body. */
function answer(reply: FastifyReply, status: number, body: object): FastifyReply {
	return status === 204 ? reply.code(204).send() : reply.code(status).send(body);
}

/** Has to run before the schema validates the body. */
function setUncheckedAside(state: State, request: FastifyRequest): void {
	const given = request.body;
	if (typeof given !== 'object' || given === null || Array.isArray(given)) return;
	const { body, aside } = setAside({ ...given }, state.variants);
	request.body = body;
	request.visit.aside = aside;
}
