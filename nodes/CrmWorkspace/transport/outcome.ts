import { describedPage, isWebPage, readServiceError, shortened } from './errorBody';
import type { Exchange } from './exchange';
import type { Outcome } from './failure';
import { readCodedError } from './knownCode';
import { askedWait } from './retryAfter';

const conflict = 409;

/** What came of an exchange: what was asked for, or why not. */
export type Reading<Result> = { result: Result } | { failed: Outcome };

/**
 * Reads an exchange. Any 2xx is a success if `read` finds what was asked for in its JSON.
 * @param read gives undefined for a body that is not what was asked for
 * @param now ms since 1970
 * @param knownCodes codes of the service that a conflict is searched for, in capitals
 */
export function readExchange<Result>(
	exchange: Exchange,
	read: (body: unknown, statusCode: number) => Result | undefined,
	now: number,
	knownCodes: readonly string[] = [],
): Reading<Result> {
	if ('networkCode' in exchange) return { failed: exchange };

	const { statusCode, headers, text } = exchange;
	const body = parsed(text);
	if (statusCode < 200 || statusCode >= 300) {
		return {
			failed: {
				statusCode,
				...readCodedError(body ?? text, text, statusCode === conflict ? knownCodes : []),
				location: typeof headers.location === 'string' ? shortened(headers.location) : undefined,
				askedWait: askedWait(headers, now),
			},
		};
	}
	if (isErrorInDisguise(body)) return { failed: { statusCode, ...readServiceError(body) } };

	const isJson = body !== undefined || text.trim() === '';
	const result = isJson ? read(body, statusCode) : undefined;
	if (result !== undefined) return { result };
	return { failed: { statusCode, unreadable: isJson ? shapeOf(body) : kindOf(text) } };
}

/** Some services answer an error with status 200. */
function isErrorInDisguise(body: unknown): boolean {
	if (typeof body !== 'object' || body === null) return false;
	const { data, error, errors, success } = body as Record<string, unknown>;
	if (data !== undefined && data !== null) return false;
	return Boolean(error) || (Array.isArray(errors) && errors.length > 0) || success === false;
}

function shapeOf(body: unknown): string {
	if (body === undefined) return 'an empty body';
	return 'JSON that does not contain what was asked for';
}

function kindOf(text: string): string {
	return isWebPage(text) ? describedPage(text) : 'something that is not JSON';
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}
