/**
 * The operation Update Contact. It promises that a contact keeps what an item doesn't map, although
 * the interface doesn't say what becomes of fields that are left out: `contactWriter.ts` compares each
 * response with what the contact had, and repairs. Items of one contact are done in input order, each
 * on what the one before has written, and runs take turns at a contact.
 */
import type { IDataObject } from 'n8n-workflow';
import { hasValues, isEmpty, isSameValue } from '../../api/formats';
import {
	allContactFields,
	contactFieldNames,
	isRead,
	pickFields,
	simplifiedContactFields,
	type Contact,
	type ContactFields,
} from '../../api/records';
import { RequestFailure } from '../../client/failure';
import { runExclusive } from '../../common/tasks';
import { trim, type Hint } from '../../common/text';
import { getNodeStorage } from '../../n8n/execution';
import { readShownFields } from '../../parameters/output';
import type { ItemWork, Operation, Run } from '../operation';
import { Contacts } from './contacts';
import { ContactWriter } from './contactWriter';
import { describeMapping } from './mapping';
import { properties } from './properties';
import { texts } from './texts';
import {
	comparesFirst,
	dependsOnTags,
	getLookup,
	getName,
	readUpdate,
	type TagMode,
	type Update,
} from './update';

/** The old and the new value of each field that differs; null stands for none. */
type Changes = Record<string, { old: unknown; new: unknown }>;

/** What was done with a contact: the output field `_result`. */
type Result = 'updated' | 'unchanged' | 'wouldUpdate';

interface UpdateResult {
	result: Result;
	/** The record to put out. */
	record: Contact;
	/** How the contact differs from before; absent if that isn't known. */
	changes?: Changes;
}

interface Prepared {
	update: Update;
	/** The fields of the contact to output; undefined for all. */
	shown?: readonly string[];
}

interface UpdateRun extends Run {
	contacts: Contacts;
	writer: ContactWriter;
}

export const updateContact: Operation = {
	properties,

	begin(run): ItemWork<Prepared> {
		const { context, client, concurrency } = run;
		// What updates may have cost contacts, each in a sentence: the next try of Retry On Fail would
		// otherwise hide the error of the one before.
		const losses = getNodeStorage(context, 'lostValues');
		const ofEarlierTries = losses.join(' ');
		const results: Result[] = [];
		const updates: Update[] = [];
		const contacts = new Contacts(client, concurrency);
		const writer = new ContactWriter(client, losses);
		let changesAddresses = false;
		return {
			prepare(item) {
				const update = readUpdate(item);
				const shown = readShownFields(item, simplifiedContactFields, allContactFields);
				updates.push(update);
				contacts.finder.preload(getLookup(update));
				changesAddresses ||= update.changesAddress;
				return { update, shown };
			},

			// If addresses change, any item may build on any other.
			laneOf: ({ update }) => (changesAddresses ? '' : getName(update.reference)),

			async perform({ prepared: { update, shown } }) {
				const done = await findAndUpdate({ ...run, contacts, writer }, update);
				results.push(done.result);
				return buildOutput(done, shown);
			},

			takesRequest: ({ update }) => !comparesFirst(update),

			// What an update under way has cleared is written back before.
			stop: async () => await writer.stop(),

			// The error that ends the run is all that the user sees.
			describeEnd: (progress, description) =>
				[...losses.filter((loss) => !description.includes(loss)), progress].join(' '),

			hints() {
				const count = context.getInputData().length;
				const names = new Set(updates.map(({ reference }) => getName(reference)));
				const isDryRun = updates.some((update) => update.isDryRun);
				const hasOneContact = updates.length > 1 && names.size === 1;
				// n8n may repeat a run with error items, too.
				if (results.length === count) losses.length = 0;
				return [
					...describeResults(results, count, isDryRun),
					...(hasOneContact ? [warning(texts.sameContact)] : []),
					...writer.hints(),
					...(ofEarlierTries ? [warning(ofEarlierTries)] : []),
					...(updates.length > 0 ? describeMapping(context, updates) : []),
				];
			},

			close: () => contacts.close(),
		};
	},
};

const warning = (message: string): Hint => ({ message, type: 'warning' });

/** The output of an item: `_result`, `_changes` where they are known, and the contact's fields. */
function buildOutput(
	{ record, result, changes }: UpdateResult,
	fields?: readonly string[],
): IDataObject {
	const shown = fields ? pickFields(record, fields) : record;
	return { _result: result, ...(changes && { _changes: changes }), ...shown } as IDataObject;
}

/**
 * A hint that sums up what came of the items, where there are several.
 * @param results those of the items that were done
 */
function describeResults(results: Result[], items: number, isDryRun: boolean): Hint[] {
	if (items < 2) return [];
	const count = (result: Result) => results.filter((one) => one === result).length;
	const written =
		isDryRun && count('updated') === 0
			? texts.wouldBeUpdated(count('wouldUpdate'))
			: texts.updated(count('updated'));
	return [{ message: texts.summary(written, count('unchanged'), items - results.length) }];
}

/**
 * Reads what is needed of a contact and writes to it. All runs of this process take turns at a
 * contact, because what one writes may depend on what it has read.
 * @throws ExplainedError, RequestFailure or Cancelled if that could not be done
 */
async function findAndUpdate(run: UpdateRun, update: Update): Promise<UpdateResult> {
	const { client, contacts } = run;
	const found = await contacts.find(update).catch((error: unknown) => {
		if (!(error instanceof RequestFailure)) throw error;
		throw error.with({ outcome: client.redact(update.undone) });
	});
	return await runExclusive(client.keyIdentity, found.id.toLowerCase(), async () => {
		return await updateFound(run, contacts.bringUpToDate(found, update), update);
	});
}

async function updateFound(
	{ contacts, writer }: UpdateRun,
	contact: Contact,
	update: Update,
): Promise<UpdateResult> {
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
	const { record, problem } = await writer
		.write(contact, fields, update.unmappedFields)
		.catch((error: unknown) => {
			const isUntouched = error instanceof RequestFailure && !error.details.isOutcomeUnknown;
			if (!isUntouched) contacts.written.note(contact, undefined, fields);
			throw error;
		});
	contacts.written.note(contact, record, fields);
	if (problem) throw problem;
	return { result: 'updated', record, changes: computeChanges(contact, record) };
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
function computeChanges(before: Contact, after: Contact): Changes | undefined {
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
