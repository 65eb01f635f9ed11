/** The resolution of the `Date` header, and of the moments that some services tell, in ms. */
const second = 1000;

/**
 * When a request was sent at the earliest, by the service's own clock, rounded down to a second, in
 * ms since 1970; undefined if the answer does not tell. The `Date` header shows that clock at the
 * time of the answer (RFC 9110, 6.6.1), so what the exchange took is subtracted.
 * @param took how long the request and its answer took, in ms
 */
export function beganAt(headers: Record<string, unknown>, took: number): number | undefined {
	const answeredAt = Date.parse(String(headers.date));
	if (Number.isNaN(answeredAt)) return undefined;
	return Math.floor((answeredAt - Math.max(0, took)) / second) * second;
}
