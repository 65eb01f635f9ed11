/** A value as text, or what it is instead, in words that finish "… is". */
export type TextReading =
	| { text: string }
	| { is: 'a list' | 'an object' | 'not a valid date' | 'not a finite number' };

/** What n8n makes of a moment that is none where it stands inside an object or a collection. */
export const noMoment = 'Invalid DateTime';

/**
 * Reads what an expression made of a text parameter: numbers and booleans as they are written,
 * null and undefined as empty, moments (`Date`, or the DateTime of `{{ $now }}`) in ISO 8601.
 */
export function asText(value: unknown): TextReading {
	if (value === noMoment) return { is: 'not a valid date' };
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

/** By what they are made of, because they may come from another realm than this module. */
function isMoment(value: unknown): value is { toJSON(): string | null } {
	const isDate = Object.prototype.toString.call(value) === '[object Date]';
	const { isLuxonDateTime, toJSON } = value as { isLuxonDateTime?: unknown; toJSON?: unknown };
	return (isDate || isLuxonDateTime === true) && typeof toJSON === 'function';
}
