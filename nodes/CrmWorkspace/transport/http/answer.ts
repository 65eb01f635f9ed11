import { cutWithoutKey, withoutKeyIn, type WithoutKey } from '../credential/withoutKey';
import type { FailedAttempt } from '../errors/failure';
import { readServiceError, type ServiceError } from '../errors/serviceError';
import { describeWebPage, isMarkup } from '../errors/webPage';
import { shortened } from '../../text/plainText';
import { maxErrorBytes, type Exchange } from './exchange';
import { askedWait, type AnswerHeaders } from './retryAfter';

/** An answer with a status of success. */
export interface Answer {
	statusCode: number;
	headers: AnswerHeaders;
	/** Its JSON, its text if that is no JSON, or undefined if it is empty. */
	body: unknown;
	/** How long the request and its answer took, in ms. */
	took: number;
}

/** What came of an attempt: what was asked for, or why not. */
export type Attempt<Result> = { result: Result } | { failed: FailedAttempt };

/** How many levels deep JSON may be nested: no record of a service comes near it. */
const maxLevels = 100;

/**
 * Reads an exchange. A 2xx is a success if `read` finds what was asked for in it, and nothing in it
 * is changed. What the service says of an error becomes our words, so the key is taken out of that
 * before anything is shortened.
 * @param read gives undefined for an answer that is not what was asked for
 * @param now ms since 1970
 */
export function readAnswer<Result>(
	exchange: Exchange,
	read: (answer: Answer) => Result | undefined,
	withoutKey: WithoutKey,
	now: number,
): Attempt<Result> {
	if ('kind' in exchange) return { failed: withoutKeyIn(exchange, withoutKey) as FailedAttempt };
	const { statusCode, headers, text, took } = exchange;
	if (statusCode < 200 || statusCode >= 300)
		return { failed: failureOf(exchange, withoutKey, now) };

	const json = parsed(text);
	const body = json === undefined && text.trim() !== '' ? text : json;
	const garbled = json === undefined && describeGarbled(withoutKey(text));
	if (garbled) return { failed: { kind: 'garbled', statusCode, words: garbled } };
	const isTooDeep = hasMoreLevels(maxLevels, json);
	const result = isTooDeep ? undefined : read({ statusCode, headers, body, took });
	if (result !== undefined) return { result };
	const words = isTooDeep
		? `JSON that is nested more than ${maxLevels} levels deep`
		: shapeOf(body);
	const said = body === undefined ? {} : saidIn(cleanBody(text, json, withoutKey));
	return { failed: { kind: 'unexpected', statusCode, words, ...said } };
}

/** What an answer says that is not what was asked for: itself, where it has no words. */
function saidIn(body: unknown): ServiceError {
	const said = readServiceError(body);
	const isSilent = said.code === undefined && said.message === undefined;
	return isSilent ? { message: shortened(JSON.stringify(body)) } : said;
}

function failureOf(
	{ statusCode, headers, text }: Exclude<Exchange, FailedAttempt>,
	withoutKey: WithoutKey,
	now: number,
): FailedAttempt {
	const body = cleanBody(text, parsed(text), withoutKey);
	return {
		kind: 'status',
		statusCode,
		...readServiceError(body),
		body,
		location: statusCode < 400 ? locationIn(headers, withoutKey) : undefined,
		askedWait: askedWait(headers, now),
	};
}

/** A body as our words may hold it, without the key: its JSON, or its text. */
function cleanBody(text: string, json: unknown, withoutKey: WithoutKey): unknown {
	if (json !== undefined) return withoutKeyIn(json, withoutKey);
	const isCut = Buffer.byteLength(text) >= maxErrorBytes;
	return isCut ? cutWithoutKey(text, withoutKey) : withoutKey(text);
}

function locationIn({ location }: AnswerHeaders, withoutKey: WithoutKey): string | undefined {
	// An address has no white space: a header that was folded got some.
	return typeof location === 'string'
		? shortened(withoutKey(location.replace(/\s+/g, '')))
		: undefined;
}

/** What a text is that something between here and the service made or broke, in words. */
function describeGarbled(text: string): string | undefined {
	if (isMarkup(text)) return describeWebPage(text);
	return /^\s*[{["]/.test(text) ? 'JSON that breaks off' : undefined;
}

function shapeOf(body: unknown): string {
	if (body === undefined) return 'an empty body';
	if (typeof body === 'string') return 'something that is not JSON';
	return 'JSON that does not contain what was asked for';
}

function hasMoreLevels(levels: number, value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return false;
	return levels === 0 || Object.values(value).some((inner) => hasMoreLevels(levels - 1, inner));
}

function parsed(text: string): unknown {
	try {
		// A byte order mark at the beginning is no fault: it goes with the white space.
		return JSON.parse(text.trim()) as unknown;
	} catch {
		return undefined;
	}
}
