import { yieldToEventLoop } from '../../transport/eventLoop';
import { edgeOf, readEdge, type Edge, type EdgeRead } from './contactEdge';
import { ContactMemory, type Comparison, type StoredMemory } from './contactMemory';
import { creationParts, summaryOf, updateParts, type ContactSummary } from './contactSummary';
import {
	fits,
	isOverTime,
	walkContacts,
	type Orders,
	type StoredWalk,
	type Walked,
} from './contactWalk';
import type { AnyRecord } from '../digest';
import type { EventName, PendingEvent } from '../events';
import type { ServiceAccess } from '../session';
import type { Watch, WorkspaceSeen } from '../watch';

/** All contacts are read at least once in so many ms, whatever is known of their order. */
const walkInterval = 60 * 60_000;

/**
 * How much each page of a walk adds to that, in ms: walks then take at most a twentieth of the
 * requests.
 */
const walkIntervalPerPage = 20_000;

/** How far back before the last poll events are looked for, in ms, in case clocks differ. */
const overlap = 60 * 60_000;

/** What n8n stores of the watch. */
export interface StoredContactWatch {
	search: string;
	/** The events for which everything that was there at the first poll is remembered. */
	events: EventName[];
	memory: StoredMemory;
	/** When the first poll began, by the service's clock, in ms; null if unknown. */
	began: number | null;
	/** Whether it is certain that the first walk has missed nothing. */
	isProven: boolean;
	/** Whether a walk has seen as many contacts as each of its pages has told. */
	isCounted: boolean;
	/** When the first walk for events that were chosen later began, by the service's clock, in ms. */
	since: number | null;
	/** When contacts were last asked for, by the service's clock, in ms. */
	asOf: number | null;
	/** How many walks have come to their end, and when the last one did, by n8n's clock, in ms. */
	walks: number;
	walkedAt: number;
	pages: number;
	/** Whether a poll has found more events than its limit allowed. */
	hasRest: boolean;
	order: Orders;
	/** Whether relying on the order has once hidden an event. */
	isMisleading: boolean;
	walk?: StoredWalk;
	/** Whether a walk did not fit into a poll. */
	isLong: boolean;
}

/** Watches the contacts: reads the edge of the list, and all contacts from time to time. */
export class ContactWatch implements Watch {
	private state: StoredContactWatch;

	private memory: ContactMemory;

	private edgeRead?: EdgeRead;

	private walked?: Walked;

	private seen: Seen[] = [];

	/** Whether no contact was remembered as the poll began. */
	private isBlank = false;

	/** The walk that was under way as the poll began. */
	private begun?: StoredWalk;

	private readonly asOfBefore: number | null;

	/**
	 * @param events those that are wanted
	 * @throws UnreadableState for what no watch has stored
	 */
	constructor(
		private readonly events: EventName[],
		private readonly search: string,
		stored?: StoredContactWatch,
	) {
		const goesOn = stored?.search === search;
		this.state = goesOn ? { ...stored } : nothingSeen(search);
		this.state.events = this.state.events.filter((event) => events.includes(event));
		this.memory = new ContactMemory(goesOn ? stored.memory : undefined);
		this.begun = this.state.walk;
		this.asOfBefore = this.state.asOf;
	}

	async read(access: ServiceAccess): Promise<void> {
		this.edgeRead = await this.readEdgeIfKnown(access);
		this.walked = await this.walkOn(access, this.edgeRead);
		const contacts = [...(this.edgeRead?.contacts ?? []), ...(this.walked?.contacts ?? [])];
		this.seen = await latestOfEach(contacts);
	}

	async workspace(): Promise<WorkspaceSeen> {
		if (this.seen.length === 0) return 'unknown';
		return this.seen.some(([summary]) => this.memory.has(summary)) ? 'same' : 'other';
	}

	beginAnew(): void {
		this.state = nothingSeen(this.search);
		this.memory = new ContactMemory();
		this.begun = undefined;
	}

	async newEvents(): Promise<PendingEvent[]> {
		const { edgeRead, walked } = this;
		const pendingEvents = await this.compare(this.seen, walked?.began ?? NaN);
		if (edgeRead && walked) this.doubtOrder(edgeRead, pendingEvents);
		if (walked) this.noteWalk(walked);
		if (edgeRead?.isWhole || (walked && !walked.rest)) this.noteTime(edgeRead ?? walked!);
		return pendingEvents;
	}

	/**
	 * Notes whether there were more events than the limit: then the next poll reads the same again.
	 */
	noteRest(hasRest: boolean): void {
		this.state.hasRest = hasRest;
		if (hasRest) Object.assign(this.state, { walk: this.begun, asOf: this.asOfBefore });
	}

	/** As n8n stores it. */
	stored(): StoredContactWatch {
		return { ...this.state, memory: this.memory.stored() };
	}

	/** Whether for some chosen event not everything that was there before is remembered yet. */
	private get isIncomplete(): boolean {
		return this.events.some((event) => !this.state.events.includes(event));
	}

	private get isWalkDue(): boolean {
		const { walk, walkedAt, pages } = this.state;
		const interval = Math.max(walkInterval, pages * walkIntervalPerPage);
		return walk !== undefined || Math.abs(Date.now() - walkedAt) > interval;
	}

	private get edge(): Edge | undefined {
		const { order, isMisleading, asOf } = this.state;
		if (isMisleading || asOf === null) return undefined;
		return edgeOf(order, this.events.includes('contactUpdated'));
	}

	/** Reads the edge of the list where new or changed contacts appear, if it is known. */
	private async readEdgeIfKnown(access: ServiceAccess): Promise<EdgeRead | undefined> {
		const { asOf, pages, hasRest } = this.state;
		const edge = hasRest || this.isIncomplete ? undefined : this.edge;
		if (!edge) return undefined;
		return await readEdge(access, edge, {
			since: asOf! - overlap,
			lastPage: pages,
			isKnown: (contact) => this.compared(summaryOf(contact), contact).is === 'known',
		});
	}

	/** Goes on with a walk that is under way, or begins one if it is due. */
	private async walkOn(access: ServiceAccess, edgeRead?: EdgeRead): Promise<Walked | undefined> {
		const { walk } = this.state;
		if (edgeRead?.isWhole && !this.isWalkDue) return undefined;
		if (!walk) this.memory.beginWalk();
		const walked = await this.walk(access, walk, edgeRead !== undefined);
		if (!walk || !walked || walked.rest || !fits(access, this.state.pages)) return walked;
		// Contacts may have moved to pages that earlier polls had read: another walk finds them now.
		const again = await this.walk(access, undefined, true);
		if (!again) return walked;
		const contacts = [...walked.contacts, ...again.contacts];
		return again.rest ? { ...walked, contacts } : { ...again, contacts };
	}

	/** Undefined if there was no time for it and the poll can do without. */
	private async walk(
		access: ServiceAccess,
		rest: StoredWalk | undefined,
		mayBeLeftOut: boolean,
	): Promise<Walked | undefined> {
		const { isLong } = this.state;
		const isKnown = (contact: AnyRecord) => this.memory.has(summaryOf(contact));
		return await walkContacts(access, { rest, isLong, isKnown }).catch((error: unknown) => {
			if (!mayBeLeftOut || !isOverTime(error)) throw error;
			return undefined;
		});
	}

	/** @param began when a walk began, by the service's clock, in ms since 1970 */
	private async compare(seen: Seen[], began: number): Promise<PendingEvent[]> {
		const isFirst = this.isIncomplete && this.begun === undefined;
		if (isFirst) this.state.since = Number.isFinite(began) ? began : null;
		// A service that does not tell its time is taken to have about the same time as n8n.
		if (isFirst && this.state.walkedAt === 0)
			this.state.began = this.state.since ?? Date.now() - overlap;
		this.isBlank = this.memory.size === 0;
		const pendingEvents: PendingEvent[] = [];
		for (const [summary, contact] of seen) {
			await yieldToEventLoop();
			const compared = this.compared(summary, contact);
			if (compared.is === 'known') {
				this.memory.meet(summary, contact);
				continue;
			}
			const pendingEvent = this.pendingEventOf(summary, contact, compared);
			const isCertain = compared.is === 'changed' || pendingEvent.event === 'contactCreated';
			if (this.isTold(pendingEvent, { isFirst, isCertain })) pendingEvents.push(pendingEvent);
			else this.memory.remember(summary, contact, false);
		}
		return pendingEvents;
	}

	private compared(summary: ContactSummary, contact: AnyRecord): Comparison {
		return this.memory.compare(summary, contact, this.state.asOf ?? -Infinity);
	}

	private pendingEventOf(
		summary: ContactSummary,
		contact: AnyRecord,
		compared: Comparison,
	): PendingEvent {
		const { createdAt, updatedAt } = summary;
		const remember = () => this.memory.remember(summary, contact, true);
		if (compared.is === 'new' && !this.wasThere(createdAt)) {
			const parts = creationParts(contact, summary);
			return { event: 'contactCreated', record: contact, date: createdAt, parts, remember };
		}
		const { changedFields, updates = 0 } = compared.is === 'changed' ? compared : {};
		return {
			event: 'contactUpdated',
			record: contact,
			date: updatedAt,
			parts: updateParts(contact, summary, updates),
			changedFields,
			remember,
		};
	}

	/**
	 * Whether a contact that is not remembered is an old one: it was missed while others came and
	 * went, or it is from before the first poll and matches the search only since an update.
	 */
	private wasThere(createdAt: number): boolean {
		const { began, isProven, isCounted, walks } = this.state;
		const hidesCreation = began === null || Number.isNaN(createdAt);
		// After two walks, nothing old is unknown any more.
		if (!isProven && hidesCreation) return !this.isBlank && !isCounted && walks < 2;
		if (!isProven) return createdAt < began!;
		return this.search !== '' && began !== null && createdAt < began;
	}

	/**
	 * Whether an event is put out. As long as it is not certain that everything old is remembered,
	 * only what is dated after the first poll is.
	 */
	private isTold(
		{ event, date }: PendingEvent,
		{ isFirst, isCertain }: { isFirst: boolean; isCertain: boolean },
	): boolean {
		if (!this.events.includes(event)) return false;
		const isComplete = this.state.events.includes(event);
		if (isComplete && (isCertain || this.state.isProven)) return true;
		const from = isComplete ? this.state.began : this.state.since;
		return (isComplete || !isFirst) && from !== null && date >= from;
	}

	/**
	 * If an event is found away from the edge, although it is older than the reading of the edge, the
	 * list has another order than it seemed.
	 */
	private doubtOrder({ isWhole, contacts, began }: EdgeRead, pendingEvents: PendingEvent[]): void {
		const seen = new Set(contacts);
		const hidden = pendingEvents.some(({ date, record }) => date < began && !seen.has(record));
		if (isWhole && hidden) this.state.isMisleading = true;
	}

	private noteWalk(walked: Walked): void {
		const { rest, order, began, pages, isProven = false, isTooLong, total } = walked;
		const { state } = this;
		state.walk = rest;
		state.pages = pages ?? state.pages;
		state.isLong = rest !== undefined && (isTooLong || state.isLong);
		if (rest) return;
		state.isCounted ||= total === this.memory.size;
		this.memory.endWalk(began);
		state.events = this.events;
		// An empty list may be a passing mistake of the service: it counts only after some time.
		const isBelieved = walked.contacts.length > 0 || began - (state.began ?? NaN) >= walkInterval;
		state.isProven ||= isProven && isBelieved;
		state.walks++;
		state.walkedAt = Date.now();
		state.order = order ?? state.order;
	}

	private noteTime({ began }: { began: number }): void {
		if (Number.isFinite(began)) this.state.asOf = began;
	}
}

type Seen = [ContactSummary, AnyRecord];

/**
 * Each contact once, in its latest version: it may have been read twice, and changed in between.
 */
async function latestOfEach(contacts: AnyRecord[]): Promise<Seen[]> {
	const latest = new Map<string, Seen>();
	for (const contact of contacts) {
		const summary = summaryOf(contact);
		const [known] = latest.get(summary.identity) ?? [];
		if (!known || isAfter(summary, known)) latest.set(summary.identity, [summary, contact]);
		await yieldToEventLoop();
	}
	return [...latest.values()];
}

/** Without a later date the version decides, so that the result does not depend on the order. */
function isAfter(one: ContactSummary, other: ContactSummary): boolean {
	if (one.latest === other.latest) return one.version > other.version;
	return one.latest > other.latest || Number.isNaN(other.latest);
}

function nothingSeen(search: string): StoredContactWatch {
	return {
		search,
		events: [],
		memory: new ContactMemory().stored(),
		began: null,
		isProven: false,
		isCounted: false,
		since: null,
		asOf: null,
		walks: 0,
		walkedAt: 0,
		pages: 1,
		hasRest: false,
		order: {},
		isMisleading: false,
		isLong: false,
	};
}
