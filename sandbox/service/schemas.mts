import { contactSources } from '../data/contacts.mts';
import type { ContactFields } from '../data/contacts.mts';
import type { Variables } from './tokens.mts';

const text = { type: 'string' } as const;
const someText = { type: 'string', minLength: 1 } as const;
const email = { type: 'string', format: 'email' } as const;
const uuid = { type: 'string', format: 'uuid' } as const;

/**
 * The body of a send.
 *
 * Interface: SEND-6, SEND-7, SEND-9, SEND-13, SEND-15, SEND-17, SEND-19, SEND-20, SEND-21,
 * SEND-24, SEND-25.
 */
export interface SendRequest extends Partial<Record<OptionalText, string>> {
	to: string;
	variables?: Variables;
}
type OptionalText = Exclude<keyof typeof sendSchema.properties, 'to' | 'variables'>;

export const sendSchema = {
	type: 'object',
	required: ['to'],
	properties: {
		to: email,
		templateSlug: someText,
		html: someText,
		subject: someText,
		text,
		variables: { type: 'object' },
		replyTo: email,
		fromName: text,
		channelId: uuid,
		idempotencyKey: someText,
		contactId: uuid,
	},
} as const;

/** The body of an update. Interface: UPDATE-3, UPDATE-4. */
export type UpdateRequest = Partial<ContactFields>;

export const updateSchema = {
	type: 'object',
	properties: {
		firstName: text,
		lastName: text,
		email,
		phone: text,
		company: text,
		jobTitle: text,
		accountId: uuid,
		source: { type: 'string', enum: contactSources },
		tags: { type: 'array', items: text },
		notes: text,
	},
} as const;

/** Which contact an update is of. Interface: UPDATE-2. */
export const contactPathSchema = {
	type: 'object',
	required: ['id'],
	properties: { id: uuid },
} as const;

/** The query of a paginated list, as text. Interface: LIST-8, LIST-9, LIST-10, LIST-11. */
export type ListQuery = Partial<Record<keyof typeof listQuerySchema.properties, string>>;

export const listQuerySchema = {
	type: 'object',
	properties: { page: text, limit: text, search: text },
} as const;

/** The article search: the parameter of the term has one of several names. */
export const articleQuerySchema = {
	type: 'object',
	properties: { limit: text, q: text, search: text, query: text, term: text },
} as const;
