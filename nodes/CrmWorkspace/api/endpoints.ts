/**
 * The interface of the service as code: a function for each endpoint, and what a 2xx has to contain.
 * A response without it is a failure, because nothing shows what the service has done.
 */
import type { Client, HttpResponse, JsonObject, Purpose } from '../client/request';
import { computeStart, isOlder } from './formats';
import {
	collections,
	messageFieldNames,
	nameContact,
	type Contact,
	type ContactFields,
	type Message,
	type SendRequest,
	type WholeCollection,
} from './records';

/** The most records that one page of a paginated list holds. Interface: LIST-10. */
export const maxPageSize = 100;

/** One page of the contacts. Interface: LIST-3, LIST-6, LIST-7. */
export interface Page {
	records: Contact[];
	/** Number of records over all pages. */
	totalCount: number;
	totalPages: number;
	/**
	 * A whole second by the service's clock, in ms since 1970: this page is as the list was then or
	 * later. Absent if the service doesn't show the time.
	 */
	asOf?: number;
}

/** The articles of a search, and how many match it. Interface: ARTICLE-2, ARTICLE-3. */
export interface Articles {
	records: JsonObject[];
	totalCount: number;
}

export interface AcceptedMessage {
	message: Message;
	/**
	 * Whether the answer shows that the service had it before: an earlier request with its idempotency
	 * key has sent it, before this one and before `began`. Interface: KEY-2.
	 */
	wasSentBefore: boolean;
}

/**
 * Sends one message to one recipient. Interface: SEND-1, SEND-2, SEND-26, KEY-1.
 * @param began a moment from which on it may have been sent and counts as sent now, in ms since 1970
 */
export async function sendMessage(
	client: Client,
	message: SendRequest,
	began = Infinity,
): Promise<AcceptedMessage> {
	const hasKey = message.idempotencyKey !== undefined;
	return await client.request<AcceptedMessage>({
		method: 'POST',
		path: '/transactional/send',
		body: { ...message },
		purpose: describeSend(message.to),
		isIdempotent: hasKey,
		read(response, sinceMs) {
			const accepted = toMessage(response);
			if (!accepted) return undefined;
			const sinceBegan = Math.max(sinceMs, Date.now() - began);
			const isOld = isOlder(accepted.createdAt, computeStart(response.headers, sinceBegan));
			return { message: accepted, wasSentBefore: hasKey && isOld };
		},
	});
}

/** What a send is for. */
export const describeSend = (to: string): Purpose => ({
	undone: `The message to ${to} wasn't sent`,
	unknown: `The message to ${to} may already have been sent`,
});

/**
 * Updates a contact; brings the updated record. Interface: UPDATE-1, UPDATE-2, UPDATE-6.
 * @param contact as far as it is known
 */
export async function updateContact(
	client: Client,
	contact: Contact,
	fields: ContactFields,
): Promise<Contact> {
	const { id } = contact;
	return await client.request<Contact>({
		method: 'PUT',
		path: `/contacts/${encodeURIComponent(id)}`,
		body: { ...fields },
		purpose: describeUpdate(nameContact(contact)),
		isIdempotent: true,
		read: (response) => toContact(response, id),
	});
}

/** What an update is for. @param name of the contact */
export const describeUpdate = (name: string): Purpose => ({
	undone: `The contact ${name} wasn't updated`,
	unknown: `The contact ${name} may have been updated`,
});

/** One page of `GET /contacts`; `page` counts from 1. Interface: LIST-8, LIST-9, LIST-11, LIST-12. */
export async function listContacts(
	client: Client,
	{ search, ...page }: { page: number; limit: number; search?: string },
): Promise<Page> {
	return await get(client, collections.contacts, toPage, {
		...page,
		...(search && { search }),
	});
}

/** Every record of a collection of which the service returns all. Interface: WHOLE-1, WHOLE-3. */
export async function listWhole(client: Client, name: WholeCollection): Promise<JsonObject[]> {
	return await get(client, collections[name], toRecords);
}

/**
 * Up to `limit` articles that match, and how many there are. The caller says how the parameter of
 * the search term is called. Interface: ARTICLE-1, ARTICLE-3, ARTICLE-4, ARTICLE-5, OPEN-11.
 */
export async function searchArticles(
	client: Client,
	{ term, parameter, limit }: { term: string; parameter: string; limit: number },
): Promise<Articles> {
	const query = { [parameter]: term, limit };
	return await get(client, collections.knowledgeBaseArticles, toArticles, query);
}

async function get<Result>(
	client: Client,
	{ path, label }: { path: string; label: string },
	read: (response: HttpResponse) => Result | undefined,
	query?: JsonObject,
): Promise<Result> {
	const undone = `${label} weren't read`;
	const purpose = { undone, unknown: undone };
	return await client.request({ method: 'GET', path, query, purpose, isIdempotent: true, read });
}

/** The message in `{ "data": { … } }`: any field of one is enough. Interface: SEND-26, MESSAGE-1. */
function toMessage({ body }: HttpResponse): Message | undefined {
	const message: Message = toObject(toObject(body).data);
	return messageFieldNames.some((name) => isGiven(message[name])) ? message : undefined;
}

/** The contact in `{ "data": { … } }`, if it has this ID. Interface: UPDATE-6, CONTACT-3. */
export function toContact({ body }: HttpResponse, id: string): Contact | undefined {
	const { data } = toObject(body);
	return isContact(data) && data.id.toLowerCase() === id.toLowerCase() ? data : undefined;
}

/** The records of `{ "data": [ … ] }`. Interface: LIST-2, WHOLE-1, WHOLE-2. */
function toRecords({ body }: HttpResponse): JsonObject[] | undefined {
	const data: unknown = toObject(body).data;
	return Array.isArray(data) && data.every(isObject) ? data : undefined;
}

/** The page of `{ "data": [ … ], "meta": { "pagination": … } }`. Interface: LIST-2, LIST-6. */
export function toPage(response: HttpResponse): Page | undefined {
	const records = toRecords(response);
	const { totalCount, totalPages } = toObject(toObject(toObject(response.body).meta).pagination);
	if (!records?.every(isContact) || !isCount(totalCount) || !isCount(totalPages)) return undefined;
	if (totalPages > Math.max(1, totalCount)) return undefined;
	const asOf = computeStart(response.headers, response.durationMs);
	return { records, totalCount, totalPages, asOf };
}

/** The articles of `{ "data": { "articles": [ … ], "totalCount": … } }`. Interface: ARTICLE-2. */
function toArticles(response: HttpResponse): Articles | undefined {
	const { articles, totalCount } = toObject(toObject(response.body).data);
	const records = toRecords({ ...response, body: { data: articles } });
	return records && isCount(totalCount) ? { records, totalCount } : undefined;
}

function isContact(value: unknown): value is Contact {
	return isObject(value) && typeof value.id === 'string';
}

function isGiven(value: unknown): boolean {
	return value !== undefined && value !== null && value !== '';
}

function isCount(value: unknown): value is number {
	return Number.isInteger(value) && (value as number) >= 0;
}

function toObject(value: unknown): JsonObject {
	return isObject(value) ? value : {};
}

function isObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
