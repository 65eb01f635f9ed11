import type { IDataObject } from 'n8n-workflow';
import type { ContactFields } from '../../service/records';

/**
 * Whether a contact has all these values already. The order of tags does not matter; absent, null
 * and empty text are alike.
 */
export function isUnchanged(contact: IDataObject, fields: ContactFields): boolean {
	return Object.entries(fields).every(
		([name, value]) => comparable(contact[name]) === comparable(value),
	);
}

/** All settable fields: those of `fields`, and the current values of the others. */
export function withCurrentValues(
	contact: IDataObject,
	fields: ContactFields,
	names: ReadonlyArray<keyof ContactFields>,
): ContactFields {
	const current = names
		.filter((name) => contact[name] !== undefined && contact[name] !== null)
		.map((name) => [name, contact[name]]);
	return { ...(Object.fromEntries(current) as ContactFields), ...fields };
}

function comparable(value: unknown): string {
	return Array.isArray(value) ? JSON.stringify([...value].sort()) : String(value ?? '');
}
