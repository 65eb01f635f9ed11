/** Headers of an answer, by lower-case name. */
export type Headers = Record<string, unknown>;

/**
 * How long the service asks to wait, in ms: from `Retry-After` as seconds or as a date, else from
 * a rate-limit reset header as seconds left or as a moment. The interface shows neither. Undefined
 * when it asks for nothing that makes sense; never negative.
 * @param now ms since 1970
 */
export function askedWait(headers: Headers, now: number): number | undefined {
	const retryAfter = text(headers['retry-after']);
	if (retryAfter !== undefined) {
		const asked = secondsIn(retryAfter) ?? untilDate(retryAfter, now);
		if (asked !== undefined) return asked;
	}
	const reset = text(headers['ratelimit-reset'] ?? headers['x-ratelimit-reset']);
	return reset === undefined ? undefined : untilReset(reset, now);
}

function secondsIn(value: string): number | undefined {
	return /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : undefined;
}

function untilDate(value: string, now: number): number | undefined {
	// Date.parse finds a date in nearly any words; those that mean one have a time of day.
	const date = /\d:\d\d/.test(value) ? Date.parse(value) : NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
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
