import { isDeepStrictEqual } from 'node:util';

import { settableFields, type Contact, type ContactFields } from '../data/contacts.mts';
import type { Mode } from '../identity.mts';
import type { Variants } from '../variants.mts';
import type { State } from '../state.mts';
import { invalid, ServiceError } from './errors.mts';
import { extraEnvelopeFields } from './presentation.mts';
import type { UpdateRequest } from './schemas.mts';

/** Fields whose format has no empty text: to clear them there has to be a way of its own. */
const fieldsWithFormat = ['email', 'accountId', 'source'];

/** Fields of an update that need not keep the interface's field rules, and what is stored of them. */
export type SetAside = Partial<ContactFields>;

/**
 * Sets aside what clears a field, and what a contact has already if the service takes that back:
 * only the rest has to keep the field rules. A null that stands for nothing is left out.
 * @param stored the contact as it is, if there is one
 */
export function setAside(
	body: Record<string, unknown>,
	stored: Contact | undefined,
	{ clearingValue, nullInUpdate, unchangedValues }: Variants,
): { body: Record<string, unknown>; aside: SetAside } {
	const byNull = clearingValue === 'null' || clearingValue === 'nullOrEmpty';
	const byEmpty = clearingValue === 'empty' || clearingValue === 'nullOrEmpty';
	const clears = (field: string, value: unknown) =>
		(byNull && value === null) || (byEmpty && value === '' && fieldsWithFormat.includes(field));

	const isGiven = (field: string) =>
		field in body && !(body[field] === null && nullInUpdate === 'omitted');
	const aside: SetAside = {};
	for (const field of settableFields.filter(isGiven)) {
		const isStored = isDeepStrictEqual(body[field], stored?.[field]);
		if (clears(field, body[field])) aside[field] = null;
		else if (unchangedValues === 'taken' && isStored)
			Object.assign(aside, { [field]: body[field] });
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
		const message = `There is no contact ${id}`;
		throw new ServiceError(variants.unknownContactStatus, 'CONTACT_NOT_FOUND', message);
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
	if (!email || !contacts.withEmail(mode, email, id, variants.emailComparison)) return;
	const message = `The email ${email} is already used by another contact`;
	throw new ServiceError(variants.emailTakenStatus, 'EMAIL_TAKEN', message);
}

/** Refuses fields the interface does not name, when a variant does not ignore them. */
export function checkFieldNames(
	variants: Variants,
	body: Record<string, unknown>,
	known: readonly string[],
): void {
	if (variants.unknownFields === 'ignored') return;
	const unknown = Object.keys(body).filter((field) => !known.includes(field));
	if (unknown.length > 0) throw invalid(variants, `Unknown field: ${unknown.join(', ')}`);
}

/**
 * What comes back of an update that was made. Interface: UPDATE-6.
 * @param before the record as the service showed it before
 * @param shown the record as the service shows it now
 */
export function updateAnswer(
	before: Record<string, unknown>,
	shown: Record<string, unknown>,
	variants: Variants,
): unknown {
	const part = Object.entries(shown).filter(
		([name, value]) => name === 'id' || !isDeepStrictEqual(value, before[name]),
	);
	const answers: Record<Variants['updateAnswer'], unknown> = {
		record: { data: shown, ...extraEnvelopeFields(variants) },
		changedFields: { data: Object.fromEntries(part) },
		listOfOne: { data: [shown] },
		nullData: { data: null },
		emptyObject: {},
		success: { success: true },
		null: null,
		text: 'OK',
	};
	return answers[variants.updateAnswer];
}
