import { describeWebPage, readServiceError } from './errorBody';
import type { Exchange } from './exchange';
import type { FailedAttempt } from './failure';
import { shortened } from './foreignText';
import { readCodedError } from './knownCode';
import { isConflict } from './meaning';
import { askedWait, type Headers } from './retryAfter';
import { isMarkup } from './webPage';

const noJson = 'something that is not JSON';

/** How deep lists and objects may lie in one another: no record of a service comes near it. */
const deepest = 100;

const tooDeep = `JSON that is nested more than ${deepest} levels deep`;

/** What came of an exchange: what was asked for, or why not. */
export type AttemptResult<Result> = { result: Result } | { failed: FailedAttempt };

/**
 * Reads an exchange. Any 2xx is a success if `read` finds what was asked for in its body.
 * @param read is given the body's JSON, its text if that is no JSON, or undefined if it is empty;
 * gives undefined for a body that is not what was asked for
 * @param now ms since 1970
 * @param knownCodes codes of the service that a conflict is searched for, in capitals
 */
export function readExchange<Result>(
	exchange: Exchange,
	read: (body: unknown, statusCode: number) => Result | undefined,
	now: number,
	knownCodes: readonly string[] = [],
): AttemptResult<Result> {
	if (!('statusCode' in exchange)) return { failed: exchange };

	const { statusCode, headers, text } = exchange;
	const body = parsed(text);
	if (statusCode < 200 || statusCode >= 300) {
		return {
			failed: {
				statusCode,
				...readCodedError(body ?? text, text, isConflict(exchange) ? knownCodes : []),
				location: statusCode < 400 ? locationIn(headers) : undefined,
				askedWait: askedWait(exchange, now),
			},
		};
	}
	const error = errorInDisguise(body ?? text);
	if (error !== undefined) return { failed: { statusCode, ...readServiceError(error) } };

	if (isDeeperThan(deepest, body)) return { failed: { statusCode, unreadable: tooDeep } };

	const garbled = body === undefined ? describeGarbled(text) : undefined;
	if (garbled) return { failed: { statusCode, unreadable: garbled, isGarbled: true } };

	const isText = body === undefined && text.trim() !== '';
	const result = read(isText ? text : body, statusCode);
	if (result !== undefined) return { result };
	return { failed: { statusCode, unreadable: isText ? noJson : shapeOf(body) } };
}

function locationIn({ location }: Headers): string | undefined {
	// An address has no white space: a header that was folded got some.
	return typeof location === 'string' ? shortened(location.replace(/\s+/g, '')) : undefined;
}

/**
 * What tells of an error in the body of a success; undefined if nothing does. Some services answer
 * an error with status 200: in words, or in an object without what was asked for.
 */
function errorInDisguise(body: unknown, isRecord = false): unknown {
	if (typeof body === 'string') {
		return /^\W{0,10}(error|exception|failed|failure|fatal)\b/i.test(body) ? body : undefined;
	}
	if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
	const { data, id, success, ok, error, errors, code, status, statusCode } = body as Record<
		string,
		unknown
	>;
	if (isNo(success) || isNo(ok)) return body;
	// In a record, which has an ID or is the data, the same status may be that of a message.
	const isAnswer = id === undefined && !isRecord;
	if (isAnswer && /^(error|fail|failed|failure)$/i.test(String(status))) return body;
	if (id !== undefined || isThere(data)) return errorInDisguise(data, true);
	const isError =
		isThere(error) ||
		isThere(errors) ||
		[code, status, statusCode].some((one) => Number(one) >= 400 && Number(one) < 600) ||
		(typeof code === 'string' && /^[A-Z][A-Z\d]*(_[A-Z\d]+)+$/.test(code));
	return isError ? body : undefined;
}

function isNo(value: unknown): boolean {
	return value === false || (typeof value === 'string' && /^(false|no)$/i.test(value));
}

/** Whether there is anything in a value: a list or an object of nothing but nulls has nothing. */
function isThere(value: unknown): boolean {
	if (typeof value !== 'object') return Boolean(value);
	const entries: unknown[] = Array.isArray(value) ? value : Object.values(value ?? {});
	return entries.some((one) => one !== null && one !== undefined);
}

/** What a text is that something between here and the service made or broke, in words. */
function describeGarbled(text: string): string | undefined {
	if (isMarkup(text)) return describeWebPage(text);
	return /^\s*[{["]/.test(text) ? 'JSON that breaks off' : undefined;
}

function shapeOf(body: unknown): string {
	if (body === undefined) return 'an empty body';
	return 'JSON that does not contain what was asked for';
}

function isDeeperThan(levels: number, value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return false;
	return levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner));
}

function parsed(text: string): unknown {
	try {
		// A byte order mark at the beginning is no fault: it goes with the white space.
		return JSON.parse(text.trim()) as unknown;
	} catch {
		return undefined;
	}
}
