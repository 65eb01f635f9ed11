/** What the service is asked for and returns: its collections and their records. */
import type { JsonObject } from '../client/request';

/**
 * The collections that the interface lists, by their names in saved workflows. A further one of which
 * the service returns every record at once needs nothing more than its entry.
 *
 * Interface: WORK-2, LIST-1, LIST-12, WHOLE-1, WHOLE-4, WHOLE-5, WHOLE-6, WHOLE-7, ARTICLE-1,
 * ARTICLE-2, OPEN-1.
 */
export const collections = {
	contacts: { label: 'Contacts', path: '/contacts' },
	activities: { label: 'Activities', path: '/activities' },
	widgets: { label: 'Widgets', path: '/widgets' },
	overdueTasks: { label: 'Overdue Tasks', path: '/tasks/overdue' },
	knowledgeBaseCategories: {
		label: 'Knowledge Base Categories',
		path: '/knowledge-base/categories',
	},
	knowledgeBaseArticles: {
		label: 'Knowledge Base Articles',
		path: '/knowledge-base/articles/search',
	},
} as const;

export type Collection = keyof typeof collections;

/** One of which the service returns every record at once. */
export type WholeCollection = Exclude<Collection, 'contacts' | 'knowledgeBaseArticles'>;

/**
 * Body of `POST /transactional/send`.
 * Interface: SEND-6, SEND-7, SEND-9, SEND-10, SEND-13, SEND-15, SEND-17, SEND-19, SEND-20,
 * SEND-21, SEND-24, SEND-25.
 */
export interface SendRequest {
	to: string;
	templateSlug?: string;
	html?: string;
	subject?: string;
	text?: string;
	variables?: JsonObject;
	replyTo?: string;
	fromName?: string;
	channelId?: string;
	idempotencyKey?: string;
	contactId?: string;
}

/** The most that the html of a send may have, in bytes of UTF-8. Interface: SEND-11. */
export const maxHtmlBytes = 256 * 1024;

/**
 * What a send returns: the fields that the node reads. The service may omit and add any.
 * Interface: MESSAGE-1, MESSAGE-2, MESSAGE-3, MESSAGE-4, MESSAGE-5, MESSAGE-6, MESSAGE-7,
 * MESSAGE-8, MESSAGE-9, MESSAGE-10, MESSAGE-11, MESSAGE-12, MESSAGE-13, MESSAGE-14, MESSAGE-15,
 * MESSAGE-16, MESSAGE-17, MESSAGE-18, MESSAGE-19, MESSAGE-20, MESSAGE-21, MESSAGE-22, OPEN-2,
 * OPEN-3, OPEN-4.
 */
export interface Message {
	/** `rejected` is the only value that the interface names. */
	status?: string;
	error?: string;
	errorReason?: string;
	/** `Permanent` is the only value that the interface names. */
	bounceType?: string;
	createdAt?: string;
	deliveredAt?: string;
	[field: string]: unknown;
}

/** The fields of a message, in the order of the interface. */
export const messageFieldNames = [
	...['id', 'status', 'to', 'subject', 'templateSlug', 'from', 'fromName', 'replyTo', 'messageId'],
	...['idempotencyKey', 'source', 'attemptCount', 'error', 'errorReason', 'bounceType'],
	...['createdAt', 'sentAt', 'deliveredAt', 'bouncedAt', 'complainedAt'],
];

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

/** What `source` may be on input. Interface: CONTACT-12. */
export const contactSources = [
	'website',
	'referral',
	'cold_call',
	'marketing',
	'trade_show',
	'partner',
] as const;

/** The fields of `ContactFields`, in the order of the interface. Interface: UPDATE-3, CONTACT-4. */
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

export type ContactFieldName = keyof ContactFields;

/**
 * Body of `PUT /contacts/{id}`: the ten fields that can be set, all of them optional. Null stands
 * for no value where a format has no empty text; the interface does not say whether it may be sent.
 * Interface: UPDATE-3, UPDATE-4, OPEN-7.
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

/**
 * A contact. Any field but the ID may be absent or null.
 * Interface: CONTACT-3, CONTACT-4, CONTACT-5, CONTACT-6, CONTACT-7, CONTACT-8, CONTACT-9,
 * CONTACT-10, CONTACT-11, CONTACT-12, CONTACT-13, CONTACT-14, CONTACT-15, CONTACT-16, OPEN-7.
 */
export type Contact = JsonObject & { id: string };

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

/** The fields of a contact. */
export const allContactFields = ['id', ...contactFieldNames, 'companyId', 'createdAt', 'updatedAt'];

/** What a person knows a contact by. */
export function nameContact({ email, id }: Contact): string {
	return String(email || id);
}

/** Whether a contact was read, so that more than its ID is known. */
export function isRead(contact: Contact): boolean {
	return Object.keys(contact).length > 1;
}

/** A record reduced to the named fields, in their order; absent ones stay absent. */
export function pickFields(record: object, fields: readonly string[]): JsonObject {
	const from = record as JsonObject;
	const known = fields.filter((field) => from[field] !== undefined);
	return Object.fromEntries(known.map((field) => [field, from[field]]));
}
