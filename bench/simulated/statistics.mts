/** The value that so large a part (0 to 1) of all does not exceed; null where there are none. */
export function quantile(values: number[], part: number): number | null {
	const sorted = values.toSorted((one, other) => one - other);
	return sorted[Math.ceil(part * sorted.length) - 1] ?? null;
}

/** The largest of some values; null where one of them is missing, or all. */
export function worst(values: Array<number | null>): number | null {
	const known = values.filter((value) => value !== null);
	return known.length < values.length || known.length === 0 ? null : Math.max(...known);
}

/**
 * A value of which this node must have one.
 * @throws Error where it has none, as not all was done that was to be done
 */
export function known(value: number | null, name: string): number {
	if (value === null) throw new Error(`${name}: this node has not done all that it was to do`);
	return value;
}

/** ms as s, with three decimals. */
export function seconds(ms: number): number;
export function seconds(ms: number | null): number | null;
export function seconds(ms: number | null): number | null {
	return ms === null ? null : Math.round(ms) / 1000;
}
