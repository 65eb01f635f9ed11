/**
 * Watches the contacts. The interface has no list of changes, so each contact that is read is
 * compared with a snapshot. A poll makes a pass over all pages, or continues the pass of the last
 * poll if that ran out of time. If the list is sorted by a date, a poll reads only the end at which
 * news appears, and makes a pass once an hour.
 */
import type { ContactFieldName } from '../api/records';
import type { Client } from '../client/request';
import { yieldToEventLoop } from '../common/tasks';
import { ContactReader, detectOrders, readInTime, type Order } from './contactReader';
import {
	buildCreatedEvent,
	buildUpdatedEvent,
	ContactSnapshot,
	type SeenContact,
} from './contactSnapshot';
import type { EventName, PendingEvent } from './events';
import type { Settings } from './settings';

/** A list sorted by a date is read in full as well after this time. */
const passIntervalMs = 60 * 60_000;

/** After so many passes, a contact that the snapshot doesn't have wasn't there before. */
const passesToTrust = 2;

/** What n8n stores of the watch. */
export interface StoredContacts {
	search: string;
	/** The events that the last poll has looked for. */
	events: EventName[];
	/** See `ContactSnapshot`. */
	snapshot: string;
	/** Whatever happened after the first poll has a later date, in ms since 1970. */
	began: number;
	/** How many passes were made, up to `passesToTrust`. */
	passes: number;
	/** The page to continue with; 1 to begin a pass. */
	page: number;
	/** How many pages there were. */
	pageCount: number;
	/** When a pass last reached the end of the list, in ms since 1970; 0 if one is due. */
	passedAt: number;
	/** Whatever happened after the last poll has a later date, in ms since 1970. */
	polledAt: number;
	/** By which dates the list is sorted, as the last pass has shown. */
	orders: Order[];
}

type ContactSettings = Pick<Settings, 'events' | 'search' | 'fields'>;

export class ContactWatch {
	private before?: StoredContacts;

	private snapshot: ContactSnapshot;

	/** What was read; undefined if there was no time. */
	private contacts?: ContactReader;

	/** How far the reading got. */
	private progress = { reachedEnd: false, nextPage: 1, isPassDue: false };

	private events: PendingEvent[] = [];

	private emittedCount = 0;

	/** @throws TypeError for what no watch has stored */
	constructor(
		private readonly settings: ContactSettings,
		stored?: StoredContacts,
	) {
		if (stored?.search === settings.search) this.before = stored;
		this.snapshot = new ContactSnapshot(this.looksForUpdates, this.before?.snapshot);
		// Earlier polls that didn't look for updates have no fields to compare with.
		const isNewChoice = this.looksForUpdates && !this.before?.events.includes('contactUpdated');
		if (this.before && isNewChoice) this.before = { ...this.before, page: 1, passedAt: 0 };
	}

	/**
	 * Reads as much as there is time for.
	 * @param isNewKey whether it may be that of another workspace, so that all have to be looked at
	 * @throws RequestFailure
	 */
	async read(client: Client, isNewKey: boolean): Promise<void> {
		const contacts = new ContactReader(client, this.settings.search);
		const order = isNewKey ? undefined : this.usefulOrder();
		const next = order
			? await this.readNews(contacts, order)
			: await contacts.readOn(isNewKey ? 1 : (this.before?.page ?? 1));
		this.progress = {
			reachedEnd: next === 1,
			nextPage: order ? 1 : next!,
			// There was no time for all news.
			isPassDue: order !== undefined && next !== undefined && next !== 1,
		};
		this.contacts = contacts;
	}

	/** Whether it remembers any of the records that it has read; undefined if there are none. */
	knowsAny(): boolean | undefined {
		if (this.seen.length === 0) return undefined;
		return this.seen.some((contact) => this.snapshot.has(contact));
	}

	/** Forgets earlier polls: what it has read becomes the baseline, without events. */
	beginAgain(): void {
		this.before = undefined;
		this.snapshot = new ContactSnapshot(this.looksForUpdates);
	}

	/** Finds the events in what it has read, and remembers all other records. */
	async findEvents(): Promise<PendingEvent[]> {
		for (const contact of this.seen) {
			await yieldToEventLoop();
			const event = this.eventOf(contact);
			if (event) this.events.push(event);
			else this.snapshot.remember(contact);
		}
		return this.events;
	}

	/** As n8n stores it: unchanged if there was no time to read. */
	stored(): StoredContacts | undefined {
		const { before, contacts, settings } = this;
		if (!contacts) return before;
		const { reachedEnd, nextPage, isPassDue } = this.progress;
		// A list without a fixed order shows some contacts twice, and others in no pass.
		const knowsAll = this.snapshot.size >= (contacts.counts.at(-1) ?? Infinity);
		const passes = contacts.isWhole ? passesToTrust : knowsAll ? 1 : 0;
		// Events that aren't emitted yet have to be found again: the next poll reads the same pages.
		const isAllEmitted = this.emittedCount === this.events.length;
		const passedAt = reachedEnd ? Date.now() : (before?.passedAt ?? 0);
		return {
			search: settings.search,
			events: settings.events,
			snapshot: this.snapshot.stored(),
			began: before?.began ?? contacts.began,
			passes: Math.min(passesToTrust, (before?.passes ?? 0) + (reachedEnd ? passes : 0)),
			page: isAllEmitted ? nextPage : (before?.page ?? 1),
			pageCount: Math.max(1, contacts.pageCount),
			passedAt: isAllEmitted && !isPassDue ? passedAt : 0,
			polledAt: contacts.began,
			orders: reachedEnd ? detectOrders(this.seen) : (before?.orders ?? []),
		};
	}

	private get seen(): SeenContact[] {
		return [...(this.contacts?.seen.values() ?? [])];
	}

	private get looksForUpdates(): boolean {
		return this.settings.events.includes('contactUpdated');
	}

	/**
	 * The order that lets a poll read only one end of the list; undefined if it has to make a pass. If
	 * no contact was ever updated, the list is sorted by both dates, and it is unknown where updates
	 * appear.
	 */
	private usefulOrder(): Order | undefined {
		const { page, passes = 0, passedAt = 0, orders = [] } = this.before ?? {};
		const isRecent = Math.abs(Date.now() - passedAt) < passIntervalMs;
		if (page !== 1 || passes < passesToTrust || !isRecent) return undefined;
		const order = orders.at(-1);
		const showsUpdates = order?.date === 'updatedAt' && orders.length === 1;
		return showsUpdates || !this.looksForUpdates ? order : undefined;
	}

	/** Reads the end of the list at which news appears; the whole list if that shows only news. */
	private async readNews(contacts: ContactReader, order: Order): Promise<number | undefined> {
		const isKnown = (contact?: SeenContact) => !!contact && !this.mayBeNew(contact, order);
		if (order.isNewestFirst) return await contacts.readOn(1, () => isKnown(contacts.page.at(-1)));
		const next = await contacts.readOn(this.before!.pageCount);
		const [earliest] = contacts.seen.values();
		return next === 1 && isKnown(earliest) ? undefined : await readInTime(contacts.readOn(1), 0);
	}

	/** Whether this contact, or any nearer to the middle of the list, may be new or changed. */
	private mayBeNew(contact: SeenContact, order: Order): boolean {
		const { snapshot, before } = this;
		const isRecent = contact[order.date] >= before!.polledAt;
		return isRecent || !snapshot.has(contact) || snapshot.changedFields(contact).length > 0;
	}

	/** The event that a contact has to make; undefined for none. */
	private eventOf(contact: SeenContact): PendingEvent | undefined {
		const { snapshot } = this;
		const isKnown = snapshot.has(contact);
		// A later date alone isn't an update: a workflow behind the trigger may write existing values.
		const changed = snapshot.changedFields(contact);
		const event = isKnown ? this.isWatched(changed) && 'contactUpdated' : this.firstSight(contact);
		if (!event || !this.isWanted(event)) return undefined;
		const isUpdate = event === 'contactUpdated';
		const remember = () => {
			snapshot.remember(contact, isUpdate);
			this.emittedCount++;
		};
		if (!isUpdate) return { ...buildCreatedEvent(contact), remember };
		const revision = snapshot.nextRevision(contact);
		return { ...buildUpdatedEvent(contact, revision, isKnown ? changed : undefined), remember };
	}

	/** Whether an event is looked for, and was looked for by the last poll, too. */
	private isWanted(event: EventName): boolean {
		return this.settings.events.includes(event) && this.before?.events.includes(event) === true;
	}

	private isWatched(changed: ContactFieldName[]): boolean {
		const { fields } = this.settings;
		return changed.some((name) => fields.length === 0 || fields.includes(name));
	}

	/**
	 * The event of a contact that the snapshot doesn't have: one that has come to match a search is
	 * updated. Undefined for one that the first passes may have missed, because the list changed.
	 */
	private firstSight({ createdAt }: SeenContact): EventName | undefined {
		const { began = Infinity, polledAt = Infinity, passes = 0 } = this.before ?? {};
		const { search, events } = this.settings;
		// A contact that was found late is rather taken for a created one, if these are looked for.
		const since = events.includes('contactCreated') ? began : polledAt;
		if (createdAt >= since) return 'contactCreated';
		if (passes < passesToTrust) return undefined;
		return search && createdAt < since ? 'contactUpdated' : 'contactCreated';
	}
}
