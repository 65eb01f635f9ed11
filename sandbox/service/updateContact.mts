import { settableFields, type Contact, type ContactFields } from '../data/contacts.mts';
import type { Mode } from '../identity.mts';
import type { Variants } from '../variants.mts';
import type { State } from '../state.mts';
import { refuse } from './errors.mts';
import type { UpdateRequest } from './schemas.mts';

/** Fields whose format excludes empty text, so clearing them is a special case. */
const fieldsWithFormat = ['email', 'accountId', 'source'];

/** Fields of an update to which the rules don't apply, with the values to store. */
export type SetAside = Partial<ContactFields>;

/**
 * Sets aside what clears a field: only the rest has to keep the field rules. A null that means
 * nothing is omitted.
 */
export function setAside(
	body: Record<string, unknown>,
	{ clearingValue, nullInUpdate }: Variants,
): { body: Record<string, unknown>; aside: SetAside } {
	const byNull = clearingValue === 'null' || clearingValue === 'nullOrEmpty';
	const byEmpty = clearingValue === 'empty' || clearingValue === 'nullOrEmpty';
	const clears = (field: string, value: unknown) =>
		(byNull && value === null) || (byEmpty && value === '' && fieldsWithFormat.includes(field));

	const isGiven = (field: string) =>
		field in body && !(body[field] === null && nullInUpdate === 'omitted');
	const aside: SetAside = {};
	for (const field of settableFields.filter(isGiven)) {
		if (clears(field, body[field])) aside[field] = null;
	}
	const rest = Object.entries(body).filter(([field]) => isGiven(field) && !(field in aside));
	return { body: Object.fromEntries(rest), aside };
}

/**
 * Updates a contact. Interface: UPDATE-1, UPDATE-5, OPEN-9.
 * @param aside what was set aside of the request
 * @throws ServiceError for an unknown contact or an email that another contact has
 */
export function updateContact(
	state: State,
	mode: Mode,
	id: string,
	request: UpdateRequest,
	aside: SetAside,
): Contact {
	const { variants, contacts } = state;
	if (!contacts.find(mode, id)) {
		throw refuse(variants, 'CONTACT_NOT_FOUND', `There is no contact ${id}`);
	}
	checkEmail(state, mode, request.email ?? null, id);
	const lost = variants.omittedFields === 'blanked' ? settableFields : [];
	const given = settableFields.filter((field) => field in request);
	const fields = {
		...Object.fromEntries(lost.map((field) => [field, null])),
		...aside,
		...Object.fromEntries(given.map((field) => [field, request[field]])),
	};
	return contacts.update(mode, id, fields, state.clock.timestamp())!;
}

/**
 * Refuses an email address that another contact of the company has. Interface: CONTACT-2, ERROR-2.
 * @param id the contact that is to have the email, if it exists already
 */
export function checkEmail(state: State, mode: Mode, email: string | null, id?: string): void {
	const { variants, contacts } = state;
	if (!email || !contacts.withEmail(mode, email, id)) return;
	throw refuse(variants, 'EMAIL_TAKEN', `The email ${email} is already used by another contact`);
}
