/**
 * A number for people: `1,234` or, below a thousand, three significant digits. What is no finite
 * number is a dash.
 */
export function shown(value: number | null): string {
	if (value === null || !Number.isFinite(value)) return '–';
	const digits = Math.abs(value) < 1000 ? { maximumSignificantDigits: 3 } : whole;
	return value.toLocaleString('en-US', digits);
}

const whole = { maximumFractionDigits: 0 };

/**
 * A number for programs: four significant digits, and more only of what is whole. What is no finite
 * number is null, as JSON has no other word for it.
 */
export function rounded(value: number | null): number | null {
	if (value === null || !Number.isFinite(value)) return null;
	if (Number.isInteger(value)) return value;
	return Math.abs(value) < 1000 ? Number(value.toPrecision(4)) : Math.round(value);
}

/** A span of time in words: `48 s`, `3 min 5 s`, `2 h 7 min`. @param ms milliseconds */
export function span(ms: number): string {
	const seconds = Math.round(ms / 1000);
	const minutes = Math.floor(seconds / 60);
	if (minutes === 0) return `${seconds} s`;
	if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
	return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
