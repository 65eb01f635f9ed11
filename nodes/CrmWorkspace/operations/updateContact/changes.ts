import type { ContactFields } from '../../service/records';

/** The values of a record, whatever fields the service gives it. */
type Values = Readonly<Record<string, unknown>>;

/**
 * Whether a contact has all these values already. The order of tags and the case of email
 * addresses do not matter; absent, null and empty are alike.
 */
export function isUnchanged(contact: Values, fields: ContactFields): boolean {
	return Object.entries(fields).every(
		([name, value]) => comparable(name, contact[name]) === comparable(name, value),
	);
}

/**
 * The given fields, and the current values of all others named. What has no value is left out:
 * there is nothing to lose, and the interface does not say how an empty value is written.
 */
export function withCurrentValues(
	contact: Values,
	fields: ContactFields,
	names: ReadonlyArray<keyof ContactFields>,
): ContactFields {
	const current = names
		.filter((name) => comparable(name, contact[name]) !== '')
		.map((name) => [name, contact[name]]);
	return { ...(Object.fromEntries(current) as ContactFields), ...fields };
}

/**
 * The fields to write, the email address spelled as the contact's own if it is the same address:
 * a row that names its contact by email is not meant to change it.
 */
export function withKnownEmail(contact: Values, fields: ContactFields): ContactFields {
	const { email } = fields;
	const isSame = email && normalizedEmail(email) === normalizedEmail(contact.email);
	return isSame ? { ...fields, email: contact.email as string } : fields;
}

/** An email address as it is compared: without white space around it, whatever its case. */
export function normalizedEmail(email: unknown): string {
	// Some signs share their lower-case form with another letter, and are not that letter.
	return String(email ?? '')
		.trim()
		.replace(/./gu, (sign) => {
			const lower = sign.toLowerCase();
			return lower.toUpperCase() === sign ? lower : sign;
		});
}

function comparable(name: string, value: unknown): string {
	if (Array.isArray(value)) {
		return value.length === 0 ? '' : JSON.stringify([...new Set(value)].sort());
	}
	return name === 'email' ? normalizedEmail(value) : String(value ?? '');
}
