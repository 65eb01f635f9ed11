import { digest, identityBytes, identityParts, type AnyRecord } from '../digest';
import { yieldToEventLoop } from '../../transport/clock';
import { digitsOf, pack, unpack } from '../packed';

/** In answers: a record that was missing in more is forgotten. */
const maxMissed = 250;

const absentBytes = identityBytes + 2;

export interface StoredRecordMemory {
	present: string;
	absent: string;
	returned: Record<string, number>;
}

/** A record of an answer, with what identifies it. */
export interface SeenRecord {
	identity: string;
	record: AnyRecord;
	/** How often it had come back before. */
	returns: number;
}

/** Remembers which records are in a collection that the service answers whole, and which were. */
export class RecordMemory {
	private readonly present: Set<string>;

	/** Those that are missing, with the number of answers that they were missing in. */
	private readonly absent = new Map<string, number>();

	private readonly returned: Map<string, number>;

	/** @throws UnreadableState for what no memory has stored */
	constructor(stored?: StoredRecordMemory) {
		this.present = new Set(stored ? unpack(stored.present, identityBytes) : []);
		this.returned = new Map(Object.entries(stored?.returned ?? {}));
		for (const row of stored ? unpack(stored.absent, absentBytes) : []) {
			const missed = parseInt(row.slice(2 * identityBytes), 16);
			this.absent.set(row.slice(0, 2 * identityBytes), missed);
		}
	}

	get size(): number {
		return this.present.size + this.absent.size;
	}

	has({ identity }: SeenRecord): boolean {
		return this.present.has(identity) || this.absent.has(identity);
	}

	/** Whether the record was in the list the last time. */
	isPresent({ identity }: SeenRecord): boolean {
		return this.present.has(identity);
	}

	/** The records of an answer, each once. Equal records without an id count as several. */
	async seenIn(records: AnyRecord[]): Promise<SeenRecord[]> {
		const seen = new Map<string, SeenRecord>();
		const equals = new Map<string, number>();
		for (const record of records) {
			const [kind, what] = identityParts(record) as [string, unknown];
			const equal = digest([kind, what], identityBytes);
			const number = kind === 'id' ? 1 : (equals.get(equal) ?? 0) + 1;
			equals.set(equal, number);
			const identity = number === 1 ? equal : digest([equal, number], identityBytes);
			const returns = (this.returned.get(identity) ?? 0) + Number(this.absent.has(identity));
			seen.set(identity, { identity, record, returns });
			await yieldToEventLoop();
		}
		return [...seen.values()];
	}

	remember({ identity, returns }: SeenRecord): void {
		this.present.add(identity);
		this.absent.delete(identity);
		if (returns > 0) this.returned.set(identity, returns);
	}

	/** Remembers which records an answer did not have. */
	noteAbsent(seen: SeenRecord[]): void {
		const there = new Set(seen.map(({ identity }) => identity));
		for (const identity of this.present) {
			if (there.has(identity)) continue;
			this.present.delete(identity);
			this.absent.set(identity, 0);
		}
		for (const [identity, missed] of this.absent) {
			if (there.has(identity)) continue;
			this.absent.set(identity, missed + 1);
			if (missed >= maxMissed) this.forget(identity);
		}
	}

	/** As n8n stores it. */
	stored(): StoredRecordMemory {
		const rows = [...this.absent].map(([identity, missed]) => identity + digitsOf(missed, 2));
		return {
			present: pack([...this.present]),
			absent: pack(rows),
			returned: Object.fromEntries(this.returned),
		};
	}

	private forget(identity: string): void {
		this.absent.delete(identity);
		this.returned.delete(identity);
	}
}
