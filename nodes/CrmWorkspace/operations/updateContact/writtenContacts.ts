/**
 * What this process has written with an API key. A run may have read a contact before another one
 * wrote it, and a search may show a contact some time later as it was before.
 */
import { toCanonical } from '../../service/contactValues';
import { normalizedEmail } from '../../service/formats';
import { computeFingerprint } from '../../service/idempotencyKey';
import { contactFieldNames, type Contact } from '../../service/records';
import { parseTime } from '../../service/serviceTime';

/** How long a list or a search may show a contact as it was before, in ms. */
const memoryMs = 2 * 60_000;

/** The last update of a contact. Moments are in ms. */
interface Writing {
	at: number;
	/** As the service returned it; of an update of unknown outcome, as it was before. */
	record: Contact;
	isUncertain: boolean;
	/** Digests of what the contact had before. */
	earlier: Set<string>;
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
	 * @param addresses those that the contact may have now
	 */
	note(before: Contact, record: Contact | undefined, addresses: unknown[]): void {
		const id = before.id.toLowerCase();
		const known = this.byId.get(id);
		const writing = {
			at: performance.now(),
			record: record ?? known?.record ?? before,
			isUncertain: !record,
			earlier: new Set(known?.earlier).add(digest(before)),
		};
		this.byId.delete(id);
		this.byId.set(id, writing);
		for (const email of addresses.map(normalizedEmail)) {
			this.byEmail.delete(email);
			this.byEmail.set(email, writing);
		}
		this.forgetOld();
	}

	/**
	 * A contact as it was written, if that is later than what was read: by the dates, or else if what
	 * was read is known to be older.
	 * @param since when it was read at the earliest
	 * @returns undefined if the outcome of an update since then is unknown
	 */
	newest(read: Contact, since: number): Contact | undefined {
		this.forgetOld();
		const writing = this.byId.get(read.id.toLowerCase());
		if (!writing) return read;
		if (writing.isUncertain && writing.at > since) return undefined;
		const [readAt, writtenAt] = [read, writing.record].map((one) => parseTime(one.updatedAt));
		if (readAt > writtenAt) return read;
		const isUndated = Number.isNaN(readAt - writtenAt);
		const isOlder = readAt < writtenAt || (isUndated && writing.at > since);
		return isOlder || writing.earlier.has(digest(read)) ? writing.record : read;
	}

	/** The contact that may have an address since it was written. */
	withEmail(email: string): Contact | undefined {
		return this.byEmail.get(normalizedEmail(email))?.record;
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

function digest(contact: Contact): string {
	return computeFingerprint(contactFieldNames.map((name) => toCanonical(name, contact[name])));
}

const ofKeys = new WeakMap<object, WrittenContacts>();

/** @param key the same object for all runs of the process with an API key */
export function getWrittenContacts(key: object): WrittenContacts {
	const written = ofKeys.get(key) ?? new WrittenContacts();
	ofKeys.set(key, written);
	return written;
}
