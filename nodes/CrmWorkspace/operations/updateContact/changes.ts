import { toCanonical } from '../../service/contactValues';
import { normalizedEmail } from '../../service/formats';
import { trimmed } from '../../text/plainText';
import {
	contactFieldNames,
	type ContactFieldName,
	type ContactFields,
} from '../../service/records';

/** The values of a record, whatever fields the service gives it. */
type Values = Readonly<Record<string, unknown>>;

/**
 * The old and the new value of each field that differs; null stands for none. There is no old one
 * where it is not known.
 */
export type Changes = Record<string, { old?: unknown; new: unknown }>;

/** In which of these fields a contact differs from an earlier state of it. */
export function changesBetween(
	earlier: Values,
	later: Values,
	names: readonly ContactFieldName[],
): Changes {
	const changed = names.filter((name) => !isSameValue(name, earlier[name], later[name]));
	return Object.fromEntries(
		changed.map((name) => [name, { old: earlier[name] ?? null, new: later[name] ?? null }]),
	);
}

export function isUnchanged(contact: Values, fields: ContactFields): boolean {
	return Object.entries(fields).every(([name, value]) => isSameValue(name, contact[name], value));
}

/** Whether two values of a field are the same but for their form: see `toCanonical`. */
export function isSameValue(name: string, one: unknown, other: unknown): boolean {
	return one === other || toCanonical(name, one) === toCanonical(name, other);
}

/**
 * The current values of the fields that are not written. What has no value is left out: there is
 * nothing to lose, and the interface does not say how an empty value is written.
 */
export function otherValues(contact: Values, written: ContactFields): ContactFields {
	const others = contactFieldNames.filter(
		(name) => !(name in written) && !isSameValue(name, contact[name], undefined),
	);
	return Object.fromEntries(others.map((name) => [name, contact[name]])) as ContactFields;
}

/**
 * The fields to write, the email address spelled as the contact's own if it is the same address:
 * a row that names its contact by email is not meant to change it.
 */
export function withKnownEmail(contact: Values, fields: ContactFields): ContactFields {
	const { email } = fields;
	const isOwn = email && normalizedEmail(email) === normalizedEmail(contact.email);
	return isOwn ? { ...fields, email: trimmed(contact.email as string) } : fields;
}
