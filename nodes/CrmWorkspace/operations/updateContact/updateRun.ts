import type { Contact, ContactFields } from '../../service/records';
import { trim } from '../../text/plainText';
import type { Connection } from '../../transport/connection';
import { RequestFailure } from '../../transport/failure';
import { inTurn } from '../inTurn';
import { computeChanges, hasValues, isEmpty, mergeTags, type Changes } from './changes';
import type { Contacts } from './contacts';
import type { ContactWriter } from './contactWriter';
import { comparesFirst, dependsOnTags, getLookup, getName, type Update } from './update';

/** What was done with a contact: the output field `_result`. */
export type Result = 'updated' | 'unchanged' | 'wouldUpdate';

export interface UpdateResult {
	result: Result;
	/** The record to put out. */
	record: Contact;
	/** How the contact differs from before; absent if that isn't known. */
	changes?: Changes;
}

/** The updates of one run. */
export class UpdateRun {
	private changesAddresses = false;

	constructor(
		private readonly connection: Connection,
		private readonly contacts: Contacts,
		private readonly writer: ContactWriter,
	) {}

	/** Announces an update. To be called for all items before the first one is performed. */
	expect(update: Update): void {
		this.contacts.finder.expect(getLookup(update));
		if (update.changesAddress) this.changesAddresses = true;
	}

	/**
	 * Updates of one lane have to be performed in input order: those of one contact, or all of the run
	 * if addresses change, because any may build on any other.
	 */
	laneOf({ reference }: Update): string {
		return this.changesAddresses ? '' : getName(reference);
	}

	/**
	 * Reads what is needed of a contact and writes to it.
	 * @throws ExplainedError, RequestFailure or Cancelled if that could not be done
	 */
	async perform(update: Update): Promise<UpdateResult> {
		return await this.findAndUpdate(update).catch(async (error: unknown) => {
			// The run may end with this error: what another update has cleared is written back before.
			await this.writer.waitForProbes();
			throw error;
		});
	}

	/**
	 * All runs of this process take turns at a contact, because what one writes may depend on what it
	 * has read.
	 */
	private async findAndUpdate(update: Update): Promise<UpdateResult> {
		const found = await this.contacts.find(update);
		return await inTurn(this.connection.rateLimiter, found.id.toLowerCase(), async () => {
			return await this.update(this.contacts.bringUpToDate(found, update), update);
		});
	}

	private async update(contact: Contact, update: Update): Promise<UpdateResult> {
		const fields = computeFields(contact, update);
		// An address alone names the contact.
		const hasOnlyAddress = Object.keys(fields).every((name) => name === 'email');
		if ((hasOnlyAddress || comparesFirst(update)) && hasValues(contact, fields)) {
			return { result: 'unchanged', record: contact, changes: {} };
		}
		if (update.isDryRun) {
			const record = { ...contact, ...fields };
			return { result: 'wouldUpdate', record, changes: computeChanges(contact, record) };
		}
		const { record, problem } = await this.writer
			.write(contact, fields, update.unmappedFields)
			.catch((error: unknown) => {
				const isUntouched = error instanceof RequestFailure && !error.details.unknownOutcome;
				if (!isUntouched) this.contacts.written.note(contact, undefined, fields);
				throw error;
			});
		this.contacts.written.note(contact, record, fields);
		if (problem) throw problem;
		return { result: 'updated', record, changes: computeChanges(contact, record) };
	}
}

/** The values to write: what an item gives, together with what the contact has. */
function computeFields(contact: Contact, update: Update): ContactFields {
	// An empty field isn't cleared: the service may reject that.
	const isNeedless = ([name, value]: [string, unknown]) =>
		isEmpty(name, value) && name in contact && isEmpty(name, contact[name]);
	const needed = Object.entries(update.fields).filter((entry) => !isNeedless(entry));
	const fields = Object.fromEntries(needed) as ContactFields;
	// An address that names the contact doesn't change how the contact's own is spelled.
	if (fields.email && !update.changesAddress) {
		fields.email = trim(String(contact.email ?? fields.email));
	}
	if (!dependsOnTags(update)) return fields;
	const present = Array.isArray(contact.tags) ? (contact.tags as string[]) : [];
	return { ...fields, tags: mergeTags(present, fields.tags ?? [], update.tagMode) };
}
