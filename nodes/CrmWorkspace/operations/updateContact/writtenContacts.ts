/**
 * What this process has written with an API key. A run may have read a contact before another one
 * wrote it, and a search may show a contact some time later as it was before.
 */
import { normalizedEmail } from '../../service/formats';
import type { Contact, ContactFields } from '../../service/records';
import { parseTime } from '../../service/serviceTime';

/** How long a list or a search may show a contact as it was before, in ms. */
const memoryMs = 2 * 60_000;

/** The last update of a contact. Moments are in ms. */
interface Writing {
	at: number;
	/** As the service returned it; of an update of unknown outcome, as it was before. */
	record: Contact;
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
	 * @param before as it was
	 * @param record undefined if that isn't certain
	 * @param sent what was written
	 */
	note(before: Contact, record: Contact | undefined, sent: ContactFields): void {
		const id = before.id.toLowerCase();
		const known = record ?? this.byId.get(id)?.record ?? before;
		const writing = { at: performance.now(), record: known, isUncertain: !record };
		this.byId.delete(id);
		this.byId.set(id, writing);
		for (const email of [before.email, sent.email, record?.email].map(normalizedEmail)) {
			this.byEmail.delete(email);
			this.byEmail.set(email, writing);
		}
	}

	/**
	 * A contact as it was written, if that is later than what was read: if it was written before the
	 * reading, only its date shows that.
	 * @param since when it was read at the earliest
	 * @returns undefined if the outcome of an update since then is unknown
	 */
	newest(read: Contact, since: number): Contact | undefined {
		this.forgetOld();
		const writing = this.byId.get(read.id.toLowerCase());
		if (!writing) return read;
		if (writing.isUncertain && writing.at > since) return undefined;
		const [readAt, writtenAt] = [read, writing.record].map((one) => parseTime(one.updatedAt));
		const isOlder = writing.at > since ? !(readAt > writtenAt) : readAt < writtenAt;
		return isOlder ? writing.record : read;
	}

	/** The contact that may have an address since it was written; later, only if that is certain. */
	withEmail(email: string, since: number): Contact | undefined {
		const { record } = this.byEmail.get(normalizedEmail(email)) ?? {};
		const last = record && this.byId.get(record.id.toLowerCase());
		return last && (!last.isUncertain || last.at > since) ? last.record : undefined;
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
