import { settableFields, type Contact } from '../data/contacts.mts';
import type { Mode } from '../identity.mts';
import type { Readings } from '../readings.mts';
import type { State } from '../state.mts';
import { invalid, ServiceError } from './errors.mts';
import type { UpdateRequest } from './schemas.mts';

/** Fields whose format has no empty text: to clear them there has to be a way of its own. */
const fieldsWithFormat = ['email', 'accountId', 'source'];

/**
 * Tells the values that clear a field from those that set one, so that only the latter have to
 * keep the interface's field rules.
 * @returns the body without the fields to clear, and their names
 */
export function withoutCleared(
	body: Record<string, unknown>,
	{ clearingValue }: Readings,
): { body: Record<string, unknown>; cleared: string[] } {
	const byNull = clearingValue === 'null' || clearingValue === 'nullOrEmpty';
	const byEmpty = clearingValue === 'empty' || clearingValue === 'nullOrEmpty';
	const clears = (field: string, value: unknown) =>
		(byNull && value === null) || (byEmpty && value === '' && fieldsWithFormat.includes(field));
	const settable: readonly string[] = settableFields;
	const cleared = Object.keys(body).filter(
		(field) => settable.includes(field) && clears(field, body[field]),
	);
	const kept = Object.entries(body).filter(([field]) => !cleared.includes(field));
	return { body: Object.fromEntries(kept), cleared };
}

/**
 * Updates a contact. Interface, PUT /contacts/{id}.
 * @param cleared names of the fields that lose their value
 * @throws ServiceError for an unknown contact or an email that another contact has
 */
export function updateContact(
	state: State,
	mode: Mode,
	id: string,
	request: UpdateRequest,
	cleared: string[],
): Contact {
	const { readings, contacts } = state;
	if (!contacts.find(mode, id)) {
		const message = `There is no contact ${id}`;
		throw new ServiceError(readings.unknownContactStatus, 'CONTACT_NOT_FOUND', message);
	}
	checkEmail(state, mode, request.email ?? null, id);
	const lost = readings.omittedFields === 'blanked' ? settableFields : cleared;
	const fields = {
		...Object.fromEntries(lost.map((field) => [field, null])),
		...Object.fromEntries(
			settableFields.filter((field) => field in request).map((field) => [field, request[field]]),
		),
	};
	return contacts.update(mode, id, fields, state.clock.timestamp())!;
}

/**
 * Interface, Contact, email: 'unique per company'.
 * @param id the contact that is to have the email, if it exists already
 */
export function checkEmail(state: State, mode: Mode, email: string | null, id?: string): void {
	const { readings, contacts } = state;
	if (!email || !contacts.withEmail(mode, email, id, readings.emailComparison)) return;
	const message = `The email ${email} is already used by another contact`;
	throw new ServiceError(readings.emailTakenStatus, 'EMAIL_TAKEN', message);
}

/** Refuses fields the interface does not name, when a reading does not ignore them. */
export function checkFieldNames(
	readings: Readings,
	body: Record<string, unknown>,
	known: readonly string[],
): void {
	if (readings.unknownFields === 'ignored') return;
	const unknown = Object.keys(body).filter((field) => !known.includes(field));
	if (unknown.length > 0) throw invalid(readings, `Unknown field: ${unknown.join(', ')}`);
}
