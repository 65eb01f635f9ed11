import { NodeOperationError } from 'n8n-workflow';
import { listWhole } from '../service/crmWorkspace';
import { momentIn } from '../service/serviceTime';
import { creationParts, updateParts } from './contacts/contactSummary';
import { lastPageOf, pageOf } from './contacts/contactPages';
import { identityDigestOf, type AnyRecord } from './digest';
import { byDate, isOfContact, type EventName, type PendingEvent } from './events';
import type { Poll, ServiceAccess } from './session';
import {
	watchedCollections,
	type WatchedCollection,
} from './wholeCollections/wholeCollectionWatch';

/** If there are more, only the first and the last page of the contacts are read. */
const maxPages = 10;

/**
 * What the editor's Fetch Test Event shows: of each kind that is wanted, the event that its newest
 * record would have made. Nothing of it is remembered.
 * @throws NodeOperationError when there is nothing to show
 * @throws RequestFailure
 */
export async function newestEvents({ context, settings, access }: Poll): Promise<PendingEvent[]> {
	const contacts = settings.events.some(isOfContact) ? await someContacts(access) : [];
	const shown: PendingEvent[] = [];
	for (const event of settings.events) {
		const records = isOfContact(event) ? contacts : await recordsOf(event, access);
		shown.push(...newestOf(event, records));
	}
	if (shown.length > 0) return shown;
	throw new NodeOperationError(context.getNode(), 'There is nothing yet that could be shown', {
		description:
			'The service has no records of the chosen events. Once the workflow is active, it starts when there are some.',
	});
}

async function someContacts(access: ServiceAccess): Promise<AnyRecord[]> {
	const first = await pageOf(access, 1);
	const pages = lastPageOf(1, first) ?? 1;
	const isFew = pages <= maxPages;
	const others = isFew ? Array.from({ length: pages - 1 }, (_, index) => index + 2) : [pages];
	let contacts = first.records;
	for (const page of others) contacts = contacts.concat((await pageOf(access, page)).records);
	return contacts;
}

async function recordsOf(event: EventName, { connection }: ServiceAccess): Promise<AnyRecord[]> {
	const names = Object.keys(watchedCollections) as WatchedCollection[];
	const name = names.find((one) => watchedCollections[one].event === event)!;
	return await listWhole(connection, name, Infinity);
}

/** The event of the newest record, or of the first one where no dates tell; none without records. */
function newestOf(event: EventName, records: AnyRecord[]): PendingEvent[] {
	const { dateOf, partsOf } = makers[event];
	return records
		.map((record) => ({ record, date: dateOf(record) }))
		.sort((one, other) => byDate(other.date, one.date))
		.slice(0, 1)
		.map((one) => ({ event, ...one, parts: partsOf(one.record), remember: () => {} }));
}

/** Makes the date and the parts of a `PendingEvent`. */
interface EventMaker {
	dateOf: (record: AnyRecord) => number;
	partsOf: (record: AnyRecord) => unknown[];
}

const makerOfRecord: EventMaker = {
	dateOf: ({ createdAt }) => momentIn(createdAt),
	partsOf: (record) => [identityDigestOf(record), 0],
};

const makers: Record<EventName, EventMaker> = {
	contactCreated: { dateOf: makerOfRecord.dateOf, partsOf: creationParts },
	contactUpdated: {
		dateOf: ({ createdAt, updatedAt }) => momentIn(updatedAt ?? createdAt),
		partsOf: (contact) => updateParts(contact, 0),
	},
	activityAdded: makerOfRecord,
	taskOverdue: makerOfRecord,
};
