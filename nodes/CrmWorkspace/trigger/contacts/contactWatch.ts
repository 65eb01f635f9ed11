/**
 * Watches the contacts, of which there may be more pages than a poll has time for. Every contact
 * that was seen is remembered by a digest of each of its fields, as the interface has no list of
 * changes. Where the list is in the order of a date, a poll reads only the end at which news
 * appears, and all pages once in an hour.
 */
import { yieldToEventLoop } from '../../transport/clock';
import type { ContactFieldName } from '../../service/records';
import type { AnyRecord } from '../digest';
import type { EventName, PendingEvent } from '../events';
import type { ServiceAccess } from '../session';
import type { Watch, WorkspaceSeen } from '../watch';
import { ContactMemory } from './contactMemory';
import {
	mergedOrders,
	edgeOf,
	inTime,
	readEdge,
	readPageByPage,
	readAllInTime,
	type EdgeRead,
	type Orders,
	type ListRead,
} from './contactPages';
import { creationParts, summaryOf, updateParts, type ContactSummary } from './contactSummary';

/** In a list with an edge, all pages are read as well as soon as the last time is so long ago, in ms. */
const roundInterval = 60 * 60_000;

/** That all old contacts are remembered is proven by the time the list was read so often, or hardly ever. */
const fullReadsToProve = 10;

/** From then on, a contact that does not show when it was created counts as new. */
const fullReadsToTrust = 2;

/** What n8n stores of the watch. The property names are in users' databases. */
export interface StoredContactWatch {
	search: string;
	/** The events that the last poll has looked for. */
	events: EventName[];
	/** Every contact that was seen: see `ContactMemory`. */
	memory: string;
	/** When the first poll with this search began, in ms since 1970: what is dated later came since. */
	began: number;
	/** Whether every contact that was there by then is certain to be remembered. */
	isProven: boolean;
	/** How often the list was read to its end, and all events told: up to 10, or 2 without a contact. */
	readings: number;
	/** The page to go on with; 1 to begin a round. */
	page: number;
	/** The last page of the list, as far as it was seen. */
	lastPage: number;
	/** When a round last came to the end of the list, by n8n's clock, in ms; 0 if one has to first. */
	readAt: number;
	/** The orders that it has always shown. */
	orders: Orders;
}

export interface ContactWatchOptions {
	events: EventName[];
	search: string;
	/** Of contacts that are remembered, only an update of one of these fields is an event; empty for any. */
	fields: ContactFieldName[];
}

/**
 * Watches the contacts. What a poll meets is an event when the contact
 *
 * - is remembered, and one of its fields is another one now, or its `updatedAt` is later: *updated*.
 *   With a choice of fields, one of these has to be another one.
 * - is not remembered, and all that were there at the first poll are: *created*; with a search, one
 *   that was created before that poll has come to match: *updated*.
 * - is not remembered, and that is not proven: *created* or, without a choice of fields, *updated* if
 *   it is dated after the first poll began. Where `createdAt` is not shown, it is *created* from the
 *   third time on that the list is read.
 *
 * What is no event is remembered as it is now. So is an event when it is told: one for which there
 * was no room is met again. An event that was not looked for in the last poll begins with the next
 * one; so the first poll tells nothing.
 */
export class ContactWatch implements Watch {
	/** What the last poll has stored; undefined to begin anew. */
	private last?: StoredContactWatch;

	private memory: ContactMemory;

	/** What was read at the edge of the list, and page after page. */
	private edgeRead?: EdgeRead;

	private listRead?: ListRead;

	private pendingEvents: PendingEvent[] = [];

	private told = 0;

	/** @throws UnreadableState for what no watch has stored */
	constructor(
		private readonly options: ContactWatchOptions,
		stored?: StoredContactWatch,
	) {
		if (stored?.search === options.search) this.last = stored;
		this.memory = new ContactMemory(this.last?.memory);
		// Polls that did not look for updates have not kept up with them.
		if (this.last && this.looksForUpdates && !this.last.events.includes('contactUpdated')) {
			this.last = { ...this.last, ...allPagesDue };
			this.memory.forgetFields();
		}
	}

	async read(access: ServiceAccess, mayBeOtherWorkspace: boolean): Promise<void> {
		const { isProven, readings, page, lastPage, readAt, orders } = this.last ?? nothingSeen;
		// What is missed later is met the next time: only the first times have to be certain.
		const isToProve = !isProven && readings < fullReadsToProve && page === 1;
		if (mayBeOtherWorkspace || isToProve) {
			this.listRead = await readAllInTime(access);
			return;
		}
		const edge = readAt > 0 ? edgeOf(orders, this.looksForUpdates) : undefined;
		const isNews = (contact: AnyRecord) => !this.memory.isAsRemembered(summaryOf(contact));
		this.edgeRead = edge && (await readEdge(access, { edge, lastPage }, isNews));
		const isDue = page > 1 || Math.abs(Date.now() - readAt) > roundInterval;
		if (this.edgeRead?.missesNothing && !isDue) return;
		// What was missed may stand on a page that the present round has behind it.
		const listRead = readPageByPage(access, this.edgeRead?.missesNothing === false ? 1 : page);
		this.listRead = await (this.edgeRead ? inTime(listRead) : listRead);
	}

	async workspace(): Promise<WorkspaceSeen> {
		const { contacts } = this;
		if (contacts.length === 0) return 'unknown';
		return contacts.some((contact) => this.memory.has(summaryOf(contact))) ? 'same' : 'other';
	}

	beginAnew(): void {
		this.last = undefined;
		this.memory = new ContactMemory();
	}

	async newEvents(): Promise<PendingEvent[]> {
		for (const contact of this.contacts) {
			await yieldToEventLoop();
			const pendingEvent = this.eventOf(contact);
			if (pendingEvent) this.pendingEvents.push(pendingEvent);
			else this.memory.remember(summaryOf(contact));
		}
		return this.pendingEvents;
	}

	/** As n8n stores it: as it was if there was no time to read. */
	stored(): StoredContactWatch | undefined {
		const { edgeRead, listRead, last = nothingSeen } = this;
		if (!edgeRead && !listRead) return this.last;
		const { search, events } = this.options;
		// What is not told yet has to be met again: at the edge, or on the same pages.
		const isAllTold = this.told === this.pendingEvents.length;
		const progress = isAllTold ? listRead : undefined;
		const isLeftBehind = !isAllTold || edgeRead?.missesNothing === false;
		const fullReadsToCount = this.memory.size > 0 ? fullReadsToProve : fullReadsToTrust;
		return {
			search,
			events,
			memory: this.memory.stored(),
			began: this.last ? last.began : listRead!.began,
			// A list that is empty may be a passing mistake of the service.
			isProven: last.isProven || (progress?.isProven === true && progress.contacts.length > 0),
			readings: Math.min(fullReadsToCount, last.readings + Number(progress?.hasEnded ?? false)),
			page: progress?.page ?? (edgeRead && isLeftBehind ? 1 : last.page),
			// An empty list may be told to have none.
			lastPage: Math.max(1, listRead?.lastPage ?? edgeRead?.lastPage ?? last.lastPage),
			readAt: progress?.hasEnded ? Date.now() : isLeftBehind ? 0 : last.readAt,
			orders: this.isMisled ? unordered : mergedOrders(last.orders, listRead?.orders ?? {}),
		};
	}

	private get looksForUpdates(): boolean {
		return this.options.events.includes('contactUpdated');
	}

	/** Each once, as it was read last. */
	private get contacts(): AnyRecord[] {
		const read = [...(this.edgeRead?.contacts ?? []), ...(this.listRead?.contacts ?? [])];
		return [...new Map(read.map((one) => [summaryOf(one).identity, one])).values()];
	}

	/** The event that a contact makes, if it makes one that is looked for. */
	private eventOf(contact: AnyRecord): PendingEvent | undefined {
		const summary = summaryOf(contact);
		const change = this.memory.changeOf(summary);
		const event = this.memory.has(summary)
			? change && this.isChosen(change.changedFields) && 'contactUpdated'
			: this.firstSight(summary);
		if (!event || !this.options.events.includes(event)) return undefined;
		// What comes before the first poll that looks for it is not told.
		if (!this.last?.events.includes(event)) return undefined;
		const isUpdate = event === 'contactUpdated';
		return {
			event,
			record: contact,
			date: isUpdate ? summary.updatedAt : summary.createdAt,
			parts: isUpdate ? updateParts(contact, change?.updates ?? 0) : creationParts(contact),
			...(change && { changedFields: change.changedFields }),
			remember: () => {
				this.memory.remember(summary, isUpdate);
				this.told++;
			},
		};
	}

	private isChosen(changedFields: ContactFieldName[]): boolean {
		const { fields } = this.options;
		return fields.length === 0 || fields.some((name) => changedFields.includes(name));
	}

	/**
	 * What a contact is that is not remembered; undefined for one that was there all the time. One
	 * without dates that has come to match a search cannot be told from one that was created.
	 */
	private firstSight({ createdAt, updatedAt }: ContactSummary): EventName | undefined {
		const { began, isProven, readings } = this.last ?? nothingSeen;
		const { search, fields } = this.options;
		if (isProven) return search !== '' && createdAt < began ? 'contactUpdated' : 'contactCreated';
		// It may have been missed the first time.
		if (Number.isNaN(createdAt)) return readings < fullReadsToTrust ? undefined : 'contactCreated';
		if (createdAt >= began) return 'contactCreated';
		// Which of its fields have changed is not known.
		return updatedAt >= began && fields.length === 0 ? 'contactUpdated' : undefined;
	}

	/** Whether something was found that is older than what was read at the edge, and was not there. */
	private get isMisled(): boolean {
		const { edgeRead } = this;
		if (!edgeRead?.missesNothing) return false;
		const met = new Set(edgeRead.contacts.map((contact) => summaryOf(contact).identity));
		return this.pendingEvents.some(
			({ date, record }) => date < edgeRead.began && !met.has(summaryOf(record).identity),
		);
	}
}

/** Nothing is known to have been read: a round has to begin, and to come to its end. */
const allPagesDue = { page: 1, readAt: 0 };

const unordered: Orders = { createdAt: 'none', updatedAt: 'none' };

const nothingSeen: StoredContactWatch = {
	search: '',
	events: [],
	memory: '',
	began: 0,
	isProven: false,
	readings: 0,
	...allPagesDue,
	lastPage: 1,
	orders: {},
};
