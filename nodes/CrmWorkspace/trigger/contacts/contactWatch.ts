import { yieldToEventLoop } from '../../transport/eventLoop';
import type { ContactFieldName } from '../../service/records';
import type { AnyRecord } from '../digest';
import type { EventName, PendingEvent } from '../events';
import type { ServiceAccess } from '../session';
import type { Watch, WorkspaceSeen } from '../watch';
import { ContactMemory } from './contactMemory';
import {
	bothOrders,
	edgeOf,
	inTime,
	readEdge,
	readRound,
	readWhole,
	type EdgeReading,
	type Orders,
	type Reading,
} from './contactReading';
import { creationParts, summaryOf, updateParts, type ContactSummary } from './contactSummary';

/** In a list with an edge, all pages are read as well as soon as the last time is so long ago, in ms. */
const roundInterval = 60 * 60_000;

/** Whether everything old is remembered is proven in the first readings, or hardly ever. */
const mostReadings = 10;

/** What n8n stores of the watch. The property names are in users' databases. */
export interface StoredContactWatch {
	search: string;
	/** The events that the last poll has looked for. */
	events: EventName[];
	/** Every contact that was seen: see `ContactMemory`. */
	memory: string;
	/** What was created after the first poll of all began is dated later, in ms since 1970. */
	began: number;
	/** Whether every contact that was there by then is certain to be remembered. */
	isProven: boolean;
	/** How often the list was read to its end, up to 10. */
	readings: number;
	/** The page to go on with. */
	page: number;
	/** The last page of the list, as far as it was seen. */
	lastPage: number;
	/** When the list was last read to its end, by n8n's clock, in ms; 0 to do it at once. */
	readAt: number;
	/** The orders that it has always shown. */
	orders: Orders;
}

/** What contacts are watched for. */
export interface ContactWatchOptions {
	events: EventName[];
	search: string;
	/** Only an update of one of these fields is an event; empty for any. */
	fields: ContactFieldName[];
}

/**
 * Watches the contacts. An event is told when a poll meets a contact
 *
 * - that is remembered, and one of its fields is another one now, or its `updatedAt` is later:
 *   *updated*. With a choice of fields, one of these has to be another one.
 * - that is not remembered: *created*, if everything from before the first poll is certain to be, or
 *   if it shows that it was created since. One that a search finds, and that was created before, has
 *   come to match by an update: *updated*.
 *
 * Whatever it meets is remembered as it is, and told once. An event that was not looked for in the
 * last poll begins with the next one: so the first poll tells nothing.
 */
export class ContactWatch implements Watch {
	private state?: StoredContactWatch;

	private memory: ContactMemory;

	/** What was read at the edge of the list, and going round it. */
	private edge?: EdgeReading;

	private round?: Reading;

	/** How many of the events that were found are not told yet. */
	private untold = 0;

	/** @throws UnreadableState for what no watch has stored */
	constructor(
		private readonly options: ContactWatchOptions,
		private readonly before?: StoredContactWatch,
	) {
		const goesOn = before?.search === options.search;
		this.state = goesOn ? before : undefined;
		this.memory = new ContactMemory(this.state?.memory);
		// Polls that did not look for updates have not kept up with them.
		const isNew = this.looksForUpdates && !before?.events.includes('contactUpdated');
		if (!this.state || !isNew) return;
		this.state = { ...this.state, readAt: 0 };
		this.memory.forgetFields();
	}

	async read(access: ServiceAccess, mayBeOtherWorkspace: boolean): Promise<void> {
		const { isProven, readings, page, lastPage, readAt, orders } = this.state ?? nothingSeen;
		// What a later reading misses, the next one meets: only the first ones have to be certain.
		const isFirst = readings < mostReadings || this.memory.size === 0;
		if (mayBeOtherWorkspace || (isFirst && page === 1 && !isProven)) {
			this.round = await readWhole(access);
			return;
		}
		const edge = readAt > 0 ? edgeOf(orders, this.looksForUpdates) : undefined;
		const isNews = (contact: AnyRecord) => !this.memory.isAsRemembered(summaryOf(contact));
		this.edge = edge && (await readEdge(access, { edge, lastPage }, isNews));
		const isDue = page > 1 || Math.abs(Date.now() - readAt) > roundInterval;
		if (this.edge?.isWhole && !isDue) return;
		const round = readRound(access, page, { isUpToEnd: this.edge?.isWhole });
		this.round = await (this.edge ? inTime(round) : round);
	}

	async workspace(): Promise<WorkspaceSeen> {
		const { contacts } = this;
		if (contacts.length === 0) return 'unknown';
		return contacts.some((contact) => this.memory.has(summaryOf(contact))) ? 'same' : 'other';
	}

	beginAnew(): void {
		this.state = undefined;
		this.memory = new ContactMemory();
	}

	async newEvents(): Promise<PendingEvent[]> {
		const pendingEvents: PendingEvent[] = [];
		for (const contact of this.contacts) {
			await yieldToEventLoop();
			const pendingEvent = this.eventOf(contact);
			if (pendingEvent) pendingEvents.push(pendingEvent);
			else this.memory.remember(summaryOf(contact));
		}
		this.untold = pendingEvents.length;
		this.state = this.stateAfter(pendingEvents);
		return pendingEvents;
	}

	/** As n8n stores it: as it was if there was no time to read. */
	stored(): StoredContactWatch | undefined {
		if (!this.edge && !this.round) return this.before;
		// What was not told has to be met again, wherever it stands.
		const again = this.untold > 0 && { page: this.before?.page ?? 1, readAt: 0 };
		return { ...this.state!, memory: this.memory.stored(), ...again };
	}

	private get looksForUpdates(): boolean {
		return this.options.events.includes('contactUpdated');
	}

	/** Each once, as it was read last. */
	private get contacts(): AnyRecord[] {
		const read = [...(this.edge?.contacts ?? []), ...(this.round?.contacts ?? [])];
		return [...new Map(read.map((one) => [summaryOf(one).identity, one])).values()];
	}

	/** The event that a contact makes, if it makes one that is looked for. */
	private eventOf(contact: AnyRecord): PendingEvent | undefined {
		const summary = summaryOf(contact);
		const change = this.memory.changeOf(summary);
		const event = this.memory.has(summary)
			? change && this.isChosen(change.changedFields) && 'contactUpdated'
			: this.firstSight(summary);
		const { events } = this.options;
		if (!event || !events.includes(event) || !this.state?.events.includes(event)) return undefined;
		const isUpdate = event === 'contactUpdated';
		return {
			event,
			record: contact,
			date: isUpdate ? summary.updatedAt : summary.createdAt,
			parts: isUpdate ? updateParts(contact, change?.updates ?? 0) : creationParts(contact),
			...(change && { changedFields: change.changedFields }),
			remember: () => {
				this.memory.remember(summary, isUpdate);
				this.untold--;
			},
		};
	}

	private isChosen(changedFields: ContactFieldName[]): boolean {
		const { fields } = this.options;
		return fields.length === 0 || fields.some((name) => changedFields.includes(name));
	}

	/** What a contact is that is not remembered: undefined for one that was there all the time. */
	private firstSight({ createdAt, updatedAt }: ContactSummary): EventName | undefined {
		const { began, isProven, readings } = this.state ?? nothingSeen;
		const { search } = this.options;
		if (isProven) return search !== '' && createdAt < began ? 'contactUpdated' : 'contactCreated';
		// The first reading may have missed it.
		if (Number.isNaN(createdAt)) return readings < 2 ? undefined : 'contactCreated';
		if (createdAt >= began) return 'contactCreated';
		return updatedAt >= began ? 'contactUpdated' : undefined;
	}

	private stateAfter(pendingEvents: PendingEvent[]): StoredContactWatch {
		const { edge, round } = this;
		const { search, events } = this.options;
		const before = this.state ?? { ...nothingSeen, began: round!.began };
		const orders = this.isMisled(pendingEvents) ? unordered : (round?.orders ?? {});
		return {
			...{ ...before, search, events },
			// A list that is empty may be a passing mistake of the service.
			isProven: before.isProven || (round?.isProven === true && round.contacts.length > 0),
			readings: Math.min(mostReadings, before.readings + Number(round?.hasEnded ?? false)),
			page: round?.page ?? before.page,
			lastPage: round?.lastPage ?? edge?.lastPage ?? before.lastPage,
			readAt: round?.hasEnded ? Date.now() : edge?.isWhole === false ? 0 : before.readAt,
			orders: bothOrders(before.orders, orders),
		};
	}

	/** Whether something was found that is older than the reading of the edge, and was not there. */
	private isMisled(pendingEvents: PendingEvent[]): boolean {
		const { edge } = this;
		if (!edge?.isWhole) return false;
		const met = new Set(edge.contacts.map((contact) => summaryOf(contact).identity));
		return pendingEvents.some(
			({ date, record }) => date < edge.began && !met.has(summaryOf(record).identity),
		);
	}
}

const unordered: Orders = { createdAt: 'none', updatedAt: 'none' };

const nothingSeen: StoredContactWatch = {
	search: '',
	events: [],
	memory: '',
	began: 0,
	isProven: false,
	readings: 0,
	page: 1,
	lastPage: 1,
	readAt: 0,
	orders: {},
};
