/** The formats of the service: header lines, IDs, addresses, the values of a contact, and dates. */
import { normalizeName, shorten, trim } from '../common/text';
import { contactSources, type ContactFieldName, type ContactFields } from './records';

/** Line breaks and all other control characters but tabs. */
const unfitForHeader = /[^\P{Cc}\t]|[\p{Zl}\p{Zp}]/u;

/** The same, tabs, halves of characters, and invisible ones but joiners, for some scripts. */
const unfitForAddress = /[\p{Cc}\ufffd\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u;

/**
 * Why a text must not go into a header of a message, in words that finish "<Field> …"; undefined
 * when it may.
 */
export function validateHeader(text: string): string | undefined {
	return unfitForHeader.test(text) ? 'has a line break or control character' : undefined;
}

/**
 * Whether `text` is a uuid in its usual 8-4-4-4-12 form.
 * Interface: WORK-4, SEND-21, SEND-25, UPDATE-2, CONTACT-11.
 */
export function isUuid(text: string): boolean {
	return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/**
 * The address in what mail programs and web pages write: `Ada <ada@example.com>`, `<ada@example.com>`,
 * `mailto:ada@example.com`. Another text, and one with two addresses, stays as it is.
 */
export function bareAddress(text: string): string {
	const given = trim(text);
	const [, name, inBrackets] = /^([^<>]*)<([^<>]*)>$/.exec(given) ?? [];
	const address = trim(inBrackets ?? given).replace(/^mailto:([^?]*).*$/is, '$1');
	const isNamed =
		!name?.includes('@') || normalizedEmail(name.replaceAll('"', '')) === normalizedEmail(address);
	return isNamed ? address : given;
}

/**
 * Why `text` can't be the address of one recipient, in words that finish "<Field> …"; undefined if
 * it can be. Stricter checks are left to the service.
 * Interface: SEND-2, SEND-6, SEND-19, CONTACT-7.
 */
export function validateAddress(text: string): string | undefined {
	if (text === '') return 'is empty';
	if (unfitForAddress.test(text)) return 'has an invisible character';
	const shown = `“${shorten(text, 60)}”`;
	if (/@[^@]+@/.test(text)) return `is more than one address: ${shown}`;
	const isPlaceholder = /\{[\w .-]+\}|^%\w+%@|\|\w+\|/.test(text);
	const isAddress = text.length <= 254 && oneAddress.test(text) && !isPlaceholder;
	return isAddress ? undefined : `isn't an email address: ${shown}`;
}

const oneAddress = /^[^\s@<>()[\]",;:\\]+@[^\s@<>()[\]",;:\\.]+(\.[^\s@<>()[\]",;:\\.]+)+$/;

/** An email address in the form in which addresses are compared. */
export function normalizedEmail(email: unknown): string {
	return typeof email === 'string' ? trim(email).toLowerCase() : '';
}

/**
 * Why the service would not take a value for a field, in words that finish "<Field> …"; undefined
 * when it would, for all that is known. Interface: UPDATE-3, CONTACT-7, CONTACT-11, CONTACT-12,
 * CONTACT-13.
 */
export function validateValue(name: ContactFieldName, value: unknown): string | undefined {
	if (typeof value !== 'string') return undefined;
	if (name === 'email') return validateAddress(value);
	if (name === 'accountId')
		return isUuid(value) ? undefined : `isn't a UUID: “${shorten(value, 60)}”`;
	if (name !== 'source' || (contactSources as readonly string[]).includes(value)) return undefined;
	return `is “${shorten(value, 60)}”, which the service doesn't know`;
}

/** The source that a text spells, maybe in another way, such as `Cold call`; else the text. */
export function toSource(text: string): string {
	return contactSources.find((source) => normalizeName(source) === normalizeName(text)) ?? text;
}

/**
 * A value of a field as text, without what is mere form: the order of tags and how often one of them
 * is there, the case of a UUID, the kind of line ends, and how Unicode composes a letter. Empty for
 * no value: absent, null and empty are alike.
 */
export function toCanonical(name: string, value: unknown): string {
	if (value === undefined || value === null) return '';
	if (Array.isArray(value)) {
		// Inner lists are written once: to do so at each level would double their length each time.
		const entries = new Set(
			value.map((entry) =>
				typeof entry === 'string' ? toCanonical('', entry) : JSON.stringify(entry),
			),
		);
		return entries.size === 0 ? '' : JSON.stringify([...entries].sort());
	}
	const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
	if (name === 'accountId') return text.toLowerCase();
	if (name === 'email') return trim(text);
	return text.replace(/\r\n?/g, '\n').normalize();
}

/** Whether two values of a field are the same but for their form. */
export function isSameValue(name: string, one: unknown, other: unknown): boolean {
	return one === other || toCanonical(name, one) === toCanonical(name, other);
}

export function isEmpty(name: string, value: unknown): boolean {
	return isSameValue(name, value, undefined);
}

/** Whether a record is known to have these values. */
export function hasValues(record: object, fields: ContactFields): boolean {
	return Object.entries(fields).every(
		([name, value]) =>
			name in record && isSameValue(name, (record as Record<string, unknown>)[name], value),
	);
}

/** The resolution of the `Date` header, in ms. */
const second = 1000;

/** What two clocks of the service may differ in: of what answers, and of what makes its records. */
const marginMs = 10 * second;

/** The same where a mistake would lose a record. */
export const wideMarginMs = 60 * second;

/**
 * Whether a record was certainly there before a request began, by its `createdAt`. False where that
 * or the service's clock isn't shown. Interface: MESSAGE-17.
 * @param began as `computeStart` gives it: by the service's own clock, in ms since 1970
 */
export function isOlder(createdAt: unknown, began = NaN): boolean {
	return parseTime(createdAt) < began - marginMs;
}

/**
 * When a request was sent at the earliest, by the service's own clock, rounded down to a second, in
 * ms since 1970; undefined if the response doesn't show it. The `Date` header shows that clock at the
 * time of the response (RFC 9110, 6.6.1), so what the exchange took is subtracted.
 * @param took how long the request and its answer took, in ms
 */
export function computeStart(headers: Record<string, unknown>, took: number): number | undefined {
	const answeredAt = Date.parse(String(headers.date));
	if (Number.isNaN(answeredAt)) return undefined;
	return Math.floor((answeredAt - Math.max(0, took)) / second) * second;
}

/** The moment in a field of a record, in ms since 1970; NaN if it has none. */
export function parseTime(value: unknown): number {
	return typeof value === 'string' ? Date.parse(value) : NaN;
}
