import type { IDataObject } from 'n8n-workflow';
import type { Connection } from '../transport/connection';
import { unpaginatedPaths, type UnpaginatedCollection } from './collections';
import type { Contact, ContactFields, Message } from './records';

/** Body of `POST /transactional/send`. */
export interface SendRequest {
	to: string;
	templateSlug?: string;
	html?: string;
	subject?: string;
	text?: string;
	variables?: IDataObject;
	replyTo?: string;
	fromName?: string;
	channelId?: string;
	idempotencyKey?: string;
	contactId?: string;
}

/** One page of a paginated list. */
export interface Page {
	records: IDataObject[];
	/** Number of records over all pages; absent when the service did not say. */
	totalCount?: number;
}

/** Interface, `POST /transactional/send`: one message to one recipient. */
export async function sendMessage(connection: Connection, message: SendRequest): Promise<Message> {
	const body = { ...message } as IDataObject;
	return recordIn(await connection.request({ method: 'POST', path: '/transactional/send', body }));
}

/** Interface, `PUT /contacts/{id}`: the updated record. */
export async function updateContact(
	connection: Connection,
	id: string,
	fields: ContactFields,
): Promise<Contact> {
	const path = `/contacts/${encodeURIComponent(id)}`;
	return recordIn(await connection.request({ method: 'PUT', path, body: { ...fields } }));
}

/** Interface, "List conventions": one page of `GET /contacts`; `page` counts from 1. */
export async function listContacts(
	connection: Connection,
	query: { page: number; limit: number; search?: string },
): Promise<Page> {
	const answer = await connection.request({ method: 'GET', path: '/contacts', query });
	return { records: recordsIn(answer), totalCount: totalCountIn(answer) };
}

/** Interface, "Unpaginated list endpoints": every record of a collection. */
export async function listWhole(
	connection: Connection,
	collection: UnpaginatedCollection,
): Promise<IDataObject[]> {
	return recordsIn(await connection.request({ method: 'GET', path: unpaginatedPaths[collection] }));
}

/**
 * Interface, `GET /knowledge-base/articles/search`: up to `limit` matches and how many there are.
 * The interface does not name the parameter of the search term, so the caller does.
 */
export async function searchArticles(
	connection: Connection,
	query: { term: string; parameter: string; limit: number },
): Promise<Page> {
	const answer = await connection.request({
		method: 'GET',
		path: '/knowledge-base/articles/search',
		query: { [query.parameter]: query.term, limit: query.limit },
	});
	const data = dataIn(answer);
	const { articles, totalCount } = (isObject(data) ? data : {}) as IDataObject;
	return { records: objectsIn(articles ?? data), totalCount: numberIn(totalCount) };
}

/** The record of a `{ "data": { … } }` answer; of an answer without a body, nothing is known. */
function recordIn(answer: unknown): IDataObject {
	const data = dataIn(answer);
	return isObject(data) ? data : {};
}

/** The records of a `{ "data": [ … ] }` answer. */
function recordsIn(answer: unknown): IDataObject[] {
	return objectsIn(dataIn(answer));
}

function dataIn(answer: unknown): unknown {
	return isObject(answer) && 'data' in answer ? answer.data : answer;
}

function totalCountIn(answer: unknown): number | undefined {
	const meta = isObject(answer) ? answer.meta : undefined;
	const pagination = isObject(meta) ? meta.pagination : undefined;
	return isObject(pagination) ? numberIn(pagination.totalCount) : undefined;
}

function objectsIn(value: unknown): IDataObject[] {
	return Array.isArray(value) ? value.filter(isObject) : [];
}

function numberIn(value: unknown): number | undefined {
	const number = typeof value === 'string' ? Number(value) : value;
	return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
