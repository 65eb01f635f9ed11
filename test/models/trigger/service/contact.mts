import { contactFields } from '../../harness/contacts.mts';
import type { Contact } from './contacts.mts';
import type { Variants } from '../history.mts';

export type ContactField = (typeof contactFields)[number];

export type Fields = Partial<Record<ContactField, string>>;

/** A contact as answers show it, from one change to the next. */
export interface Version {
	json: string;
	fields: Fields;
	/** The same text for the same values. */
	values: string;
	/** As shown, in ms since 1970. */
	createdAt?: number;
	updatedAt?: number;
	/** How often anything had changed that an update can set. */
	changes: number;
	/** Whether nothing was created, or updated, later when it came into being. */
	isLastCreated: boolean;
	isLastUpdated: boolean;
}

/** When everything was created where a migration left one moment. */
const migration = Date.UTC(2029, 0, 1);

/** How the service shows a contact. */
export function shown(
	contact: Contact,
	variants: Variants,
	last: Pick<Version, 'isLastCreated' | 'isLastUpdated'>,
): Version {
	const { stamps } = variants;
	const stamp = (at: number, name: 'createdAt' | 'updatedAt') =>
		contact.hasStamps && (stamps === 'both' || stamps === name) ? stamped(at, variants) : undefined;
	const createdAt = stamp(contact.createdAt, 'createdAt');
	const updatedAt = stamp(contact.updatedAt, 'updatedAt');
	const record: Record<string, unknown> = { id: contact.id, companyId: 'company-1' };
	for (const [index, name] of contactFields.entries()) {
		const value = contact.fields[name];
		record[name] =
			value === undefined ? blank(name, index, contact, variants) : written(name, value, contact);
	}
	if (variants.hasRevisions) record.revision = contact.revision;
	const json = JSON.stringify({ ...record, score: contact.score, createdAt, updatedAt });
	return {
		json,
		fields: { ...contact.fields },
		values: JSON.stringify(contactFields.map((name) => contact.fields[name] ?? null)),
		createdAt: createdAt === undefined ? undefined : Date.parse(createdAt),
		updatedAt: updatedAt === undefined ? undefined : Date.parse(updatedAt),
		changes: contact.changes,
		...last,
	};
}

/** The same value in one form or another: tags in any order, lines and letters in two ways. */
function written(name: string, value: string, { forms }: Contact): unknown {
	const isOther = forms % 2 === 1;
	if (name === 'tags') return isOther ? value.split(' ').reverse() : value.split(' ');
	if (name !== 'notes') return value;
	return isOther ? `Noël\n${value}` : `Noe\u0308l\r\n${value}`;
}

/** A missing value; `undefined` is left out of the JSON. */
function blank(name: string, index: number, { blanks }: Contact, variants: Variants): unknown {
	const empty = name === 'tags' ? [] : '';
	const forms = [null, undefined, empty];
	const fixed = { null: 0, absent: 1, empty: 2 };
	return variants.blanks === 'mixed'
		? forms[Math.floor(blanks / 3 ** index) % 3]
		: forms[fixed[variants.blanks]];
}

function stamped(at: number, { form }: Variants): string {
	if (form === 'all equal') return new Date(migration).toISOString();
	if (form === 's') return new Date(at).toISOString().replace(/\.\d+Z/, 'Z');
	if (form === 'ms') return new Date(at).toISOString();
	return new Date(at + 7_200_000).toISOString().replace('Z', '+02:00');
}

/** The fields in which two versions differ. */
export function differing(a: Version, b: Version): ContactField[] {
	return contactFields.filter((name) => a.fields[name] !== b.fields[name]);
}
