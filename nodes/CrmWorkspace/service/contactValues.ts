import { shortened } from '../text/plainText';
import { addressProblem, isUuid } from './formats';
import { contactSources, type ContactFieldName } from './records';

/** The most characters of a value that are shown. */
const shownLength = 60;

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
	return `is “${shortened(value, shownLength)}”, which the service does not know`;
}

function isListOfTexts(value: unknown): boolean {
	return Array.isArray(value) && value.every((tag) => typeof tag === 'string');
}
