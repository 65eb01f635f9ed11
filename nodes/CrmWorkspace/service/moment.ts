/** The moment that a field of a record tells, in ms since 1970; NaN when it tells none. */
export function momentIn(value: unknown): number {
	return typeof value === 'string' || typeof value === 'number' ? Date.parse(String(value)) : NaN;
}
