/** Interface, "Message (result of a send)". Whatever the service leaves out or adds is tolerated. */
export interface Message {
	id?: string;
	/** `rejected` is the only value that the interface names. */
	status?: string;
	to?: string;
	/** As rendered. */
	subject?: string;
	templateSlug?: string;
	from?: string;
	fromName?: string;
	replyTo?: string;
	/** The provider's own identifier. */
	messageId?: string;
	idempotencyKey?: string;
	source?: string;
	attemptCount?: number;
	error?: string;
	errorReason?: string;
	/** `Permanent` is the only value that the interface names. */
	bounceType?: string;
	createdAt?: string;
	sentAt?: string;
	deliveredAt?: string;
	bouncedAt?: string;
	complainedAt?: string;
	[field: string]: unknown;
}

/** The useful fields of a message, the most useful first: what `Simplify` leaves. */
export const simplifiedMessageFields = [
	'id',
	'status',
	'to',
	'subject',
	'templateSlug',
	'idempotencyKey',
	'messageId',
	'errorReason',
	'createdAt',
	'sentAt',
] as const;

/** Interface, "Contact", input restriction of `source`. */
export const contactSources = [
	'website',
	'referral',
	'cold_call',
	'marketing',
	'trade_show',
	'partner',
] as const;

/** The fields of `ContactFields`, in the order of the interface. */
export const contactFieldNames = [
	'firstName',
	'lastName',
	'email',
	'phone',
	'company',
	'jobTitle',
	'accountId',
	'source',
	'tags',
	'notes',
] as const satisfies ReadonlyArray<keyof ContactFields>;

/** The name of a field that can be set. */
export type ContactFieldName = keyof ContactFields;

/**
 * Body of `PUT /contacts/{id}`: the ten fields that can be set, all of them optional. Null stands
 * for no value where a format has no empty text; the interface does not say whether it may be sent.
 */
export interface ContactFields {
	firstName?: string;
	lastName?: string;
	email?: string | null;
	phone?: string;
	company?: string;
	jobTitle?: string;
	accountId?: string | null;
	source?: string | null;
	tags?: string[];
	notes?: string;
}

/** Interface, "Contact". Which fields are always present or may be null is not shown. */
export interface Contact {
	id?: string;
	companyId?: string;
	email?: string | null;
	firstName?: string | null;
	lastName?: string | null;
	company?: string | null;
	createdAt?: string;
	updatedAt?: string;
	[field: string]: unknown;
}

/** The useful fields of a contact, the most useful first: what `Simplify` leaves. */
export const simplifiedContactFields = [
	'id',
	'email',
	'firstName',
	'lastName',
	'phone',
	'company',
	'jobTitle',
	'source',
	'tags',
	'updatedAt',
] as const;

/** A record reduced to the named fields, in their order; absent ones stay absent. */
export function simplified(
	record: Record<string, unknown>,
	fields: readonly string[],
): Record<string, unknown> {
	return Object.fromEntries(
		fields.filter((field) => record[field] !== undefined).map((field) => [field, record[field]]),
	);
}
