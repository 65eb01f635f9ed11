import { normalizeName, shorten, trim } from '../text/plainText';
import { validateAddress, isUuid } from './formats';
import { contactSources, type ContactFieldName } from './records';

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
