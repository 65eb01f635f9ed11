import { yieldToEventLoop } from '../../transport/eventLoop';
import { edgeOf, readEdge, type Edge, type EdgeRead } from './contactEdge';
import { ContactMemory, type Comparison, type StoredMemory } from './contactMemory';
import { creationParts, printOf, updateParts, type ContactPrint } from './contactPrint';
import {
	fits,
	isOverTime,
	walkContacts,
	type Orders,
	type StoredWalk,
	type Walked,
} from './contactWalk';
import type { AnyRecord } from '../digest';
import type { EventName, Sighting } from '../events';
import type { Source } from '../session';
import type { Watch, Whose } from '../watch';

/** All contacts are looked at at least so often, in ms, whatever is known of their order. */
const walkInterval = 60 * 60_000;

/** What one page of a walk adds to that, in ms: a walk takes a twentieth of the requests at most. */
const walkIntervalPerPage = 20_000;

/** How far back before the last poll news are looked for: for clocks that differ, in ms. */
const overlap = 60 * 60_000;

/** What n8n stores of the watch. */
export interface StoredContactWatch {
	search: string;
	/** Events of which all that there was before is remembered. */
	events: EventName[];
	memory: StoredMemory;
	/** When the first poll began, by the service's clock, in ms; null if unknown. */
	began: number | null;
	/** Whether it is certain that nothing was missed of what was there at the first poll. */
	isProven: boolean;
	/** Whether at least as many were seen as there were, and no page told another number. */
	isCounted: boolean;
	/** When the first poll of what not all events know yet began, by the service's clock, in ms. */
	since: number | null;
	/** When contacts were last asked for, by the service's clock, in ms. */
	asOf: number | null;
	/** How many walks have come to their end, and when the last one did, by n8n's clock, in ms. */
	walks: number;
	walkedAt: number;
	pages: number;
	/** Whether a poll came upon more than it could tell. */
	hasRest: boolean;
	order: Orders;
	/** Whether the order has once hidden something. */
	isMisleading: boolean;
	walk?: StoredWalk;
	/** Whether a walk did not fit into a poll. */
	isLong: boolean;
}

/** The contacts that a trigger watches. */
export class ContactWatch implements Watch {
	private state: StoredContactWatch;

	private memory: ContactMemory;

	private near?: EdgeRead;

	private walked?: Walked;

	private prints: Seen[] = [];

	/** Whether nothing was remembered as the poll began: there may have been nothing. */
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

	async read(source: Source): Promise<void> {
		this.near = await this.readNear(source);
		this.walked = await this.walkOn(source, this.near);
		const contacts = [...(this.near?.contacts ?? []), ...(this.walked?.contacts ?? [])];
		this.prints = await latestOfEach(contacts);
	}

	async whose(): Promise<Whose> {
		if (this.prints.length === 0) return 'unknown';
		return this.prints.some(([print]) => this.memory.has(print)) ? 'same' : 'others';
	}

	beginAnew(): void {
		this.state = nothingSeen(this.search);
		this.memory = new ContactMemory();
		this.begun = undefined;
	}

	async news(): Promise<Sighting[]> {
		const { near, walked } = this;
		const sightings = await this.compare(this.prints, walked?.began ?? NaN);
		if (near && walked) this.doubtOrder(near, sightings);
		if (walked) this.noteWalk(walked);
		if (near?.isWhole || (walked && !walked.rest)) this.noteTime(near ?? walked!);
		return sightings;
	}

	/** Whether there was more than a poll may tell: then the next one looks at the same once more. */
	noteRest(hasRest: boolean): void {
		this.state.hasRest = hasRest;
		if (hasRest) Object.assign(this.state, { walk: this.begun, asOf: this.asOfBefore });
	}

	/** As n8n stores it. */
	stored(): StoredContactWatch {
		return { ...this.state, memory: this.memory.stored() };
	}

	/** Whether what there was before is not yet known of all events. */
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

	/** Reads where news are, if that is known. */
	private async readNear(source: Source): Promise<EdgeRead | undefined> {
		const { asOf, pages, hasRest } = this.state;
		const edge = hasRest || this.isIncomplete ? undefined : this.edge;
		if (!edge) return undefined;
		return await readEdge(source, edge, {
			since: asOf! - overlap,
			lastPage: pages,
			isKnown: (contact) => this.compared(printOf(contact), contact).is === 'known',
		});
	}

	/** Goes on with the walk that is under way, or begins one if it is time for it. */
	private async walkOn(source: Source, near?: EdgeRead): Promise<Walked | undefined> {
		const { walk } = this.state;
		if (near?.isWhole && !this.isWalkDue) return undefined;
		if (!walk) this.memory.beginWalk();
		const walked = await this.walk(source, walk, near !== undefined);
		if (!walk || !walked || walked.rest || !fits(source, this.state.pages)) return walked;
		// What has come to pages that were read in earlier polls is to be seen in this one.
		const again = await this.walk(source, undefined, true);
		if (!again) return walked;
		const contacts = [...walked.contacts, ...again.contacts];
		return again.rest ? { ...walked, contacts } : { ...again, contacts };
	}

	/** Undefined when there was no time for it, and it may be left out. */
	private async walk(
		source: Source,
		rest: StoredWalk | undefined,
		mayBeLeftOut: boolean,
	): Promise<Walked | undefined> {
		const { isLong } = this.state;
		const isKnown = (contact: AnyRecord) => this.memory.has(printOf(contact));
		return await walkContacts(source, { rest, isLong, isKnown }).catch((error: unknown) => {
			if (!mayBeLeftOut || !isOverTime(error)) throw error;
			return undefined;
		});
	}

	/** @param began when a walk began, by the service's clock, in ms since 1970 */
	private async compare(prints: Seen[], began: number): Promise<Sighting[]> {
		const isFirst = this.isIncomplete && this.begun === undefined;
		if (isFirst) this.state.since = Number.isFinite(began) ? began : null;
		// A service that does not tell the time has about ours.
		if (isFirst && this.state.walkedAt === 0)
			this.state.began = this.state.since ?? Date.now() - overlap;
		this.isBlank = this.memory.size === 0;
		const sightings: Sighting[] = [];
		for (const [print, contact] of prints) {
			await yieldToEventLoop();
			const compared = this.compared(print, contact);
			if (compared.is === 'known') {
				this.memory.meet(print, contact);
				continue;
			}
			const sighting = this.sightingOf(print, contact, compared);
			const isCertain = compared.is === 'changed' || sighting.event === 'contactCreated';
			if (this.isTold(sighting, { isFirst, isCertain })) sightings.push(sighting);
			else this.memory.note(print, contact, false);
		}
		return sightings;
	}

	private compared(print: ContactPrint, contact: AnyRecord): Comparison {
		return this.memory.compare(print, contact, this.state.asOf ?? -Infinity);
	}

	private sightingOf(print: ContactPrint, contact: AnyRecord, compared: Comparison): Sighting {
		const { createdAt, updatedAt } = print;
		const note = () => this.memory.note(print, contact, true);
		if (compared.is === 'new' && !this.wasThere(createdAt)) {
			const parts = creationParts(contact, print);
			return { event: 'contactCreated', record: contact, date: createdAt, parts, note };
		}
		const { changedFields, updates = 0 } = compared.is === 'changed' ? compared : {};
		return {
			event: 'contactUpdated',
			record: contact,
			date: updatedAt,
			parts: updateParts(contact, print, updates),
			changedFields,
			note,
		};
	}

	/**
	 * Whether a contact that is not known was there before: one that was missed while others came and
	 * went, or one from before the first poll that an update has made match the search.
	 */
	private wasThere(createdAt: number): boolean {
		const { began, isProven, isCounted, walks } = this.state;
		const hidesCreation = began === null || Number.isNaN(createdAt);
		// What the first walk has missed, the second one has met.
		if (!isProven && hidesCreation) return !this.isBlank && !isCounted && walks < 2;
		if (!isProven) return createdAt < began!;
		return this.search !== '' && began !== null && createdAt < began;
	}

	/**
	 * Whether it is one of the events that are wanted, and news. As long as not all that was there is
	 * certainly remembered, only what is dated since then is.
	 */
	private isTold(
		{ event, date }: Sighting,
		{ isFirst, isCertain }: { isFirst: boolean; isCertain: boolean },
	): boolean {
		if (!this.events.includes(event)) return false;
		const isComplete = this.state.events.includes(event);
		if (isComplete && (isCertain || this.state.isProven)) return true;
		const from = isComplete ? this.state.began : this.state.since;
		return (isComplete || !isFirst) && from !== null && date >= from;
	}

	/** What stands elsewhere although it was there before its place was read, shows another order. */
	private doubtOrder({ isWhole, contacts, began }: EdgeRead, sightings: Sighting[]): void {
		const seen = new Set(contacts);
		const hidden = sightings.some(({ date, record }) => date < began && !seen.has(record));
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
		// That there is no contact at all may be a mistake of the service, for a while.
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

type Seen = [ContactPrint, AnyRecord];

/** Each contact once, as it was last: it may have been read more than once, and changed meanwhile. */
async function latestOfEach(contacts: AnyRecord[]): Promise<Seen[]> {
	const latest = new Map<string, Seen>();
	for (const contact of contacts) {
		const print = printOf(contact);
		const [known] = latest.get(print.identity) ?? [];
		if (!known || isAfter(print, known)) latest.set(print.identity, [print, contact]);
		await yieldToEventLoop();
	}
	return [...latest.values()];
}

/** What a list shows twice in two ways has to come out the same each time. */
function isAfter(one: ContactPrint, other: ContactPrint): boolean {
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
