/** The powers of ten around all values, for a logarithmic axis. */
export interface Decades {
	from: number;
	to: number;
}

/**
 * The axis of bars: it begins at a power of ten well below the least value, as a bar of no length
 * would look like nothing at all.
 */
export function decadesOfBars(values: number[]): Decades {
	const { least, most } = extremes(values);
	return { from: power(Math.floor(Math.log10(least / 2))), to: most };
}

/** The axis of lines, and what it begins and ends with. */
export function decadesOfLines(values: number[]): Decades {
	const { least, most } = extremes(values);
	const from = power(Math.floor(Math.log10(least)));
	return { from, to: Math.max(power(Math.ceil(Math.log10(most))), from * 10) };
}

/** Where a logarithmic axis has its lines: at each power of ten, and between them if they are few. */
export function ticks({ from, to }: Decades): number[] {
	const first = Math.round(Math.log10(from));
	const last = Math.floor(Math.log10(to) + 1e-9);
	const powers = Array.from({ length: last - first + 1 }, (_, index) => power(first + index));
	const steps = powers.length > 2 ? [1] : [1, 2, 5];
	return powers.flatMap((ten) => steps.map((step) => step * ten)).filter((at) => at <= to * 1.001);
}

/** What is zero or less has no place on a logarithmic axis. */
function extremes(values: number[]): { least: number; most: number } {
	const positive = values.filter((value) => value > 0);
	if (positive.length === 0) return { least: 1, most: 10 };
	return { least: Math.min(...positive), most: Math.max(...positive) };
}

/** Ten to the power of a whole number, without what `10 ** -3` has in its last digit. */
function power(exponent: number): number {
	return Number(`1e${exponent}`);
}
