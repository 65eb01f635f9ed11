import type { IExecuteFunctions } from 'n8n-workflow';
import { displayNames } from '../../parameters/contactFields';
import type { Contact, ContactFieldName } from '../../service/records';
import { toDisplayText, toPlainText, shorten } from '../../text/plainText';

/**
 * What updates may have cost contacts, each in a sentence. The list is passed on to the next try of
 * Retry On Fail, which would otherwise hide the error of the one before. n8n stores it, so the name
 * of the property must not change.
 */
export function openLosses(context: IExecuteFunctions): string[] {
	try {
		const stored = context.getContext('node') as { lostValues?: string[] };
		return (stored.lostValues ??= []);
	} catch {
		// n8n stores nothing for some of its agents.
		return [];
	}
}

/** A value of a contact as text of bounded length. */
export function formatShort(value: unknown): string {
	return shorten(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Adds a sentence with values that a contact may have lost, and returns it: nothing else shows them. */
export function noteLoss(losses: string[], contact: Contact, names: ContactFieldName[]): string {
	const values = names.map((name) => `${displayNames[name]} “${formatShort(contact[name])}”`);
	const loss = `${contact.email || contact.id} may have lost values. Running the item again doesn't restore them. Check the contact, and re-enter missing values: ${values.join(', ')}.`;
	losses.push(toPlainText(loss));
	return losses.at(-1)!;
}

/** Adds to the error that ends a run the losses that it doesn't name: it is all that the user sees. */
export function addLosses(error: Error & { description?: string | null }, losses: string[]): Error {
	const description = error.description ?? '';
	const others = losses.filter((loss) => !description.includes(loss));
	error.description = toDisplayText([description, ...others].join(' '));
	return error;
}
