import type { FastifyInstance } from 'fastify';

import type { MessageChoice, MessageSummary } from '../data/messages.mts';
import type { Mode } from '../identity.mts';
import { ServiceError } from '../service/errors.mts';
import type { State } from '../state.mts';
import { sendForeign, sendForeignHtml } from './foreign.mts';
import { shown } from './observations.mts';
import { pageOf, type PageQuery } from './paging.mts';
import type { LoggedRequest } from './requestLog.mts';
import { messagesQuery, modeQuery } from './schemas.mts';
import { withoutContent } from './viewRequests.mts';

/** How much of a long text the page is given, in characters; the whole can be opened by itself. */
const mostText = 65_536;

/** How many of the requests that concern a message are shown, the first ones. */
const mostRequests = 100;

/** One page of messages, without their content. */
export type MessagePage = ReturnType<typeof messagePage>;

/** A message with its content and every request that concerns it. */
export type MessageDetail = ReturnType<typeof messageDetail>;

interface OfOneMessage {
	Params: { id: string };
	Querystring: { mode?: Mode };
}

type MessagesQuery = PageQuery & { mode?: Mode; choice?: MessageChoice; search?: string };

/** What the page reads about messages. */
export function addMessageViews(control: FastifyInstance, state: State): void {
	control.get<{ Querystring: MessagesQuery }>(
		'/view/messages',
		{ schema: { querystring: messagesQuery } },
		({ query }) => messagePage(state, query),
	);

	const schema = { querystring: modeQuery };
	control.get<OfOneMessage>('/view/messages/:id', { schema }, ({ params, query }) =>
		messageDetail(state, query.mode ?? 'test', params.id),
	);
	control.get<OfOneMessage>('/view/messages/:id/html', { schema }, ({ params, query }, reply) => {
		const { html } = found(state, query.mode ?? 'test', params.id);
		return sendForeignHtml(reply, html);
	});
	control.get<OfOneMessage>('/view/messages/:id/source', { schema }, ({ params, query }, reply) => {
		const { html } = found(state, query.mode ?? 'test', params.id);
		return sendForeign(reply, 'text/plain', html);
	});
}

function messagePage(state: State, query: MessagesQuery) {
	const { mode = 'test', choice = 'inbox', search = '', ...paging } = query;
	const page = pageOf(paging, (part) => {
		const { messages, totalCount } = state.messages.page(mode, choice, search, part);
		return { entries: messages, totalCount };
	});
	return {
		...page,
		data: page.data.map((message) => shown(state, message)),
		nextChange: nextChange(state, page.data),
	};
}

function messageDetail(state: State, mode: Mode, id: string) {
	const message = found(state, mode, id);
	return {
		...shown(state, message),
		text: message.text.slice(0, mostText),
		html: message.html.slice(0, mostText),
		length: { text: message.text.length, html: message.html.length },
		now: state.clock.timestamp(),
		nextChange: nextChange(state, [message]),
		requests: concerning(state, mode, message).slice(0, mostRequests).map(withoutContent),
	};
}

function found(state: State, mode: Mode, id: string) {
	const message = state.messages.find(mode, id);
	if (!message) throw new ServiceError(404, 'MESSAGE_NOT_FOUND', `There is no message ${id}`);
	return message;
}

/** The requests that sent it or were shown it, and all others that carried its key. */
function concerning(state: State, mode: Mode, { id, idempotencyKey }: MessageSummary) {
	const carriesKey = ({ key, body }: LoggedRequest) =>
		key === mode &&
		idempotencyKey !== null &&
		(body as { idempotencyKey?: unknown } | null | undefined)?.idempotencyKey === idempotencyKey;
	return state.requests.all().filter((request) => request.message === id || carriesKey(request));
}

/** Milliseconds until one of these messages reaches its next state; null if none is to come. */
function nextChange({ clock }: State, messages: MessageSummary[]): number | null {
	const now = clock.now();
	const planned = messages
		.flatMap(({ sentAt, deliveredAt, bouncedAt, complainedAt }) => [
			...[sentAt, deliveredAt, bouncedAt, complainedAt],
		])
		.filter((time) => time !== null && time > now) as number[];
	return planned.length > 0 ? Math.min(...planned) - now : null;
}
