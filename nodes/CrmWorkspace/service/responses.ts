/**
 * What a 2xx has to contain. Each function returns undefined for a response that doesn't have it:
 * then the request fails, because nothing shows what the service has done.
 */
import type { IDataObject } from 'n8n-workflow';
import type { HttpResponse } from '../transport/http';
import { messageFieldNames, type Contact, type Message } from './records';
import { computeStart } from './serviceTime';

/** One page of the contacts. Interface: LIST-3, LIST-6, LIST-7. */
export interface Page {
	records: Contact[];
	/** Number of records over all pages. */
	totalCount: number;
	totalPages: number;
	/**
	 * A whole second by the service's clock, in ms since 1970: this page is as the list was then or
	 * later. Absent when the service did not tell the time.
	 */
	asOf?: number;
}

/** The articles of a search, and how many match it. Interface: ARTICLE-2, ARTICLE-3. */
export interface Articles {
	records: IDataObject[];
	totalCount: number;
}

/** The message in `{ "data": { … } }`: it has any of the fields of one. Interface: SEND-26, MESSAGE-1. */
export function toMessage({ body }: HttpResponse): Message | undefined {
	const message: Message = toObject(toObject(body).data);
	return messageFieldNames.some((name) => isGiven(message[name])) ? message : undefined;
}

/** The contact in `{ "data": { … } }`, if it is the one with this ID. Interface: UPDATE-6, CONTACT-3. */
export function toContact({ body }: HttpResponse, id: string): Contact | undefined {
	const { data } = toObject(body);
	return isContact(data) && data.id.toLowerCase() === id.toLowerCase() ? data : undefined;
}

/** The records of `{ "data": [ … ] }`. Interface: LIST-2, WHOLE-1, WHOLE-2. */
export function toRecords({ body }: HttpResponse): IDataObject[] | undefined {
	const data: unknown = toObject(body).data;
	return Array.isArray(data) && data.every(isObject) ? data : undefined;
}

/** The page of `{ "data": [ … ], "meta": { "pagination": … } }`. Interface: LIST-2, LIST-6, LIST-7. */
export function toPage(response: HttpResponse): Page | undefined {
	const records = toRecords(response);
	const { totalCount, totalPages } = toObject(toObject(toObject(response.body).meta).pagination);
	if (!records?.every(isContact) || !isCount(totalCount) || !isCount(totalPages)) return undefined;
	if (totalPages > Math.max(1, totalCount)) return undefined;
	const asOf = computeStart(response.headers, response.durationMs);
	return { records, totalCount, totalPages, asOf };
}

/** The articles of `{ "data": { "articles": [ … ], "totalCount": … } }`. Interface: ARTICLE-2. */
export function toArticles(response: HttpResponse): Articles | undefined {
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

function toObject(value: unknown): IDataObject {
	return isObject(value) ? value : {};
}

function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
