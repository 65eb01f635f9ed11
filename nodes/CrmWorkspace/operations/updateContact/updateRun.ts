/** The updates of one run: each finds its contact, computes what to write, and writes it. */
import { hasValues, isEmpty, isSameValue } from '../../api/formats';
import { contactFieldNames, isRead, type Contact, type ContactFields } from '../../api/records';
import { RequestFailure } from '../../client/failure';
import type { Client } from '../../client/request';
import { runExclusive } from '../../common/tasks';
import { trim } from '../../common/text';
import type { Contacts } from './contacts';
import type { ContactWriter } from './contactWriter';
import {
	comparesFirst,
	dependsOnTags,
	getLookup,
	getName,
	type TagMode,
	type Update,
} from './update';

/** The old and the new value of each field that differs; null stands for none. */
type Changes = Record<string, { old: unknown; new: unknown }>;

/** What was done with a contact: the output field `_result`. */
export type Result = 'updated' | 'unchanged' | 'wouldUpdate';

export interface UpdateResult {
	result: Result;
	/** The record to put out. */
	record: Contact;
	/** How the contact differs from before; absent if that isn't known. */
	changes?: Changes;
}

export class UpdateRun {
	private changesAddresses = false;

	constructor(
		private readonly client: Client,
		private readonly contacts: Contacts,
		private readonly writer: ContactWriter,
	) {}

	/** Notes an update. To be called for all items before the first one is performed. */
	preload(update: Update): void {
		this.contacts.finder.preload(getLookup(update));
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
		return await runExclusive(this.client.account, found.id.toLowerCase(), async () => {
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

/** How a contact differs from before; undefined if it wasn't read before. */
export function computeChanges(before: Contact, after: Contact): Changes | undefined {
	if (!isRead(before)) return undefined;
	const changed = contactFieldNames.filter((name) => !isSameValue(name, before[name], after[name]));
	return Object.fromEntries(
		changed.map((name) => [name, { old: before[name] ?? null, new: after[name] ?? null }]),
	);
}

/**
 * The tags that a contact has, in their order and as they are, with these added or without them.
 * Names are the same if they are so but for spaces around and for how Unicode composes a letter.
 */
export function mergeTags(present: string[], given: string[], mode: TagMode): string[] {
	const name = (tag: unknown) => trim(String(tag)).normalize();
	const [held, named] = [present, given].map((tags) => new Set(tags.map(name)));
	if (mode === 'remove') return present.filter((tag) => !named.has(name(tag)));
	return [...present, ...new Set(given.filter((tag) => !held.has(name(tag))))];
}
