/** The resolution of the `Date` header, and of the moments that some services tell, in ms. */
const second = 1000;

/**
 * The second of the service's own clock, in ms since 1970, in which or before which it was asked;
 * undefined if the answer does not tell. The clock shows in the `Date` header (RFC 9110, 6.6.1),
 * when the answer is ready.
 * @param took how long the request and its answer took, in ms
 */
export function beganAt(headers: Record<string, unknown>, took: number): number | undefined {
	const answeredAt = Date.parse(String(headers.date));
	if (Number.isNaN(answeredAt)) return undefined;
	return Math.floor((answeredAt - Math.max(0, took)) / second) * second;
}
