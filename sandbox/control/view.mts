import type { FastifyInstance } from 'fastify';

import type { MessageChoice, MessageSummary } from '../data/messages.mts';
import { modes, type Mode } from '../identity.mts';
import { ServiceError } from '../service/errors.mts';
import type { State } from '../state.mts';
import { variantDefinitions, variantNames } from '../variants.mts';
import { sendForeignHtml } from './foreign.mts';
import { contactForm, forms } from './forms.mts';
import { shown } from './observations.mts';
import type { Introduction } from './plugin.mts';
import type { LoggedRequest } from './requestLog.mts';
import { messagesQuery, modeQuery, numberPath, requestsQuery, searchQuery } from './schemas.mts';

/** The most entries of a list; a search finds the others. */
const most = 100;

/** Characters of a long text that the page shows. */
const mostText = 20_000;

export type Overview = ReturnType<typeof overview>;
export type MessageList = ReturnType<typeof listMessages>;
export type MessageDetail = ReturnType<typeof messageDetail>;
export type RequestList = ReturnType<typeof listRequests>;
export type RequestDetail = ReturnType<typeof requestDetail>;

interface Listing {
	mode?: Mode;
	search?: string;
}

interface OfOne {
	Params: { id: string };
	Querystring: { mode?: Mode };
}

const ofOne = { schema: { querystring: modeQuery } };

/** What the page reads. Lists begin with the newest entry. */
export function addViews(
	control: FastifyInstance,
	state: State,
	introduction: () => Introduction,
): void {
	control.get('/view', () => overview(state, introduction()));
	control.get('/view/forms', () => ({ forms, contactForm }));
	addContactViews(control, state);
	addMessageViews(control, state);
	addRequestViews(control, state);
}

function addContactViews(control: FastifyInstance, state: State): void {
	control.get<{ Querystring: Listing }>(
		'/view/contacts',
		{ schema: { querystring: searchQuery } },
		({ query: { mode = 'test', search = '' } }) => {
			const page = { offset: 0, limit: most };
			const { contacts, totalCount } = state.contacts.page(mode, search, page, forPeople);
			return { data: contacts, totalCount };
		},
	);
	control.get<OfOne>('/view/contacts/:id', ofOne, ({ params: { id }, query }) => {
		const contact = state.contacts.find(query.mode ?? 'test', id);
		if (!contact) throw new ServiceError(404, 'CONTACT_NOT_FOUND', `There is no contact ${id}`);
		return contact;
	});
}

function addMessageViews(control: FastifyInstance, state: State): void {
	control.get<{ Querystring: Listing & { choice?: MessageChoice } }>(
		'/view/messages',
		{ schema: { querystring: messagesQuery } },
		({ query: { mode = 'test', choice = 'all', search = '' } }) =>
			listMessages(state, mode, choice, search),
	);
	control.get<OfOne>('/view/messages/:id', ofOne, ({ params, query }) =>
		messageDetail(state, query.mode ?? 'test', params.id),
	);
	control.get<OfOne>('/view/messages/:id/html', ofOne, ({ params, query }, reply) =>
		sendForeignHtml(reply, findMessage(state, query.mode ?? 'test', params.id).html),
	);
}

function addRequestViews(control: FastifyInstance, state: State): void {
	control.get<{ Querystring: { search?: string } }>(
		'/view/requests',
		{ schema: { querystring: requestsQuery } },
		({ query: { search = '' } }) => listRequests(state, search),
	);
	control.get<{ Params: { number: string } }>(
		'/view/requests/:number',
		{ schema: { params: numberPath } },
		({ params }) => requestDetail(state, Number(params.number)),
	);
}

/** How the page lists contacts, whatever the variants of the service are. */
const forPeople = { listOrder: 'updatedDescending', searchCovers: 'everyField' } as const;

/** Settings and counts. */
function overview(state: State, { baseUrl, testKey, liveKey }: Introduction) {
	return {
		baseUrl,
		keys: { test: testKey, live: liveKey },
		now: state.clock.timestamp(),
		latency: state.latency,
		requestsPerMinute: state.rate.requestsPerMinute,
		rate: state.rate.report(state.clock.now()),
		addresses: state.addresses.all(),
		faults: state.faults.all(),
		variants: variantNames.map((name) => ({
			name,
			value: state.variants[name],
			...variantDefinitions[name],
		})),
		requests: state.requests.all().length,
		inbox: Object.fromEntries(modes.map((mode) => [mode, state.messages.inboxCount(mode)])),
	};
}

function listMessages(state: State, mode: Mode, choice: MessageChoice, search: string) {
	const { messages, totalCount } = state.messages.page(mode, choice, search, most);
	return { data: messages.map((message) => shown(state, message)), totalCount };
}

/** A message with its content and the requests that sent it or carried its key. */
function messageDetail(state: State, mode: Mode, id: string) {
	const message = findMessage(state, mode, id);
	const requests = state.requests.all().filter((request) => concerns(request, mode, message));
	return {
		...shown(state, message),
		text: message.text.slice(0, mostText),
		html: message.html.slice(0, mostText),
		now: state.clock.timestamp(),
		requests: requests.slice(0, most).map(summaryOf),
	};
}

function concerns(
	{ message, key, body }: LoggedRequest,
	mode: Mode,
	{ id, idempotencyKey }: MessageSummary,
): boolean {
	const carriesKey = idempotencyKey !== null && Object(body).idempotencyKey === idempotencyKey;
	return message === id || (key === mode && carriesKey);
}

function findMessage(state: State, mode: Mode, id: string) {
	const message = state.messages.find(mode, id);
	if (!message) throw new ServiceError(404, 'MESSAGE_NOT_FOUND', `There is no message ${id}`);
	return message;
}

function listRequests({ requests }: State, search: string) {
	const wanted = search.toLowerCase();
	const matches = requests.all().filter((request) => textOf(request).includes(wanted));
	return { data: matches.slice(-most).reverse().map(summaryOf), totalCount: matches.length };
}

/** The searched text. A log can hold thousands of large bodies, so only their short fields. */
function textOf({ method, path, query, body, status, code, fault }: LoggedRequest): string {
	const fields = Object.values(Object(body)).map((value) => String(value).slice(0, 300));
	const texts = [method, path, JSON.stringify(query), status, code, fault, ...fields];
	return texts.join(' ').toLowerCase();
}

/** What a list shows of a request. */
function summaryOf({ body, ...request }: LoggedRequest) {
	return { ...request, to: String(Object(body).to ?? '').slice(0, 300) };
}

function requestDetail({ requests }: State, number: number) {
	const request = requests.find(number);
	if (!request) throw new ServiceError(404, 'UNKNOWN', `The log has no request ${number}`);
	return { ...request, answer: requests.answerTo(request) ?? null };
}
