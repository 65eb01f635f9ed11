/**
 * The interface of the service as code: a function for each endpoint. A response that isn't as the
 * interface says is a failure. Reads no parameter, and of n8n only types.
 */
import type { IDataObject } from 'n8n-workflow';
import type { Connection } from '../transport/connection';
import {
	toArticles,
	toContact,
	toMessage,
	toPage,
	toRecords,
	type Articles,
	type Page,
} from './responses';
import { collections, type WholeCollection } from './collections';
import { explainSend, explainUpdate } from './explanations';
import type { Contact, ContactFields, Message, SendRequest } from './records';
import { computeStart, isOlder } from './serviceTime';

/** The most records that one page of a paginated list holds. Interface: LIST-10. */
export const maxPageSize = 100;

export interface AcceptedMessage {
	message: Message;
	/**
	 * Whether the answer shows that the service had it before: an earlier request with its idempotency
	 * key has sent it, before this one and before `began`. Interface: KEY-2.
	 */
	wasSentBefore: boolean;
}

/**
 * Sends one message to one recipient. Interface: SEND-1, SEND-2, SEND-26, KEY-1.
 * @param began a moment from which on it may have been sent and counts as sent now, in ms since 1970
 */
export async function sendMessage(
	connection: Connection,
	message: SendRequest,
	began = Infinity,
): Promise<AcceptedMessage> {
	const hasKey = message.idempotencyKey !== undefined;
	return await connection.request<AcceptedMessage>({
		method: 'POST',
		path: '/transactional/send',
		body: { ...message } as IDataObject,
		isIdempotent: hasKey,
		read(response, sinceMs) {
			const accepted = toMessage(response);
			if (!accepted) return undefined;
			const sinceBegan = Math.max(sinceMs, Date.now() - began);
			const isOld = isOlder(accepted.createdAt, computeStart(response.headers, sinceBegan));
			return { message: accepted, wasSentBefore: hasKey && isOld };
		},
		explain: (details) => explainSend(details, message),
	});
}

/** Updates a contact, of which maybe only the ID is known; brings the updated record. Interface: UPDATE-1, UPDATE-2, UPDATE-6. */
export async function updateContact(
	connection: Connection,
	{ id, email }: Contact,
	fields: ContactFields,
): Promise<Contact> {
	return await connection.request<Contact>({
		method: 'PUT',
		path: `/contacts/${encodeURIComponent(id)}`,
		body: { ...fields },
		isIdempotent: true,
		read: (response) => toContact(response, id),
		explain: (details) => explainUpdate(details, id, (fields.email ?? email) !== email),
	});
}

/** One page of `GET /contacts`; `page` counts from 1. Interface: LIST-8, LIST-9, LIST-11, LIST-12. */
export async function listContacts(
	connection: Connection,
	{ search, ...page }: { page: number; limit: number; search?: string },
): Promise<Page> {
	return await connection.request<Page>({
		method: 'GET',
		path: collections.contacts.path,
		query: { ...page, ...(search && { search }) },
		isIdempotent: true,
		read: toPage,
	});
}

/** Every record of a collection of which the service returns all. Interface: WHOLE-1, WHOLE-3. */
export async function listWhole(
	connection: Connection,
	collection: WholeCollection,
): Promise<IDataObject[]> {
	return await connection.request<IDataObject[]>({
		method: 'GET',
		path: collections[collection].path,
		isIdempotent: true,
		read: toRecords,
	});
}

/**
 * Up to `limit` articles that match, and how many there are. The caller says how the parameter of
 * the search term is called. Interface: ARTICLE-1, ARTICLE-3, ARTICLE-4, ARTICLE-5, OPEN-11.
 */
export async function searchArticles(
	connection: Connection,
	query: { term: string; parameter: string; limit: number },
): Promise<Articles> {
	return await connection.request<Articles>({
		method: 'GET',
		path: collections.knowledgeBaseArticles.path,
		query: { [query.parameter]: query.term, limit: query.limit },
		isIdempotent: true,
		read: toArticles,
	});
}
