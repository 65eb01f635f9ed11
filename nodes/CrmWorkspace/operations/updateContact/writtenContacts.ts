/**
 * What this process has written with an API key. A run may have read a contact before another one
 * wrote it, and a search may show a contact some time later as it was before.
 */
import { normalizedEmail } from '../../service/formats';
import type { Contact } from '../../service/records';
import { parseTime } from '../../service/serviceTime';

/** How long a search may show a contact as it was before, in ms. */
const memoryMs = 5 * 60_000;

/** The last update of a contact. Moments are in ms. */
interface Writing {
	at: number;
	/** As the service returned it; of an update of unknown outcome, the one before; maybe undefined. */
	record?: Contact;
	isUncertain: boolean;
	/** The addresses that the contact may have. */
	emails: Set<string>;
}

export class WrittenContacts {
	/** By IDs in lower case, the last updated one at the end. */
	private readonly writings = new Map<string, Writing>();

	private readonly idsByEmail = new Map<string, string>();

	/** When the runs under way began. */
	private readonly runs = new Set<{ beganAt: number }>();

	/** Everything that is written is remembered until the run is closed. */
	openRun(): { beganAt: number } {
		this.forgetOld();
		const run = { beganAt: performance.now() };
		this.runs.add(run);
		return run;
	}

	closeRun(run: { beganAt: number }): void {
		this.runs.delete(run);
		this.forgetOld();
	}

	/**
	 * Notes what an update has made of a contact.
	 * @param record undefined if that isn't certain
	 * @param addresses those that the contact may have now
	 */
	note(id: string, record: Contact | undefined, addresses: unknown[]): void {
		const name = id.toLowerCase();
		const before = this.writings.get(name);
		const emails = new Set([...(before?.emails ?? []), ...addresses.map(normalizedEmail)]);
		const writing = { at: performance.now(), record: record ?? before?.record, emails };
		this.writings.delete(name);
		this.writings.set(name, { ...writing, isUncertain: !record });
		for (const email of emails) this.idsByEmail.set(email, name);
		this.forgetOld();
	}

	/** Whether the outcome of the last update since a moment is unknown. */
	isUncertain({ id }: Contact, since: number): boolean {
		const writing = this.writings.get(id.toLowerCase());
		return writing !== undefined && writing.isUncertain && writing.at >= since;
	}

	/**
	 * A contact as it was written, if that is later than what was read.
	 * @param since when it was read at the earliest
	 */
	newest(read: Contact, since: number): Contact {
		const { at = 0, record } = this.writings.get(read.id.toLowerCase()) ?? {};
		if (!record) return read;
		const [readAt, writtenAt] = [read, record].map(({ updatedAt }) => parseTime(updatedAt));
		const isLater = at >= since ? !(readAt > writtenAt) : readAt <= writtenAt;
		return isLater ? record : read;
	}

	/** The ID of the contact that may have an address since it was written. */
	findId(email: string): string | undefined {
		return this.idsByEmail.get(normalizedEmail(email));
	}

	private forgetOld(): void {
		const began = Array.from(this.runs, ({ beganAt }) => beganAt);
		const since = Math.min(performance.now() - memoryMs, ...began);
		for (const [id, { at, emails }] of this.writings) {
			if (at >= since) break;
			this.writings.delete(id);
			for (const email of emails) {
				if (this.idsByEmail.get(email) === id) this.idsByEmail.delete(email);
			}
		}
	}
}

const ofKeys = new WeakMap<object, WrittenContacts>();

/** @param key the same object for all runs of the process with an API key */
export function getWrittenContacts(key: object): WrittenContacts {
	const written = ofKeys.get(key) ?? new WrittenContacts();
	ofKeys.set(key, written);
	return written;
}
