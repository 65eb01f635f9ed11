/** A value as text, or what it is instead, in words that finish "… is". */
export type TextResult =
	| { text: string }
	| { is: 'a list' | 'an object' | 'not a valid date' | 'not a finite number' };

/**
 * What n8n makes of an invalid date inside an object or inside a parameter of type `collection`.
 */
export const invalidDateTime = 'Invalid DateTime';

/**
 * The text of a value that an expression gave for a text parameter: numbers and booleans as they
 * are written, null and undefined as empty text, dates (`Date`, or the DateTime of `{{ $now }}`) in
 * ISO 8601.
 */
export function asText(value: unknown): TextResult {
	if (value === invalidDateTime) return { is: 'not a valid date' };
	if (typeof value === 'string') return { text: value };
	if (value === undefined || value === null) return { text: '' };
	if (Array.isArray(value)) return { is: 'a list' };
	if (isMoment(value)) {
		const text = value.toJSON();
		return text === null ? { is: 'not a valid date' } : { text };
	}
	if (['object', 'function', 'symbol'].includes(typeof value)) return { is: 'an object' };
	if (typeof value === 'number' && !Number.isFinite(value)) return { is: 'not a finite number' };
	return { text: String(value) };
}

/** Not by `instanceof`: a value from an expression may come from another JavaScript realm. */
function isMoment(value: unknown): value is { toJSON(): string | null } {
	const isDate = Object.prototype.toString.call(value) === '[object Date]';
	const { isLuxonDateTime, toJSON } = value as { isLuxonDateTime?: unknown; toJSON?: unknown };
	return (isDate || isLuxonDateTime === true) && typeof toJSON === 'function';
}
