/** What one poll finds: new events, or the test event of the editor. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { listContacts, listWhole, maxPageSize } from '../api/endpoints';
import { parseTime } from '../api/formats';
import {
	contactFieldNames,
	pickFields,
	simplifiedContactFields,
	type ContactFieldName,
} from '../api/records';
import type { Client, JsonObject } from '../client/request';
import { yieldToEventLoop } from '../common/tasks';
import { ExplainedError } from '../common/text';
import { readInTime } from './contactReader';
import { buildCreatedEvent, buildUpdatedEvent, digestContact, toSeconds } from './contactSnapshot';
import { ContactWatch } from './contactWatch';
import {
	computeEventKey,
	computeIdentity,
	isOfContact,
	selectEvents,
	type EventName,
	type PendingEvent,
} from './events';
import { RecordWatch, watchedCollections } from './recordWatch';
import type { Settings } from './settings';
import type { StoredState } from './state';
import { texts } from './texts';

export interface Found {
	events: PendingEvent[];
	/** What n8n has to store afterwards; undefined for nothing. */
	state?: StoredState;
}

/**
 * Looks for events since the last poll.
 * @param state what the last poll has stored
 * @param key digest of the API key
 * @throws RequestFailure; ExplainedError for what no poll of this version has stored
 */
export async function findNewEvents(
	client: Client,
	settings: Settings,
	state: StoredState,
	key: string,
): Promise<Found> {
	const watches = createWatches(settings, state);
	if (!watches) throw new ExplainedError(texts.unreadableState);
	const isNewKey = state.key !== key;
	const read = await readAll(Object.values(watches), client, isNewKey);
	const knowsAny = read.map((watch) => watch.knowsAny());
	// A new key may be one of another workspace: then none of the records is known.
	const isOtherWorkspace = isNewKey && knowsAny.includes(false) && !knowsAny.includes(true);
	if (isOtherWorkspace) for (const watch of Object.values(watches)) watch.beginAgain();

	const found: PendingEvent[] = [];
	for (const watch of read) for (const event of await watch.findEvents()) found.push(event);
	const events = selectEvents(found, settings.maxEvents);
	for (const { remember } of events) {
		remember();
		await yieldToEventLoop();
	}
	// Without any record it's unknown which workspace a new key is for: a later poll decides.
	const isUndecided = isNewKey && knowsAny.every((knows) => knows === undefined);
	const { version, scope } = state;
	return {
		events,
		state: { version, scope, key: isUndecided ? state.key : key, ...getStored(watches) },
	};
}

type Watch = ContactWatch | RecordWatch;

type Watches = Partial<Record<'activities' | 'overdueTasks' | 'contacts', Watch>>;

/**
 * By the names under which their state is stored; undefined if that is what no watch has stored.
 * Contacts come last, because they take longest.
 */
function createWatches(settings: Settings, state: StoredState): Watches | undefined {
	const { events } = settings;
	const watches: Watches = {};
	try {
		for (const event of events) {
			if (isOfContact(event)) continue;
			const { collection } = watchedCollections[event];
			watches[collection] = new RecordWatch(event, state[collection]);
		}
		if (events.some(isOfContact)) watches.contacts = new ContactWatch(settings, state.contacts);
		return watches;
	} catch {
		return undefined;
	}
}

/**
 * Reads the watches and returns those that there was time for: the next poll reads the others.
 * @throws RequestFailure
 */
async function readAll(watches: Watch[], client: Client, isNewKey: boolean) {
	const read: Watch[] = [];
	for (const watch of watches) {
		const reading = watch.read(client, isNewKey).then(() => true);
		const isRead = read.length > 0 ? await readInTime(reading, false) : await reading;
		if (isRead) read.push(watch);
	}
	return read;
}

function getStored(watches: Watches): Partial<StoredState> {
	const stored = Object.entries(watches).map(([name, watch]) => [name, watch.stored()]);
	return Object.fromEntries(stored.filter(([, state]) => state !== undefined));
}

export async function toItems(
	events: PendingEvent[],
	{ isSimplified }: Settings,
	origin: string[],
): Promise<INodeExecutionData[]> {
	const items: INodeExecutionData[] = [];
	for (const pending of events) {
		const { event, record, date, changedFields } = pending;
		const isShort = isSimplified && isOfContact(event);
		const shown = isShort ? pickFields(record, simplifiedContactFields) : record;
		// Nothing shows when a task became overdue.
		const hasTime = event !== 'taskOverdue' && !Number.isNaN(date);
		items.push({
			json: {
				event,
				key: computeEventKey(pending, origin),
				...(hasTime && { eventTime: new Date(date).toISOString() }),
				record: shown as IDataObject,
				...(changedFields && { changedFields }),
			},
		});
		await yieldToEventLoop();
	}
	return items;
}

/**
 * What the editor's Fetch Test Event shows: for each chosen event, the one that the newest record
 * would make; of contacts, the newest on the first page. None of it is remembered.
 * @throws ExplainedError if there is nothing to show
 * @throws RequestFailure
 */
export async function fetchTestEvents(
	client: Client,
	{ events, search, fields }: Settings,
): Promise<PendingEvent[]> {
	const shown: PendingEvent[] = [];
	const firstPage = { page: 1, limit: maxPageSize, search };
	const contacts = events.some(isOfContact) ? await listContacts(client, firstPage) : null;
	for (const event of events) {
		const records = isOfContact(event)
			? contacts!.records
			: await listWhole(client, watchedCollections[event].collection);
		const date = event === 'contactUpdated' ? 'updatedAt' : 'createdAt';
		const dateOf = (record: JsonObject) => parseTime(record[date]) || 0;
		const [newest] = [...records].sort((one, other) => dateOf(other) - dateOf(one));
		if (newest) shown.push({ ...buildEvent(event, newest, fields), remember: () => {} });
	}
	if (shown.length > 0) return shown;
	throw new ExplainedError(texts.nothingToShow);
}

/** @param watched the fields whose changes are events; empty for all */
function buildEvent(
	event: EventName,
	record: JsonObject,
	watched: ContactFieldName[],
): Omit<PendingEvent, 'remember'> {
	const contact = digestContact(record);
	if (event === 'contactCreated') return buildCreatedEvent(contact);
	if (event === 'contactUpdated') {
		// As if all of them had changed.
		const changed = watched.length > 0 ? watched : [...contactFieldNames];
		return buildUpdatedEvent(contact, toSeconds(contact.updatedAt), changed);
	}
	return { event, record, date: contact.createdAt, parts: [computeIdentity(record), ''] };
}
