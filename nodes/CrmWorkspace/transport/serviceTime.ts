/**
 * A moment by the service's own clock, in ms since 1970, that lies before the service began to put
 * an answer together; undefined if the answer does not tell. The clock shows in the `Date` header
 * (RFC 9110, 6.6.1), in whole seconds and when the answer was ready.
 * @param took how long the request and its answer took, in ms
 */
export function beganAt(headers: Record<string, unknown>, took: number): number | undefined {
	const answeredAt = Date.parse(String(headers.date));
	return Number.isNaN(answeredAt) ? undefined : answeredAt - Math.max(0, took);
}
