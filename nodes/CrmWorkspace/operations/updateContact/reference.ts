import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { validateAddress, isUuid, normalizedEmail } from '../../service/formats';
import { trim } from '../../text/plainText';
import { adviseOnValue } from '../../parameters/missingValue';
import { isExpression, throwParameterError } from '../../parameters/parameter';
import { parseText, quote } from '../../parameters/value';
import { evaluateStored } from '../expression';
import { contact } from './properties';

/** How an item names its contact: one chosen from the list by its ID, with the address it had there. */
export type ContactReference = { id: string; cachedEmail?: string } | { email: string };

/**
 * Reads which contact an item is for.
 * @throws NodeOperationError for an id or an email address that cannot be one
 */
export function readReference(context: IExecuteFunctions, itemIndex: number): ContactReference {
	const raw = { rawExpressions: true };
	const stored: unknown = context.getNodeParameter(contact.name, itemIndex, {}, raw);
	const { mode: storedMode, value, cachedResultName } = Object(stored) as IDataObject;
	const ref = { itemIndex, displayName: contact.displayName };
	const mode = evaluateStored(context, storedMode, ref);
	const text = trim(parseText(context, evaluateStored(context, value, ref), ref));
	if (text === '') return refuseEmpty(context, itemIndex, value);
	const refuse = (problem: string, advice: string) =>
		throwParameterError(context, itemIndex, `'Contact' ${problem}`, advice);
	if (mode === 'email') {
		const problem = validateAddress(text);
		if (problem)
			refuse(problem, 'Enter the email address of one contact, like nathan@example.com.');
		return { email: text };
	}
	const ways =
		"Choose a contact from the list, or enter its ID, like 7c9a1d52-6b1f-4f0e-9b1d-0c2f5a7e4d33. To use its email address, set 'Contact' to By Email.";
	if (!isUuid(text)) refuse(`isn't a UUID: ${quote(text)}`, ways);
	const listed = mode === 'list' ? String(cachedResultName).split(' · ') : [];
	return { id: text, cachedEmail: listed.find((part) => validateAddress(part) === undefined) };
}

function refuseEmpty(context: IExecuteFunctions, itemIndex: number, value: unknown): never {
	const { json } = context.getInputData()[itemIndex];
	const advice = isExpression(value)
		? adviseOnValue(value.slice(1), json)
		: 'Choose a contact from the list, or enter its ID or its email address.';
	throwParameterError(context, itemIndex, "'Contact' is empty", advice);
}

/** What names a contact, in the form in which names are compared. */
export function getName(reference: ContactReference): string {
	return 'email' in reference ? normalizedEmail(reference.email) : reference.id.toLowerCase();
}
