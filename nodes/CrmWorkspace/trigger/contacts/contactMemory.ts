import { contactFieldNames, type ContactFieldName } from '../../service/records';
import { identityBytes, type AnyRecord } from '../digest';
import { digitsOf, pack, unpack } from '../packed';
import {
	differingFields,
	fieldBytes,
	fieldDigestsOf,
	versionBytes,
	type ContactSummary,
} from './contactSummary';

/**
 * How many contacts are remembered one by one. Others are known by being dated before the horizon.
 */
const mostRemembered = 5_000;

/** The same if many contacts share one date, as after an import. */
const mostOfOneDate = 20_000;

/** For how many of them, those with the latest dates, a digest of each field is remembered, too. */
const mostDetailed = 1_000;

/**
 * Contacts dated within so many ms before a walk are remembered one by one, however many they are:
 * for clocks that differ, for what appears late, and for dates without a time of day.
 */
const overlap = 48 * 60 * 60_000;

/**
 * A contact that is not remembered counts as new or changed only if it is dated so many ms after
 * the horizon: nearer to it, it may be a forgotten one whose dates are written in another way by
 * now.
 */
const margin = 24 * 60 * 60_000;

/** A contact without both dates is forgotten after it was missing in so many walks. */
const mostMissed = 250;

/** The bytes of a date, in ms since 1970. */
const dateBytes = 6;

/** A contact's identity, version, latest date, and three small numbers. */
const parts = [identityBytes, versionBytes, dateBytes, 1, 1, 1];
const entryBytes = parts.reduce((sum, bytes) => sum + bytes);
const detailBytes = identityBytes + fieldBytes * contactFieldNames.length;

/** How a contact compares with what is remembered. */
export type Comparison =
	| { is: 'known' }
	| { is: 'new' }
	| {
			is: 'changed';
			/** Absent if the earlier values are not remembered. */
			changedFields?: ContactFieldName[];
			/** How many updates of it have been put out as events. */
			updates: number;
	  };

/** A remembered contact. */
interface Entry {
	version: string;
	/** The latest date that it showed, in ms since 1970; 0 for none. */
	latest: number;
	/** Which dates it showed: the sum of 1 for its creation and 2 for its update. */
	shows: number;
	/** How many updates were put out, from 0 to 255, and from 0 again. */
	updates: number;
	/** How many walks have begun since it was last seen, from 0 to 255. */
	missed: number;
	fields?: string;
}

const showsUpdate = 2;
const showsBoth = 3;

/** What n8n stores of a memory. */
export interface StoredMemory {
	entries: string;
	details: string;
	horizon: number;
	began: number;
	hidesCreation: boolean;
}

/**
 * The contacts that polls have seen. Of 5,000 or fewer, each is remembered, with what stands for
 * its present state: nothing depends on dates then. Of more, those whose dates are the oldest are
 * forgotten, and known by being dated before the horizon.
 */
export class ContactMemory {
	private readonly entries = new Map<string, Entry>();

	/** Contacts dated until then count as known; in ms since 1970. */
	private horizon = 0;

	/**
	 * Whether it is usual here, as of the last complete walk, that contacts do not show their
	 * creation.
	 */
	private hidesCreation = false;

	/** When the last complete walk began, by the service's clock, in ms since 1970. */
	private began = 0;

	/** @throws UnreadableState for what no memory has stored */
	constructor(stored?: StoredMemory) {
		if (!stored) return;
		this.horizon = Number(stored.horizon);
		this.began = Number(stored.began);
		this.hidesCreation = Boolean(stored.hidesCreation);
		for (const row of unpack(stored.entries, entryBytes)) this.take(row);
		for (const row of unpack(stored.details, detailBytes)) {
			const entry = this.entries.get(row.slice(0, 2 * identityBytes));
			if (entry) entry.fields = row.slice(2 * identityBytes);
		}
	}

	/** How many contacts are remembered one by one. */
	get size(): number {
		return this.entries.size;
	}

	/** Whether it remembers this very contact, in whatever state. */
	has({ identity }: ContactSummary): boolean {
		return this.entries.has(identity);
	}

	/**
	 * Compares a contact with what is remembered, and remembers nothing. A later date counts as a
	 * change only if it lies after the last poll began: a service may change the way in which it
	 * writes all dates.
	 * @param asOf when the last poll began, by the service's clock, in ms since 1970; -Infinity if
	 * unknown
	 */
	compare(summary: ContactSummary, contact: AnyRecord, asOf: number): Comparison {
		const entry = this.entries.get(summary.identity);
		if (!entry) return this.compareByDates(summary);
		if (isAnother(entry, summary, asOf)) return { is: 'new' };
		if (!isChanged(entry, summary, asOf)) return { is: 'known' };
		const changedFields = entry.fields && differingFields(entry.fields, fieldDigestsOf(contact));
		return { is: 'changed', ...(changedFields && { changedFields }), updates: entry.updates };
	}

	/** Remembers a contact as it is. @param isTold whether its change is put out as an event */
	remember(summary: ContactSummary, contact: AnyRecord, isTold: boolean): void {
		const { updates = -1 } = this.entries.get(summary.identity) ?? {};
		this.entries.set(summary.identity, {
			version: summary.version,
			latest: inMs(summary.latest),
			shows: datesOf(summary),
			updates: Math.max(0, (updates + Number(isTold)) % 256),
			missed: 0,
			fields: fieldDigestsOf(contact),
		});
	}

	/** Notes that a contact was seen unchanged. */
	meet(summary: ContactSummary, contact: AnyRecord): void {
		const entry = this.entries.get(summary.identity);
		const shows = datesOf(summary);
		if (!entry && shows !== showsBoth) this.remember(summary, contact, false);
		if (!entry) return;
		entry.missed = 0;
		if (shows >= entry.shows) Object.assign(entry, { shows, latest: inMs(summary.latest) });
	}

	/** Notes that a walk over all contacts begins. */
	beginWalk(): void {
		for (const entry of this.entries.values()) entry.missed = Math.min(255, entry.missed + 1);
	}

	/**
	 * Notes that a walk over all contacts has ended. Contacts dated before the previous walk began
	 * have been looked for twice, so the oldest of them can be forgotten.
	 * @param began when it began, by the service's clock, in ms since 1970; not finite if unknown
	 */
	endWalk(began: number): void {
		for (const [identity, { shows, missed }] of this.entries) {
			if (shows !== showsBoth && missed > mostMissed) this.entries.delete(identity);
		}
		// Before the first walk, everything counts as known.
		if (this.began === 0 && Number.isFinite(began)) this.began = began;
		this.forgetOldest();
		if (Number.isFinite(began)) this.began = began;
		const hidesOne = ({ shows }: Entry) => shows === 0 || shows === showsUpdate;
		this.hidesCreation = [...this.entries.values()].some(hidesOne);
	}

	/** As n8n stores it. */
	stored(): StoredMemory {
		const byDate = [...this.entries].sort(([, one], [, other]) => other.latest - one.latest);
		const detailed = byDate.slice(0, mostDetailed).filter(([, { fields }]) => fields);
		return {
			entries: pack(byDate.map(([identity, entry]) => rowOf(identity, entry))),
			details: pack(detailed.map(([identity, { fields }]) => identity + fields)),
			horizon: this.horizon,
			began: this.began,
			hidesCreation: this.hidesCreation,
		};
	}

	/** Compares a contact that is not remembered by its dates. */
	private compareByDates({ createdAt, updatedAt }: ContactSummary): Comparison {
		if (this.horizon === 0) return { is: 'new' };
		const certain = this.horizon + margin;
		const isChanged = updatedAt > certain;
		// If contacts no longer show when they were created, one that was forgotten must not count as
		// new.
		const isNew = Number.isNaN(createdAt) ? this.hidesCreation : createdAt > certain;
		if (isNew) return { is: 'new' };
		return isChanged ? { is: 'changed', updates: 0 } : { is: 'known' };
	}

	private forgetOldest(): void {
		const dated = [...this.entries].filter(([, { shows }]) => shows === showsBoth);
		const byDate = dated.sort(([, one], [, other]) => one.latest - other.latest);
		const dates = byDate.map(([, { latest }]) => latest);
		const until = Math.min(lastBefore(dates, dates.length - mostRemembered), this.began - overlap);
		if (until <= this.horizon) return;
		this.horizon = until;
		for (const [identity, { latest }] of byDate) {
			if (latest <= until) this.entries.delete(identity);
		}
	}

	private take(row: string): void {
		const [identity, version, ...numbers] = partsOf(row);
		const [latest, shows, updates, missed] = numbers.map((digits) => parseInt(digits, 16));
		this.entries.set(identity, { version, latest, shows, updates, missed });
	}
}

/**
 * The date up to which contacts are forgotten, at most `excess` of them: contacts that share a date
 * are forgotten together or not at all. If too many share one date, they are forgotten all the
 * same.
 */
function lastBefore(dates: number[], excess: number): number {
	if (excess <= 0) return 0;
	const date = dates[excess - 1];
	const fewer = date === dates[excess] ? dates.indexOf(date) : excess;
	const isTooMany = dates.length - fewer > mostOfOneDate;
	return isTooMany ? date : (dates[fewer - 1] ?? 0);
}

function rowOf(identity: string, { version, latest, shows, updates, missed }: Entry): string {
	const small = [shows, updates, missed].map((number) => digitsOf(number, 1));
	return [identity, version, digitsOf(latest, dateBytes), ...small].join('');
}

function partsOf(row: string): string[] {
	let at = 0;
	return parts.map((bytes) => row.slice(at, (at += 2 * bytes)));
}

/** Whether it is another contact under the same id, created after the remembered one. */
function isAnother(entry: Entry, { createdAt, version }: ContactSummary, asOf: number): boolean {
	if (entry.latest === 0 || !(inMs(createdAt) > entry.latest)) return false;
	// It was missing in an earlier walk, not only in the one that is under way.
	const hadLeft = entry.missed > 1;
	if (hadLeft) return isAfter(inMs(createdAt), entry.latest);
	return createdAt >= asOf && version !== entry.version;
}

/** Dates count only if the contact shows them, and did when it was remembered. */
function isChanged(
	entry: Entry,
	{ version, updatedAt, latest }: ContactSummary,
	asOf: number,
): boolean {
	const isUpdated = entry.shows >= showsUpdate && updatedAt >= asOf;
	return version !== entry.version || (isUpdated && isAfter(inMs(latest), entry.latest));
}

function isAfter(one: number, other: number): boolean {
	return one > other && !isSameMoment(one, other);
}

/** A date may be cut to its second. */
function isSameMoment(one: number, other: number): boolean {
	const isCut = one % 1000 === 0 || other % 1000 === 0;
	return one === other || (isCut && Math.floor(one / 1000) === Math.floor(other / 1000));
}

function datesOf({ createdAt, updatedAt }: ContactSummary): number {
	return Number(!Number.isNaN(createdAt)) + showsUpdate * Number(!Number.isNaN(updatedAt));
}

/** A date as it is remembered: 0 stands for none. */
function inMs(date: number): number {
	return Number.isNaN(date) ? 0 : Math.min(Math.max(1, date), 256 ** dateBytes - 1);
}
