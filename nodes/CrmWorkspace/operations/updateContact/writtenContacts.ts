/**
 * What this process has written with an API key. A run may have read a contact before another one
 * wrote it, and a search may show a contact some time later as it was before.
 */
import { normalizedEmail } from '../../service/formats';
import type { Contact } from '../../service/records';
import { parseTime } from '../../service/serviceTime';

/** How long a list or a search may show a contact as it was before, in ms. */
const memoryMs = 5 * 60_000;

/** The last update of a contact. Moments are in ms. */
interface Writing {
	/** In lower case. */
	id: string;
	at: number;
	/** As the service returned it; of an update of unknown outcome, the one before; maybe undefined. */
	record?: Contact;
	isUncertain: boolean;
}

export class WrittenContacts {
	/** By IDs in lower case, the last one at the end. */
	private readonly byId = new Map<string, Writing>();

	/** By the addresses that the contact may have since then. */
	private readonly byEmail = new Map<string, Writing>();

	/** The runs under way: what was written shortly before they began is remembered until they end. */
	readonly runs = new Set<{ beganAt: number }>();

	/**
	 * Notes what an update has made of a contact.
	 * @param record undefined if that isn't certain
	 * @param addresses those that the contact may have now
	 */
	note(id: string, record: Contact | undefined, addresses: unknown[]): void {
		const name = id.toLowerCase();
		const known = record ?? this.byId.get(name)?.record;
		const writing = { id: name, at: performance.now(), record: known, isUncertain: !record };
		this.byId.delete(name);
		this.byId.set(name, writing);
		for (const email of addresses.map(normalizedEmail)) {
			this.byEmail.delete(email);
			this.byEmail.set(email, writing);
		}
		this.forgetOld();
	}

	/**
	 * A contact as it was written, if that is later than what was read.
	 * @param since when it was read at the earliest
	 * @returns undefined if the outcome of an update since then is unknown
	 */
	newest(read: Contact, since: number): Contact | undefined {
		this.forgetOld();
		const { at = 0, record, isUncertain } = this.byId.get(read.id.toLowerCase()) ?? {};
		if (isUncertain && at > since) return undefined;
		if (!record) return read;
		const [readAt, writtenAt] = [read, record].map(({ updatedAt }) => parseTime(updatedAt));
		const isLater = at > since ? !(readAt > writtenAt) : readAt <= writtenAt;
		return isLater ? record : read;
	}

	/** The ID of the contact that may have an address since it was written. */
	findId(email: string): string | undefined {
		return this.byEmail.get(normalizedEmail(email))?.id;
	}

	private forgetOld(): void {
		const began = Array.from(this.runs, ({ beganAt }) => beganAt);
		const since = Math.min(performance.now(), ...began) - memoryMs;
		for (const writings of [this.byId, this.byEmail]) {
			for (const [name, { at }] of writings) {
				if (at >= since) break;
				writings.delete(name);
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
