/** Values as texts, and what errors say of them. */
import { toPlainText, shorten } from '../common/text';

/**
 * A value as text: numbers and booleans as they are written, null and undefined as empty text, dates
 * (`Date`, or the DateTime of `{{ $now }}`) in ISO 8601. Undefined for anything else.
 */
export function toText(value: unknown): string | undefined {
	if (value === undefined || value === null) return '';
	if (Number.isNaN(value)) return undefined;
	// Not by `instanceof`: a value from an expression may come from another JavaScript realm.
	const isDate = Object.prototype.toString.call(value) === '[object Date]';
	const { isLuxonDateTime, toJSON } = value as { isLuxonDateTime?: boolean; toJSON?: () => string };
	if (isDate || isLuxonDateTime) return toJSON!.call(value) ?? undefined;
	const isPrimitive = ['string', 'number', 'boolean', 'bigint'].includes(typeof value);
	return isPrimitive ? String(value) : undefined;
}

export const notADate = 'not a valid date';

/** What a value is that isn't text. */
export function describeKind(value: unknown): string {
	if (Array.isArray(value)) return 'a list';
	const { toJSON } = Object(value) as { toJSON?: unknown };
	if (typeof toJSON === 'function') return notADate;
	if (typeof value === 'function') return 'a function';
	return typeof value === 'number' ? 'NaN' : 'an object';
}

/** A value in words that finish "It is …", however large it is. */
export function formatValue(value: unknown): string {
	if (typeof value === 'string') return quote(value);
	return shorten(toText(value) ?? describeKind(value), maxShownLength) || 'empty';
}

/** In characters. */
const maxShownLength = 60;

/** A text in quotes, as an error shows it. */
export function quote(text: string): string {
	return `“${shorten(toPlainText(text), maxShownLength)}”`;
}
