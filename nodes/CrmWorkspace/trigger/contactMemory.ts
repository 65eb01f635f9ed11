import type { ContactFieldName } from '../service/records';
import {
	differingFields,
	fieldBytes,
	fieldDigestsOf,
	versionBytes,
	type ContactPrint,
} from './contactPrint';
import { contactFieldNames } from '../service/records';
import { identityBytes, type AnyRecord } from './digest';
import { digitsOf, pack, unpack } from './packed';

/** How many contacts are remembered one by one where the others can be told by their dates. */
const mostRemembered = 5_000;

/** Of how many of them the fields are remembered, too: those whose dates are the latest. */
const mostDetailed = 1_000;

/**
 * Contacts dated within so many seconds before a walk are remembered one by one, however many they
 * are: for clocks that differ, and for what appears late.
 */
const overlap = 3_600;

/** In so many walks a contact may be missing before one without dates is forgotten. */
const mostMissed = 250;

const dateBytes = 4;
const entryBytes = identityBytes + versionBytes + dateBytes + 3;
const detailBytes = identityBytes + fieldBytes * contactFieldNames.length;

/** What a contact is, compared with what is remembered. */
export type Comparison =
	| { is: 'known' }
	| { is: 'new' }
	| {
			is: 'changed';
			/** Where the earlier values are remembered. */
			changedFields?: ContactFieldName[];
			/** How many updates of it there were before that its dates do not tell apart. */
			undated: number;
	  };

/** A remembered contact. */
interface Entry {
	version: string;
	/** The latest date that it showed, in seconds since 1970; 0 for none. */
	date: number;
	/** Whether it shows both its dates, so that it can be told by them. */
	isDated: boolean;
	/** How many updates there were without a later date, from 0 to 255. */
	undated: number;
	/** How many walks have begun since it was last seen, from 0 to 255. */
	missed: number;
	fields?: string;
}

/** What n8n stores of a memory. */
export interface StoredMemory {
	entries: string;
	details: string;
	horizon: number;
	began: number;
}

/**
 * The contacts that polls have seen. Of 5,000 or fewer, each is remembered, with what stands for its
 * present state: nothing depends on dates then. Of more, those whose dates are the oldest are
 * forgotten, and known by being dated before the horizon.
 */
export class ContactMemory {
	private readonly entries = new Map<string, Entry>();

	/** Contacts dated until then count as known; in seconds since 1970. */
	private horizon = 0;

	private hasUndated?: boolean;

	/** When the last complete walk began, by the service's clock, in seconds since 1970. */
	private began = 0;

	/** @throws UnreadableState for what no memory has stored */
	constructor(stored?: StoredMemory) {
		if (!stored) return;
		this.horizon = Number(stored.horizon);
		this.began = Number(stored.began);
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
	has({ identity }: ContactPrint): boolean {
		return this.entries.has(identity);
	}

	/** Says what a contact is, and remembers nothing. */
	compare(print: ContactPrint, contact: AnyRecord): Comparison {
		const entry = this.entries.get(print.identity);
		if (!entry) return this.compareByDates(print);
		if (entry.version === print.version) return { is: 'known' };
		// An update cannot make it younger than it was: this is another one with its id.
		if (entry.date > 0 && inSeconds(print.createdAt) > entry.date) return { is: 'new' };
		const fields = entry.fields && differingFields(entry.fields, fieldDigestsOf(contact));
		return {
			is: 'changed',
			...(fields && { changedFields: fields }),
			undated: entry.undated,
		};
	}

	/** Remembers a contact as it is. */
	note(print: ContactPrint, contact: AnyRecord): void {
		const known = this.entries.get(print.identity);
		const isUndated = known && known.version !== print.version && !this.isLater(print);
		this.entries.set(print.identity, {
			version: print.version,
			date: Number.isNaN(print.latest) ? 0 : inSeconds(print.latest),
			isDated: isDated(print),
			undated: ((known?.undated ?? 0) + Number(isUndated ?? false)) % 256,
			missed: 0,
			fields: fieldDigestsOf(contact),
		});
	}

	/** Takes note of a contact that is as it was. */
	meet(print: ContactPrint, contact: AnyRecord): void {
		const entry = this.entries.get(print.identity);
		if (entry) entry.missed = 0;
		else if (!isDated(print)) this.note(print, contact);
	}

	/** Whether a contact shows a later date than when it was last seen. */
	isLater({ identity, latest }: ContactPrint): boolean {
		const entry = this.entries.get(identity);
		return !entry || inSeconds(latest) > entry.date;
	}

	/** A walk over all contacts begins. */
	beginWalk(): void {
		for (const entry of this.entries.values()) entry.missed = Math.min(255, entry.missed + 1);
	}

	/**
	 * A walk over all contacts has come to its end. What was dated before the walk before this one
	 * began has been looked for twice.
	 * @param began when it began, by the service's clock, in ms since 1970; not finite if unknown
	 */
	endWalk(began: number): void {
		for (const [identity, { isDated, missed }] of this.entries) {
			if (!isDated && missed > mostMissed) this.entries.delete(identity);
		}
		// Before the first walk, everything counts as known.
		if (this.began === 0 && Number.isFinite(began)) this.began = inSeconds(began);
		this.forgetOldest();
		if (Number.isFinite(began)) this.began = inSeconds(began);
	}

	/** As n8n stores it. */
	stored(): StoredMemory {
		const byDate = [...this.entries].sort(([, one], [, other]) => other.date - one.date);
		const detailed = byDate.slice(0, mostDetailed).filter(([, { fields }]) => fields);
		return {
			entries: pack(byDate.map(([identity, entry]) => rowOf(identity, entry))),
			details: pack(detailed.map(([identity, { fields }]) => identity + fields)),
			horizon: this.horizon,
			began: this.began,
		};
	}

	/** Of contacts that are not remembered, only the dates can tell. */
	private compareByDates({ createdAt, updatedAt }: ContactPrint): Comparison {
		if (this.horizon === 0) return { is: 'new' };
		// One that stops to show when it was created would else count as new.
		if (Number.isNaN(createdAt)) return { is: this.remembersUndated ? 'new' : 'known' };
		if (inSeconds(createdAt) > this.horizon) return { is: 'new' };
		return inSeconds(updatedAt) > this.horizon ? { is: 'changed', undated: 0 } : { is: 'known' };
	}

	/** Whether it is usual here that contacts do not show their dates. */
	private get remembersUndated(): boolean {
		this.hasUndated ??= [...this.entries.values()].some(({ date }) => date === 0);
		return this.hasUndated;
	}

	private forgetOldest(): void {
		const dated = [...this.entries].filter(([, { isDated }]) => isDated);
		const excess = dated.length - mostRemembered;
		if (excess <= 0) return;
		const byDate = dated.sort(([, one], [, other]) => one.date - other.date);
		const until = Math.min(byDate[excess - 1][1].date, this.began - overlap);
		if (until <= this.horizon) return;
		this.horizon = until;
		for (const [identity, { date }] of byDate) {
			if (date <= until) this.entries.delete(identity);
		}
	}

	private take(row: string): void {
		const [identity, version, date, ...flags] = partsOf(row);
		const [isDated, undated, missed] = flags.map((digits) => parseInt(digits, 16));
		this.entries.set(identity, {
			version,
			date: parseInt(date, 16),
			isDated: isDated === 1,
			undated,
			missed,
		});
	}
}

function rowOf(identity: string, { version, date, isDated, undated, missed }: Entry): string {
	const flags = [Number(isDated), undated, missed].map((number) => digitsOf(number, 1));
	return [identity, version, digitsOf(date, dateBytes), ...flags].join('');
}

function partsOf(row: string): string[] {
	let at = 0;
	return [identityBytes, versionBytes, dateBytes, 1, 1, 1].map((bytes) => {
		const part = row.slice(at, at + 2 * bytes);
		at += 2 * bytes;
		return part;
	});
}

/** Whether a contact can be told by its dates. */
function isDated({ createdAt, updatedAt }: ContactPrint): boolean {
	return !Number.isNaN(createdAt) && !Number.isNaN(updatedAt);
}

function inSeconds(moment: number): number {
	return Math.floor(moment / 1000);
}
