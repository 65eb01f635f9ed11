import { shortened } from '../text/plainText';
import { withoutInvisible } from '../text/invisible';
import { addressProblem, isUuid } from './formats';
import { contactSources, type ContactFieldName } from './records';

/** In characters. */
const maxShownLength = 60;

/**
 * Why the service would not take a value for a field, in words that finish "<Field> …"; undefined
 * when it would, for all that is known. Interface: UPDATE-3, CONTACT-7, CONTACT-11, CONTACT-12,
 * CONTACT-13.
 */
export function valueProblem(name: ContactFieldName, value: unknown): string | undefined {
	if (name === 'tags') return isListOfTexts(value) ? undefined : 'is not a list of texts';
	if (typeof value !== 'string') return 'is not text';
	if (name === 'email') return addressProblem(value);
	if (name === 'accountId') return isUuid(value) ? undefined : 'is not a UUID';
	if (name !== 'source' || (contactSources as readonly string[]).includes(value)) return undefined;
	return `is “${shortened(value, maxShownLength)}”, which the service does not know`;
}

function isListOfTexts(value: unknown): boolean {
	return Array.isArray(value) && value.every((tag) => typeof tag === 'string');
}

/**
 * A value of a field as text, without what is mere form: the order of tags and how often one of them
 * is there, the case of a UUID, the kind of line ends, and how Unicode composes a letter. Empty for
 * no value: absent, null and empty are alike.
 */
export function formless(name: string, value: unknown): string {
	if (value === undefined || value === null) return '';
	if (Array.isArray(value)) {
		const entries = new Set(value.map((entry) => formless('', entry)));
		return entries.size === 0 ? '' : JSON.stringify([...entries].sort());
	}
	const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
	if (name === 'email') return withoutInvisible(text);
	if (name === 'accountId') return text.toLowerCase();
	return composed(text.replace(/\r\n?/g, '\n'));
}

/**
 * A text in Unicode's composed form (NFC). Normalizing takes quadratic time for a long run of
 * combining marks. No language has more than a few on a letter, so such a text is left as it is.
 */
function composed(text: string): string {
	return /\p{M}{50}/u.test(text) ? text : text.normalize();
}
