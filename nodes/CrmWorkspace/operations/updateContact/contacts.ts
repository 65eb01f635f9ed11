import type { ContactFinder, Lookup } from '../../service/lookup/contactFinder';
import { normalizedEmail } from '../../service/formats';
import type { ContactFields } from '../../service/records';
import { listed } from '../../text/plainText';
import { ItemProblem } from '../itemProblem';
import { isSameValue } from './changes';
import { afterFailure, asRead, unread, type KnownContact } from './knownContact';
import { mergesTags, needsRecord, type Update } from './update';

/** Shared by all items that change the email address of a contact named by its ID. */
const addressChange = 'an address changes';

/** Shared by all items where some name their contacts by ID and others by email. */
const anyContact = 'any contact';

/**
 * The contacts of one run: as they are found, and as the run has written them since. An email address
 * means the contact that has it at the time of asking.
 */
export class Contacts {
	private readonly written = new Map<string, KnownContact>();

	/** IDs of the contacts to which this run has given an address, or meant to, by address. */
	private readonly idsByAddress = new Map<string, Set<string>>();

	/**
	 * Addresses of which it is not known who has them, because an update that changes them failed
	 * without an answer.
	 */
	private readonly doubtfulAddresses = new Set<string>();

	private readonly idsOfAddressChanges = new Set<string>();

	private readonly referenceKinds = new Set<string>();

	constructor(private readonly finder: ContactFinder) {}

	/** Says that an item will ask for its contact. Has to be called for all before the first one. */
	expect(update: Update): void {
		this.referenceKinds.add('id' in update.reference ? 'id' : 'email');
		this.finder.expect(lookupOf(update));
	}

	/**
	 * Items that share a name are done in input order. Has to be called in input order, too.
	 */
	async lockNamesFor({ reference, fields }: Update): Promise<string[]> {
		if (this.referenceKinds.size > 1) return [anyContact];
		if ('email' in reference) {
			return [reference.email, fields.email ?? reference.email].map(normalizedEmail);
		}
		const id = reference.id.toLowerCase();
		if (fields.email === undefined) return [id];

		// One contact may take the address that another one gives up. Who has which is known only
		// where the records are read, so all changes of addresses keep their order.
		const record = await this.finder.withId(id);
		const isOwn = record && normalizedEmail(record.email) === normalizedEmail(fields.email);
		if (isOwn && !this.idsOfAddressChanges.has(id)) return [id];
		this.idsOfAddressChanges.add(id);
		return [id, addressChange];
	}

	/**
	 * The one contact that an item is for, with its record where that is needed or spares a write.
	 * @throws ItemProblem when there is no such contact, more than one, or its tags are needed and not
	 * shown
	 */
	async find(update: Update): Promise<KnownContact> {
		const { reference } = update;
		const contact =
			'email' in reference
				? await this.withEmail(reference.email, update.fields.email)
				: await this.withId(reference.id, needsRecord(update));
		return mergesTags(update) ? await this.withTags(contact) : contact;
	}

	/**
	 * Makes sure in a dry run, where the service is not asked, that an item does not give its contact
	 * the address of another one.
	 * @throws ItemProblem when it does
	 */
	async refuseTakenAddress({ id }: KnownContact, { email }: ContactFields): Promise<void> {
		if (!email) return;
		const others = (await this.allWithEmail(email)).filter((one) => one.id !== id);
		if (others.length === 0) return;
		throw new ItemProblem({
			message: `The email address ${email} is already used by another contact`,
			advice: `Each email address belongs to one contact of the workspace: take it from the other one first, or leave Email out. This one has it: ${listed([others[0].id])}.`,
		});
	}

	/** @param contact as an update has written it */
	noteWritten(contact: KnownContact): void {
		const id = contact.id.toLowerCase();
		const address = normalizedEmail(contact.record.email);
		this.written.set(id, contact);
		this.idsByAddress.set(address, (this.idsByAddress.get(address) ?? new Set()).add(id));
	}

	/** @param mayBeDone whether the service may have made the update that failed all the same */
	noteFailed(contact: KnownContact, { email }: ContactFields, mayBeDone: boolean): void {
		if (!mayBeDone) return;
		this.noteWritten(afterFailure(contact));
		const [before, after] = [contact.record.email, email].map(normalizedEmail);
		if (email !== undefined && after !== before) this.doubtfulAddresses.add(before).add(after);
	}

	private async withId(id: string, isNeeded: boolean): Promise<KnownContact> {
		const record = await this.finder.withId(id);
		if (record || !isNeeded) return this.asWritten(record ? asRead(record) : unread(id));
		throw new ItemProblem({
			message: `There is no contact with the ID ${id}`,
			advice: `${await this.extentOfSearch()} It may be deleted, or belong to the data of the other mode: test and live data are separate.`,
		});
	}

	private asWritten(found: KnownContact): KnownContact {
		const written = this.written.get(found.id.toLowerCase());
		return written ? { ...written, record: { ...found.record, ...written.record } } : found;
	}

	/** A contact of which it is known what tags it has: a service may leave out an empty list. */
	private async withTags(contact: KnownContact): Promise<KnownContact> {
		const { tags } = contact.record;
		if (Array.isArray(tags) || (tags !== undefined && isSameValue('tags', tags, [])))
			return contact;
		if (tags === undefined && (await this.finder.shows('tags'))) {
			return { ...contact, certain: new Set([...contact.certain, 'tags']) };
		}
		throw new ItemProblem({
			message: 'The service does not show which tags this contact has',
			advice:
				'Nothing was changed, because tags could get lost: no contact shows any. If none has a tag yet, give one to any contact first, with Tags set to Replace All or in the service.',
		});
	}

	private async withEmail(email: string, another?: string | null): Promise<KnownContact> {
		const address = normalizedEmail(email);
		if (this.doubtfulAddresses.has(address)) {
			throw new ItemProblem({
				message: `It is not certain which contact has the email ${email}`,
				advice:
					'An earlier item was to change it and failed, and may have been done all the same. Run this item again.',
			});
		}
		const matches = await this.allWithEmail(email);
		if (matches.length === 1) return matches[0];
		if (matches.length > 1) {
			const ids = listed(matches.map(({ id }) => id));
			throw new ItemProblem({
				message: `${matches.length} contacts have the email ${email}: ${ids}`,
				advice: 'Nothing was changed. Give each an email address of its own, or choose one By ID.',
			});
		}
		const wasThere = (await this.finder.withEmail(email)).length > 0;
		const isThere = another && (await this.allWithEmail(another)).length > 0;
		const reason = wasThere
			? 'An earlier item gave its contact another address.'
			: isThere
				? `A contact has the address ${another} already: an earlier try may have changed it.`
				: await this.extentOfSearch();
		throw new ItemProblem({
			message: `There is no contact with the email ${email}`,
			advice: `${reason} Check the address, and the mode of the credential: test and live data are separate.`,
		});
	}

	/** Those found with the address or given it, as the run has written them. */
	private async allWithEmail(email: string): Promise<KnownContact[]> {
		const address = normalizedEmail(email);
		const contacts = new Map<string, KnownContact>();
		for (const record of await this.finder.withEmail(email)) {
			const contact = this.asWritten(asRead(record));
			contacts.set(contact.id.toLowerCase(), contact);
		}
		for (const id of this.idsByAddress.get(address) ?? []) contacts.set(id, this.written.get(id)!);
		return [...contacts.values()].filter(({ record }) => normalizedEmail(record.email) === address);
	}

	private async extentOfSearch(): Promise<string> {
		return (await this.finder.isCertain())
			? 'All contacts were read.'
			: 'All contacts were read, but some came or went meanwhile, so it may be there all the same: try again.';
	}
}

/** What an update looks up: the contact that it names by email, or the record of an ID. */
function lookupOf(update: Update): Lookup {
	const { reference, skipsUnchanged } = update;
	if ('email' in reference) return { email: reference.email };
	return needsRecord(update) ? { needsAllContacts: true } : { maySaveWrite: skipsUnchanged };
}
