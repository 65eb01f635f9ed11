/** The resolution of the `Date` header, in ms. */
const second = 1000;

/** What two clocks of the service may differ in: of what answers, and of what makes its records. */
const marginMs = 10 * second;

/** The same where a mistake would lose a record. */
export const wideMarginMs = 60 * second;

/**
 * Whether a record was certainly there before a request began, by its `createdAt`. False where that
 * or the service's clock isn't shown. Interface: MESSAGE-17.
 * @param began as `computeStart` gives it: by the service's own clock, in ms since 1970
 */
export function isOlder(createdAt: unknown, began = NaN): boolean {
	return parseTime(createdAt) < began - marginMs;
}

/**
 * When a request was sent at the earliest, by the service's own clock, rounded down to a second, in
 * ms since 1970; undefined if the answer does not tell. The `Date` header shows that clock at the
 * time of the answer (RFC 9110, 6.6.1), so what the exchange took is subtracted.
 * @param took how long the request and its answer took, in ms
 */
export function computeStart(headers: Record<string, unknown>, took: number): number | undefined {
	const answeredAt = Date.parse(String(headers.date));
	if (Number.isNaN(answeredAt)) return undefined;
	return Math.floor((answeredAt - Math.max(0, took)) / second) * second;
}

/** The moment that a field of a record tells, in ms since 1970; NaN when it tells none. */
export function parseTime(value: unknown): number {
	return typeof value === 'string' ? Date.parse(value) : NaN;
}
