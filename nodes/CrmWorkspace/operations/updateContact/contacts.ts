/**
 * The contacts of one run: as it has read them, and as any run of this process has written them
 * since. A run may have read a contact before another one wrote it, and a search may show a contact
 * some time later as it was before.
 */
import { ContactFinder } from '../../api/contactFinder';
import { normalizedEmail, parseTime } from '../../api/formats';
import {
	contactFieldNames,
	nameContact,
	type Contact,
	type ContactFieldName,
	type ContactFields,
} from '../../api/records';
import type { Client } from '../../client/request';
import { ExplainedError } from '../../common/text';
import { texts } from './texts';
import { dependsOnTags, needsRecord, type Update } from './update';

/** It has to be closed at the end of the run. */
export class Contacts {
	readonly finder: ContactFinder;

	readonly written: WrittenContacts;

	readonly beganAt = performance.now();

	/** @param concurrency number of requests that may be under way at once when all contacts are read */
	constructor(
		private readonly client: Client,
		concurrency: number,
	) {
		this.finder = new ContactFinder(client, concurrency);
		this.written = getWrittenContacts(client.keyIdentity);
		this.written.runs.add(this);
	}

	close(): void {
		this.written.runs.delete(this);
	}

	/**
	 * The one contact that an item means, with its record if that is needed or saves a write.
	 * @throws ExplainedError if there is no such contact, more than one, or none for certain
	 */
	async find(update: Update): Promise<Contact> {
		const { reference } = update;
		if ('email' in reference) return await this.findByEmail(reference.email);
		return await this.findById(reference, needsRecord(update));
	}

	/**
	 * A contact that was found, as it has been written since.
	 * @throws ExplainedError if that isn't certain, or if what must not get lost isn't shown
	 */
	bringUpToDate(found: Contact, update: Update): Contact {
		const contact = this.newest(found);
		const unknown = getNeededFields(update).filter((name) => contact[name] === undefined);
		if (unknown.length === 0) return contact;
		throw new ExplainedError(texts.unknownValues(this.nameOf(contact), unknown));
	}

	private async findById(
		{ id, cachedEmail }: { id: string; cachedEmail?: string },
		isNeeded: boolean,
	): Promise<Contact> {
		const record = await this.finder.withId(id, cachedEmail, isNeeded);
		if (record || !isNeeded) return record ?? { id };
		throw new ExplainedError(texts.notFound(`the ID ${id}`));
	}

	private async findByEmail(email: string): Promise<Contact> {
		const [contact, ...others] = await this.findAllByEmail(email);
		if (!contact) throw new ExplainedError(texts.notFound(`the email ${email}`));
		if (others.length === 0) return contact;
		const ids = [contact, ...others].map(({ id }) => this.client.redact(id));
		throw new ExplainedError(texts.severalHave(email, ids));
	}

	/** The contacts that have an address by now: it may have changed since they were read. */
	private async findAllByEmail(email: string): Promise<Contact[]> {
		const name = normalizedEmail(email);
		const hasAddress = (contact: Contact) => normalizedEmail(contact.email) === name;
		const read: Contact[] = await this.finder.withEmail(email);
		const found = read.filter((contact) => hasAddress(this.newest(contact)));
		if (found.length > 0) return found;
		const written = this.written.withEmail(email, this.beganAt);
		return written && hasAddress(this.newest(written)) ? [written] : [];
	}

	/**
	 * A contact as it was read, or written since.
	 * @throws ExplainedError if it isn't certain what was written
	 */
	private newest(read: Contact): Contact {
		const newest = this.written.newest(read, this.beganAt);
		if (newest) return newest;
		throw new ExplainedError(texts.earlierUnknown(this.nameOf(read)));
	}

	private nameOf(contact: Contact): string {
		return this.client.redact(nameContact(contact));
	}
}

/** The fields that must not get lost. */
function getNeededFields(update: Update): ContactFieldName[] {
	return contactFieldNames.filter((name) =>
		name in update.fields
			? name === 'tags' && dependsOnTags(update)
			: update.unmappedFields === 'preserve',
	);
}

/** How long a list or a search may show a contact as it was before, in ms. */
const memoryMs = 2 * 60_000;

/** The last update of a contact. Moments are in ms. */
interface Writing {
	at: number;
	/** As the service returned it; of an update of unknown outcome, as it was before. */
	record: Contact;
	isUncertain: boolean;
}

/** What this process has written with an API key. */
class WrittenContacts {
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
function getWrittenContacts(key: object): WrittenContacts {
	const written = ofKeys.get(key) ?? new WrittenContacts();
	ofKeys.set(key, written);
	return written;
}
