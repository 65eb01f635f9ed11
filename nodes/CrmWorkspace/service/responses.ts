import type { IDataObject } from 'n8n-workflow';
import type { HttpResponse } from '../transport/http';
import { computeStart } from './serviceTime';

/** One page of a list. Interface: LIST-3, LIST-5, LIST-6, LIST-7. */
export interface Page {
	records: IDataObject[];
	/** Number of records over all pages; absent when the service did not say. */
	totalCount?: number;
	/** Number of pages of the size asked for; absent when the service did not say. */
	totalPages?: number;
	/** The page size used, as the service tells it. */
	limit?: number;
	/**
	 * A whole second by the service's clock, in ms since 1970: this page is as the list was then or
	 * later. Absent when the service did not tell the time.
	 */
	asOf?: number;
}

const noContent = 204;

/**
 * The record of a `{ "data": { … } }` answer. One that stands alone, or that is the only one of a
 * list, is taken too. Any other answer, such as `OK` or none at all, tells success and nothing
 * more: its record is empty. Interface: UPDATE-6, OPEN-8.
 */
export function toRecord({ body }: Pick<HttpResponse, 'body'>): IDataObject {
	const data = isObject(body) && 'data' in body ? body.data : body;
	const [record] = Array.isArray(data) && data.length === 1 ? (data as unknown[]) : [data];
	return isObject(record) ? record : {};
}

/** Fields that a message has, and nothing else that a site may answer with. */
const messageFields = ['id', 'messageId', 'idempotencyKey', 'to', 'sentAt', 'errorReason'];

/**
 * The message of a `{ "data": { … } }` answer, in the forms of `toRecord`; empty when the service
 * answered with nothing at all. Undefined for everything else, because a success would be a lie:
 * other JSON, words, or a body that says no itself. Interface: SEND-26, OPEN-8.
 */
export function toMessage({ body, statusCode }: HttpResponse): IDataObject | undefined {
	if (body === undefined || statusCode === noContent) return {};
	const isRefused = isObject(body) && [body.success, body.ok].some(isNo);
	const message = toRecord({ body });
	// Outside of `data`, the status may be that of anything.
	const { status } = message;
	const isStated = isObject(body) && 'data' in body && typeof status === 'string';
	const isMessage = isStated || messageFields.some((name) => isWritten(message[name]));
	return isMessage && !isRefused ? message : undefined;
}

function isWritten(value: unknown): boolean {
	return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
}

function isNo(value: unknown): boolean {
	return value === false || /^(false|no)$/i.test(String(value));
}

/**
 * The records of a `{ "data": [ … ], "meta": … }` answer, whether or not it has a `meta`. An entry
 * that isn't an object, such as a name by itself, becomes `{ "value": … }`. Undefined when there is
 * no list. Interface: LIST-2, WHOLE-1, WHOLE-2, OPEN-10.
 */
export function toPage({ body, statusCode, headers, durationMs }: HttpResponse): Page | undefined {
	if (body === undefined && statusCode === noContent) return { records: [] };
	const data = isObject(body) ? body.data : body;
	if (!Array.isArray(data)) return undefined;

	const meta = isObject(body) ? body.meta : undefined;
	const pagination = isObject(meta) && isObject(meta.pagination) ? meta.pagination : {};
	const counts = {
		totalCount: parseCount(pagination.totalCount),
		totalPages: parseCount(pagination.totalPages),
	};
	return {
		records: data.map(asRecord),
		...dropImpossibleCounts(counts, data.length),
		limit: parseCount(pagination.limit),
		asOf: computeStart(headers, durationMs),
	};
}

/** The counts of a page, unless they are smaller than what it holds. */
function dropImpossibleCounts(
	counts: Pick<Page, 'totalCount' | 'totalPages'>,
	length: number,
): Pick<Page, 'totalCount' | 'totalPages'> {
	const { totalCount = Infinity, totalPages = Infinity } = counts;
	return totalCount < length || (totalPages < 1 && length > 0) ? {} : counts;
}

/**
 * The articles of a `{ "data": { "articles": [ … ], "totalCount": … } }` answer. Undefined when
 * there are none to be found in it. Interface: ARTICLE-2, ARTICLE-3.
 */
export function toArticles(answer: HttpResponse): Page | undefined {
	const data = isObject(answer.body) ? answer.body.data : undefined;
	if (!isObject(data) || !Array.isArray(data.articles)) return toPage(answer);
	return { records: data.articles.map(asRecord), totalCount: parseCount(data.totalCount) };
}

function asRecord(entry: unknown): IDataObject {
	return isObject(entry) ? entry : { value: entry as IDataObject[string] };
}

function parseCount(value: unknown): number | undefined {
	const count = typeof value === 'string' && value !== '' ? Number(value) : value;
	return Number.isInteger(count) && (count as number) >= 0 ? (count as number) : undefined;
}

function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
