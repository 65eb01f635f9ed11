import { formatValue, invalidDateTime, quoted } from '../parameters/value';

/** A value as plain JSON data, or what keeps JSON from carrying it. */
type JsonResult = { json: unknown } | { problem: string };

/**
 * Copies a value from JSON or an expression as plain JSON data, dates and bigints as text. What
 * JSON would leave out or turn into null is refused, because it would be lost without a word.
 */
export function asJson(value: unknown): JsonResult {
	try {
		return { json: JSON.parse(JSON.stringify(value, carried)) as unknown };
	} catch (error) {
		return { problem: `cannot be written as JSON: ${(error as Error).message.split('\n')[0]}` };
	}
}

/** @param holder the object or list that has it, with values before their `toJSON` */
function carried(this: Record<string, unknown>, name: string, value: unknown): unknown {
	if (typeof value === 'bigint') return String(value);
	const isList = Array.isArray(this);
	const isLost =
		typeof value === 'function' ||
		typeof value === 'symbol' ||
		(typeof value === 'number' && !Number.isFinite(value)) ||
		value === invalidDateTime ||
		(value === null && this[name] !== null) ||
		(value === undefined && isList) ||
		(typeof value === 'object' && value !== null && !isPlain(value));
	if (!isLost) return value;
	const shown = value === null ? 'not a valid date' : formatValue(value);
	throw new Error(`${name === '' ? 'it' : quoted(name)} is ${shown}`);
}

/** Not by `instanceof`: a value from an expression may come from another JavaScript realm. */
function isPlain(value: object): boolean {
	return Array.isArray(value) || Object.prototype.toString.call(value) === '[object Object]';
}
