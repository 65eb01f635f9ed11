/** One attempt: the result that the response to a request contains, or why it has none. */
import { redact } from '../common/text';
import { realClock } from '../common/tasks';
import type { FailedAttempt } from './failure';
import type { HttpRequest, HttpResponse, RawResponse, Send } from './request';

export type Attempt<Result> = { result: Result } | { failed: FailedAttempt };

type ReadResult<Result> = (response: HttpResponse) => Result | undefined;

/** How much of an error response is kept, in characters. */
const maxBodyLength = 10_000;

/**
 * Makes an attempt within a time, connecting included. No text of a failure has the API key.
 * @param cancel ends it earlier
 * @param read finds the result in a 2xx; undefined if it isn't there
 */
export async function attempt<Result>(
	send: Send,
	request: HttpRequest,
	{ timeoutMs, cancel, apiKey }: { timeoutMs: number; cancel?: AbortSignal; apiKey: string },
	read: ReadResult<Result>,
): Promise<Attempt<Result>> {
	const startedAt = performance.now();
	const ended = new AbortController();
	const signal = AbortSignal.any([ended.signal, ...(cancel ? [cancel] : [])]);
	const late: FailedAttempt = { kind: 'noResponse', networkCode: 'ETIMEDOUT' };
	const timeout = realClock.wait(timeoutMs, ended.signal).then(() => late);
	const received = await Promise.race([send(request, signal), timeout]);
	ended.abort();
	const made: Attempt<Result> =
		'kind' in received
			? { failed: received }
			: parseResponse(received, performance.now() - startedAt, read);
	if ('result' in made) return made;
	const redacted = Object.entries(made.failed).map(([name, value]) => [
		name,
		typeof value === 'string' ? redact(value, apiKey).slice(0, maxBodyLength) : value,
	]);
	return { failed: Object.fromEntries(redacted) as FailedAttempt };
}

/** Parses a response. A 2xx is a success if `read` finds what was asked for in it. */
function parseResponse<Result>(
	response: RawResponse,
	durationMs: number,
	read: ReadResult<Result>,
): Attempt<Result> {
	const { statusCode, headers, text, cutAtMb } = response;
	if (statusCode < 200 || statusCode >= 300) return { failed: parseFailure(response) };
	const tooLong = `more than ${cutAtMb} MB`;
	if (cutAtMb) return { failed: { kind: 'unexpected', statusCode, detail: tooLong } };
	const body = parseJson(text);
	if (body === undefined) {
		return { failed: { kind: 'unreadable', statusCode, detail: describeContent(text) } };
	}
	const result = read({ headers, body, durationMs });
	if (result !== undefined) return { result };
	const detail = 'JSON that lacks the requested data';
	return { failed: { kind: 'unexpected', statusCode, detail, ...parseError(text) } };
}

function parseFailure({ statusCode, headers, text }: RawResponse): FailedAttempt {
	const { location } = headers;
	return {
		kind: 'status',
		statusCode,
		...parseError(text),
		...(typeof location === 'string' && { location }),
		retryAfterMs: parseRetryAfter(headers),
	};
}

/**
 * How long the service asks to wait, in ms: a number of seconds, or a date by its own clock, which
 * the `Date` header shows (RFC 9110, 10.2.3 and 6.6.1). Interface: OPEN-18.
 */
export function parseRetryAfter(headers: Record<string, unknown>): number | undefined {
	const value = headers['retry-after'];
	if (typeof value !== 'string' || value.trim() === '') return undefined;
	const now = Date.parse(String(headers.date)) || Date.now();
	const ms = Number.isNaN(Number(value)) ? Date.parse(value) - now : Number(value) * 1000;
	return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/**
 * The code and the message of an error's body, which the interface leaves open: `{ "code": …,
 * "message": … }`, or the same in `error`. Of any other body, the text is the message.
 * Interface: OPEN-16.
 */
function parseError(text: string): Pick<FailedAttempt, 'code' | 'message'> {
	const body = parseJson(text);
	const error = isRecord(body) && isRecord(body.error) ? body.error : body;
	const { code, message } = isRecord(error) ? error : {};
	return {
		code: isText(code) ? code : undefined,
		message: isText(message) ? message : describeText(text),
	};
}

function describeContent(text: string): string {
	const description = describeText(text);
	if (description === undefined) return 'an empty body';
	return isWebPage(text) ? description : `text instead of JSON: ${description}`;
}

/** A text that isn't JSON; of a web page, its title. Undefined if it is empty. */
function describeText(text: string): string | undefined {
	if (!isWebPage(text)) return text.trim() || undefined;
	const [, title = ''] = /<title[^>]*(?:>([^<]*)|$)/i.exec(text.slice(0, 10_000)) ?? [];
	return title.trim() ? `a web page titled “${title.trim()}”` : 'a web page';
}

function isWebPage(text: string): boolean {
	return /^\s*<[a-z!?]/i.test(text);
}

/** How deep JSON may be nested: no record of a service comes near it. */
const maxDepth = 100;

/** The JSON value of a text; undefined for anything else and for JSON that is nested too deep. */
function parseJson(text: string): unknown {
	try {
		const value = JSON.parse(text) as unknown;
		return isDeeperThan(maxDepth, value) ? undefined : value;
	} catch {
		return undefined;
	}
}

function isDeeperThan(depth: number, value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return false;
	return depth === 0 || Object.values(value).some((inner) => isDeeperThan(depth - 1, inner));
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}
