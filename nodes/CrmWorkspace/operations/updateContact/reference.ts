import type { IDataObject } from 'n8n-workflow';
import { bareAddress, validateAddress, isUuid, normalizedEmail } from '../../service/formats';
import { trim } from '../../text/plainText';
import { isExpression } from '../../parameters/parameter';
import { quote } from '../../parameters/value';
import type { ItemReader } from '../itemReader';
import { contact } from './properties';

/** How an item names its contact: one chosen from the list by its ID, with the address it had there. */
export type ContactReference = { id: string; cachedEmail?: string } | { email: string };

/**
 * Reads which contact an item is for.
 * @throws NodeOperationError for an id or an email address that cannot be one
 */
export function readReference(item: ItemReader): ContactReference {
	const stored = Object(item.stored(contact.name)) as IDataObject;
	const mode = item.evaluateStored(stored.mode, contact);
	const text = trim(item.toText(item.evaluateStored(stored.value, contact), contact));
	const refuse = (problem: string, advice: string) => item.refuse(`'Contact' ${problem}`, advice);
	if (text === '') {
		const ways = 'Choose a contact from the list, or enter its ID or its email address.';
		refuse(
			'is empty',
			isExpression(stored.value) ? item.describeHole(stored.value.slice(1)) : ways,
		);
	}
	if (mode === 'email') {
		const email = bareAddress(text);
		const problem = validateAddress(email);
		if (problem)
			refuse(problem, 'Enter the email address of one contact, like nathan@example.com.');
		return { email };
	}
	const ways =
		"Choose a contact from the list, or enter its ID, like 7c9a1d52-6b1f-4f0e-9b1d-0c2f5a7e4d33. To use its email address, set 'Contact' to By Email.";
	if (!isUuid(text)) refuse(`isn't a UUID: ${quote(text)}`, ways);
	const listed = mode === 'list' ? String(stored.cachedResultName).split(' · ') : [];
	return { id: text, cachedEmail: listed.find((part) => validateAddress(part) === undefined) };
}

/** What names a contact, in the form in which names are compared. */
export function getName(reference: ContactReference): string {
	return 'email' in reference ? normalizedEmail(reference.email) : reference.id.toLowerCase();
}
