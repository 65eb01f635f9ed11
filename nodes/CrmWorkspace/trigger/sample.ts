import { NodeOperationError } from 'n8n-workflow';
import { listWhole } from '../service/crmWorkspace';
import { momentIn } from '../service/moment';
import { creationParts, summaryOf, updateParts } from './contacts/contactSummary';
import { pageOf, pagesOf } from './contacts/contactWalk';
import { identityDigestOf, type AnyRecord } from './digest';
import { byDate, isOfContact, type EventName, type PendingEvent } from './events';
import type { Poll, ServiceAccess } from './session';
import {
	watchedCollections,
	type WatchedCollection,
} from './wholeCollections/wholeCollectionWatch';

/** How many events are shown in the editor. */
const mostShown = 10;

/** Up to so many pages all contacts are read; if there are more, the first and the last page. */
const mostPages = 10;

/**
 * What the editor's Fetch Test Event shows: up to ten events as the newest records would have made
 * them, of each kind that is wanted in turn. Nothing of it is remembered.
 * @throws NodeOperationError when there is nothing to show
 */
export async function newest({ context, settings, access }: Poll): Promise<PendingEvent[]> {
	const contacts = settings.events.some(isOfContact) ? await someContacts(access) : [];
	const kinds: PendingEvent[][] = [];
	for (const event of settings.events) {
		kinds.push(isOfContact(event) ? ofContacts(event, contacts) : await ofRecords(event, access));
	}
	const shown = alternating(kinds).slice(0, mostShown);
	if (shown.length > 0) return shown;
	throw new NodeOperationError(context.getNode(), 'There is nothing yet that could be shown', {
		description:
			'The service has no records of the chosen events. Once the workflow is active, it starts when there are some.',
	});
}

async function someContacts(access: ServiceAccess): Promise<AnyRecord[]> {
	const first = await pageOf(access, 1);
	const pages = pagesOf(first) ?? 1;
	const isFew = pages <= mostPages;
	const others = isFew ? Array.from({ length: pages - 1 }, (_, index) => index + 2) : [pages];
	let contacts = first.records;
	for (const page of others) contacts = contacts.concat((await pageOf(access, page)).records);
	return contacts;
}

function ofContacts(event: EventName, contacts: AnyRecord[]): PendingEvent[] {
	const isCreation = event === 'contactCreated';
	const dateOf = (contact: AnyRecord) => {
		const { createdAt, latest } = summaryOf(contact);
		return isCreation ? createdAt : latest;
	};
	const partsOf = (contact: AnyRecord) => {
		const summary = summaryOf(contact);
		return isCreation ? creationParts(contact, summary) : updateParts(contact, summary, 0);
	};
	return shownAs(event, contacts, { dateOf, partsOf });
}

async function ofRecords(event: EventName, { connection }: ServiceAccess): Promise<PendingEvent[]> {
	const names = Object.keys(watchedCollections) as WatchedCollection[];
	const name = names.find((one) => watchedCollections[one].event === event)!;
	const records = await listWhole(connection, name, Infinity);
	return shownAs(event, records, {
		dateOf: ({ createdAt }) => momentIn(createdAt),
		partsOf: (record) => [identityDigestOf(record), 0],
	});
}

/** How an example event is made of a record. */
interface Making {
	dateOf: (record: AnyRecord) => number;
	partsOf: (record: AnyRecord) => unknown[];
}

/** Example events of the newest records, at most as many as are shown. */
function shownAs(
	event: EventName,
	records: AnyRecord[],
	{ dateOf, partsOf }: Making,
): PendingEvent[] {
	return records
		.map((record) => ({ record, date: dateOf(record) }))
		.sort((one, other) => byDate(other.date, one.date))
		.slice(0, mostShown)
		.map((one) => ({ event, ...one, parts: partsOf(one.record), remember: () => {} }));
}

/** One of each, then the second of each, and so on. */
function alternating<Item>(lists: Item[][]): Item[] {
	const longest = Math.max(0, ...lists.map(({ length }) => length));
	return Array.from({ length: longest }, (_, index) =>
		lists.flatMap((list) => (index < list.length ? [list[index]] : [])),
	).flat();
}
