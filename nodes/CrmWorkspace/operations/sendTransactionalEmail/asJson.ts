import { formatValue, invalidDateTime, quoted } from '../../parameters/value';

/**
 * Copies a value as plain JSON data, dates and bigints as text.
 * @returns what keeps JSON from carrying it if JSON would make null or nothing of it
 */
export function asJson(value: unknown): { json: unknown } | { problem: string } {
	try {
		return { json: JSON.parse(JSON.stringify(value, carried)) as unknown };
	} catch (error) {
		return { problem: `cannot be written as JSON: ${(error as Error).message.split('\n')[0]}` };
	}
}

/** @param this the object or list that has it, with values before their `toJSON` */
function carried(this: Record<string, unknown>, name: string, value: unknown): unknown {
	if (typeof value === 'bigint') return String(value);
	if (typeof value === 'string' && value !== invalidDateTime) return value.toWellFormed();
	const isLost =
		value === invalidDateTime ||
		(typeof value === 'number' && !Number.isFinite(value)) ||
		(value === null && this[name] !== null) ||
		(value === undefined && Array.isArray(this));
	if (!isLost) return value;
	throw new Error(`${quoted(name)} is ${value === null ? 'not a valid date' : formatValue(value)}`);
}
