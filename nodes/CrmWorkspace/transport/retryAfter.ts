/** Headers of an answer, by lower-case name. */
export type Headers = Record<string, unknown>;

/**
 * How long the service asks to wait, in ms: from `Retry-After` as seconds or as a date, else, where
 * the rate limit is the reason, from a reset header as seconds left or as a moment. The interface
 * shows neither. Undefined when it asks for nothing that makes sense; never negative.
 * Interface: OPEN-18.
 * @param clock ms since 1970, for an answer that does not tell the service's own time
 */
export function askedWait(
	{ statusCode, headers }: { statusCode: number; headers: Headers },
	clock: number,
): number | undefined {
	const now = dateIn(text(headers.date) ?? '') ?? clock;
	const retryAfter = text(headers['retry-after']);
	if (retryAfter !== undefined) {
		const asked = secondsIn(retryAfter) ?? untilDate(retryAfter, now);
		if (asked !== undefined) return asked;
	}
	if (!isAboutRateLimit(statusCode, headers)) return undefined;
	const reset = text(headers['ratelimit-reset'] ?? headers['x-ratelimit-reset']);
	return reset === undefined ? undefined : untilReset(reset, now);
}

/** Services may tell in every answer when their rate limit is reset: that is no wish to wait. */
function isAboutRateLimit(statusCode: number, headers: Headers): boolean {
	const left = text(headers['ratelimit-remaining'] ?? headers['x-ratelimit-remaining']);
	return statusCode === 429 || (statusCode === 503 && (left === undefined || Number(left) === 0));
}

function secondsIn(value: string): number | undefined {
	return /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : undefined;
}

function untilDate(value: string, now: number): number | undefined {
	const date = dateIn(value);
	return date === undefined ? undefined : Math.max(0, date - now);
}

/** In ms since 1970. */
function dateIn(value: string): number | undefined {
	// Date.parse finds a date in nearly any words; those that mean one have a time of day.
	const date = /\d:\d\d/.test(value) ? Date.parse(value) : NaN;
	return Number.isNaN(date) ? undefined : date;
}

/** Services give the reset as seconds left, or as a moment in seconds or ms since 1970. */
function untilReset(value: string, now: number): number | undefined {
	const seconds = secondsIn(value);
	if (seconds === undefined) return untilDate(value, now);
	const isMoment = seconds >= 1_000_000_000_000;
	if (!isMoment) return seconds;
	const moment = seconds >= 1_000_000_000_000_000 ? seconds / 1000 : seconds;
	return Math.max(0, moment - now);
}

function text(value: unknown): string | undefined {
	return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
