/** Headers of an answer, by lower-case name. */
export type AnswerHeaders = Record<string, unknown>;

/**
 * How long the service asks to wait by `Retry-After`, as seconds or as a date, in ms; never
 * negative. The interface shows no header of that kind, so it is the one of RFC 9110, 10.2.3.
 * Undefined when the service asks for nothing that makes sense. Interface: OPEN-18.
 * @param date ms since 1970, for an answer that does not tell the service's own time
 */
export function askedWait(headers: AnswerHeaders, date: number): number | undefined {
	const retryAfter = text(headers['retry-after']);
	if (/^\d+(\.\d+)?$/.test(retryAfter)) return Number(retryAfter) * 1000;
	const until = dateIn(retryAfter);
	const now = dateIn(text(headers.date)) ?? date;
	return until === undefined ? undefined : Math.max(0, until - now);
}

/** In ms since 1970. */
function dateIn(value: string): number | undefined {
	// Date.parse finds a date in nearly any words; those that mean one have a time of day.
	const date = /\d:\d\d/.test(value) ? Date.parse(value) : NaN;
	return Number.isNaN(date) ? undefined : date;
}

function text(value: unknown): string {
	return typeof value === 'string' ? value.trim() : '';
}
