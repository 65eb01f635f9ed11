import { NodeOperationError } from 'n8n-workflow';
import { listWhole } from '../service/crmWorkspace';
import { momentIn } from '../service/moment';
import { creationParts, printOf, updateParts } from './contacts/contactPrint';
import { pageOf, pagesOf } from './contacts/contactWalk';
import { identityOf, type AnyRecord } from './digest';
import { byDate, isOfContact, type EventName, type Sighting } from './events';
import type { Poll, Source } from './session';
import { rosters, type RosterName } from './rosters/rosterWatch';

/** How many events the editor is shown. */
const mostShown = 10;

/** Up to so many pages all contacts are looked at; of more, the first and the last page. */
const mostPages = 10;

/**
 * What the editor's Fetch Test Event shows: up to ten events as the newest records would have made
 * them, of each kind that is wanted in turn. Nothing of it is remembered.
 * @throws NodeOperationError when there is nothing to show
 */
export async function newest({ context, settings, source }: Poll): Promise<Sighting[]> {
	const contacts = settings.events.some(isOfContact) ? await someContacts(source) : [];
	const kinds: Sighting[][] = [];
	for (const event of settings.events) {
		kinds.push(isOfContact(event) ? ofContacts(event, contacts) : await ofRecords(event, source));
	}
	const shown = alternating(kinds).slice(0, mostShown);
	if (shown.length > 0) return shown;
	throw new NodeOperationError(context.getNode(), 'There is nothing yet that could be shown', {
		description:
			'The service has no records of the chosen events. Once the workflow is active, it starts when there are some.',
	});
}

async function someContacts(source: Source): Promise<AnyRecord[]> {
	const first = await pageOf(source, 1);
	const pages = pagesOf(first) ?? 1;
	const isFew = pages <= mostPages;
	const others = isFew ? Array.from({ length: pages - 1 }, (_, index) => index + 2) : [pages];
	let contacts = first.records;
	for (const page of others) contacts = contacts.concat((await pageOf(source, page)).records);
	return contacts;
}

function ofContacts(event: EventName, contacts: AnyRecord[]): Sighting[] {
	const isCreation = event === 'contactCreated';
	const dateOf = (contact: AnyRecord) => {
		const { createdAt, latest } = printOf(contact);
		return isCreation ? createdAt : latest;
	};
	const partsOf = (contact: AnyRecord) => {
		const print = printOf(contact);
		return isCreation ? creationParts(contact, print) : updateParts(contact, print, 0);
	};
	return shownAs(event, contacts, { dateOf, partsOf });
}

async function ofRecords(event: EventName, { connection }: Source): Promise<Sighting[]> {
	const names = Object.keys(rosters) as RosterName[];
	const name = names.find((one) => rosters[one].event === event)!;
	const records = await listWhole(connection, name, Infinity);
	return shownAs(event, records, {
		dateOf: ({ createdAt }) => momentIn(createdAt),
		partsOf: (record) => [identityOf(record), 0],
	});
}

/** How an event would be made of a record. */
interface Making {
	dateOf: (record: AnyRecord) => number;
	partsOf: (record: AnyRecord) => unknown[];
}

/** The newest as events, no more than can be shown. */
function shownAs(event: EventName, records: AnyRecord[], { dateOf, partsOf }: Making): Sighting[] {
	return records
		.map((record) => ({ record, date: dateOf(record) }))
		.sort((one, other) => byDate(other.date, one.date))
		.slice(0, mostShown)
		.map((one) => ({ event, ...one, parts: partsOf(one.record), note: () => {} }));
}

/** One of each, then the second of each, and so on. */
function alternating<Item>(lists: Item[][]): Item[] {
	const longest = Math.max(0, ...lists.map(({ length }) => length));
	return Array.from({ length: longest }, (_, index) =>
		lists.flatMap((list) => (index < list.length ? [list[index]] : [])),
	).flat();
}
