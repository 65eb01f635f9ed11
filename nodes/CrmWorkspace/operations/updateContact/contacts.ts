import { ExplainedError } from '../../transport/failure';
import { ContactFinder } from '../../service/contactFinder';
import { normalizedEmail } from '../../service/formats';
import { contactFieldNames, type ContactFieldName, type Contact } from '../../service/records';
import { formatFields } from '../../parameters/contactFields';
import { formatList } from '../../text/plainText';
import type { Connection } from '../../transport/connection';
import { dependsOnTags, needsRecord, type Update } from './update';
import { getWrittenContacts, type WrittenContacts } from './writtenContacts';

/**
 * The contacts of one run: as it has read them, and as any run of this process has written them since.
 * It has to be closed at the end of the run.
 */
export class Contacts {
	readonly finder: ContactFinder;

	readonly written: WrittenContacts;

	readonly beganAt = performance.now();

	/** @param concurrency number of requests that may be under way at once when all contacts are read */
	constructor(connection: Connection, concurrency: number) {
		this.finder = new ContactFinder(connection, concurrency);
		this.written = getWrittenContacts(connection.rateLimiter);
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
		throw new ExplainedError({
			message: `The service doesn't show ${formatFields(unknown)} of this contact`,
			advice:
				"Nothing was changed, because values could get lost. If the service leaves out what has no value, set 'Tag Mode' to Replace All, and 'Unmapped Fields' to Auto-Detect.",
		});
	}

	private async findById(
		{ id, cachedEmail }: { id: string; cachedEmail?: string },
		isNeeded: boolean,
	): Promise<Contact> {
		const record = await this.finder.withId(id, cachedEmail, isNeeded);
		if (record || !isNeeded) return record ?? { id };
		throw notFound(`the ID ${id}`);
	}

	private async findByEmail(email: string): Promise<Contact> {
		const [contact, ...others] = await this.findAllByEmail(email);
		if (!contact) throw notFound(`the email ${email}`);
		if (others.length === 0) return contact;
		const ids = [contact, ...others].map(({ id }) => id);
		throw new ExplainedError({
			message: `${ids.length} contacts have the email ${email}: ${formatList(ids)}`,
			advice: 'Nothing was changed. Give each an email address of its own, or choose one By ID.',
		});
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
		throw new ExplainedError({
			message: 'The outcome of an earlier update of this contact is unknown',
			advice:
				"This item wasn't updated: run it again. The service may have made the earlier update.",
		});
	}
}

function notFound(name: string): ExplainedError {
	const advice =
		'Nothing was written for this item. All contacts were read: it may be deleted, or belong to the other mode, because test and live data are separate. If contacts were added or removed during the reading, run this item again.';
	return new ExplainedError({ message: `No contact with ${name} was found`, advice });
}

/** The fields that must not get lost. */
function getNeededFields(update: Update): ContactFieldName[] {
	return contactFieldNames.filter((name) =>
		name in update.fields
			? name === 'tags' && dependsOnTags(update)
			: update.unmappedFields === 'preserve',
	);
}
