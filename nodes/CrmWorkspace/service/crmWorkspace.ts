import type { IDataObject } from 'n8n-workflow';
import type { Connection } from '../transport/connection';
import { articlesIn, pageIn, recordIn, type Page } from './answers';
import { collections, type WholeCollection } from './collections';
import { errorCodes, explainSend, explainUpdate } from './explanations';
import type { Contact, ContactFields, Message } from './records';

/** Body of `POST /transactional/send`. */
export interface SendRequest {
	to: string;
	templateSlug?: string;
	html?: string;
	subject?: string;
	text?: string;
	variables?: IDataObject;
	replyTo?: string;
	fromName?: string;
	channelId?: string;
	idempotencyKey?: string;
	contactId?: string;
}

/** Interface, `POST /transactional/send`: one message to one recipient. */
export async function sendMessage(connection: Connection, message: SendRequest): Promise<Message> {
	return await connection.request<Message>({
		method: 'POST',
		path: '/transactional/send',
		body: { ...message } as IDataObject,
		isRepeatable: message.idempotencyKey !== undefined,
		read: recordIn,
		knownCodes: Object.values(errorCodes),
		explain: (details) => explainSend(details, message.idempotencyKey !== undefined),
	});
}

/** Interface, `PUT /contacts/{id}`: the updated record. */
export async function updateContact(
	connection: Connection,
	id: string,
	fields: ContactFields,
): Promise<Contact> {
	return await connection.request<Contact>({
		method: 'PUT',
		path: `/contacts/${encodeURIComponent(id)}`,
		body: { ...fields },
		isRepeatable: true,
		read: recordIn,
		explain: (details) => explainUpdate(details, id, fields),
	});
}

/**
 * Interface, "List conventions": one page of `GET /contacts`; `page` counts from 1.
 * @param cancel ends the request as long as it is not under way
 */
export async function listContacts(
	connection: Connection,
	query: { page: number; limit: number; search?: string },
	cancel?: AbortSignal,
): Promise<Page> {
	return await connection.request<Page>({
		method: 'GET',
		path: collections.contacts.path,
		query,
		isRepeatable: true,
		read: pageIn,
		cancel,
	});
}

/**
 * Interface, "Unpaginated list endpoints": the records of a collection. The service sends all of
 * them; the first `limit` are kept.
 */
export async function listWhole(
	connection: Connection,
	collection: WholeCollection,
	limit: number,
): Promise<IDataObject[]> {
	const { records } = await connection.request<Page>({
		method: 'GET',
		path: collections[collection].path,
		isRepeatable: true,
		read: pageIn,
		kept: ({ records: { length } }) => Math.min(1, limit / Math.max(1, length)),
	});
	return records.slice(0, limit);
}

/**
 * Interface, `GET /knowledge-base/articles/search`: up to `limit` matches and how many there are.
 * The interface does not name the parameter of the search term, so the caller does.
 */
export async function searchArticles(
	connection: Connection,
	query: { term: string; parameter: string; limit?: number },
): Promise<Page> {
	return await connection.request<Page>({
		method: 'GET',
		path: collections.knowledgeBaseArticles.path,
		query: { [query.parameter]: query.term, ...(query.limit && { limit: query.limit }) },
		isRepeatable: true,
		read: articlesIn,
		kept: () => 1,
	});
}
