import type { ContactFieldName, ContactFields } from '../../service/records';
import { listed } from '../../text/plainText';
import { ItemProblem } from '../itemProblem';
import { isSameValue, isUnchanged, withKnownEmail, type Changes } from './changes';
import { displayNames } from '../../parameters/contactFields';
import { afterWrite, changesSince, knows, type KnownContact } from './knownContact';
import { mergedTags } from './tags';
import { mergesTags, type Update } from './update';
import type { WriteContext } from './restore';
import { writeWithOthers } from './writeWithOthers';

/** What was done with a contact: the output field `_result`. */
export type Result = 'updated' | 'unchanged' | 'wouldUpdate';

/** What came of an item. */
export interface UpdateResult {
	result: Result;
	contact: KnownContact;
	/** The record to hand out. */
	record: KnownContact['record'];
	/** How the contact differs from before; absent where that is not known. */
	changes?: Changes;
	/** What the user has to know of it: the item fails, although it is written. */
	problem?: ItemProblem;
}

/**
 * Writes what an item asks for to its contact, unless that would change nothing or it is a dry run.
 * @throws RequestFailure when the service does not take it
 */
export async function apply(
	writing: WriteContext,
	contact: KnownContact,
	update: Update,
): Promise<UpdateResult> {
	const { id } = contact;
	const { skipsUnchanged, isDryRun } = update;
	const fields = fieldsFor(contact, update);
	// An address alone names the contact, and changes nothing if it is its own.
	const isNamed = Object.keys(fields).every((name) => name === 'email');
	const maySkip = skipsUnchanged || isDryRun || mergesTags(update) || isNamed;
	if (maySkip && knows(contact, fields) && isUnchanged(contact.record, fields)) {
		return { result: 'unchanged', contact, record: contact.record, changes: {} };
	}
	const changed = (after: KnownContact) => ({
		contact: after,
		changes: changesSince(contact, after, fields),
	});
	if (isDryRun) {
		const after = afterWrite(contact, fields, {}, true);
		return { result: 'wouldUpdate', record: after.record, ...changed(after) };
	}
	const done = await writeWithOthers(writing, contact, fields, update.omittedFields);
	const { written, answer, uncleared, isPreserved } = done;
	const after = afterWrite(contact, written, answer, isPreserved);
	const problem = done.loss ?? (uncleared.length > 0 ? notCleared(uncleared) : undefined);
	const record = { id, ...written, ...answer };
	return { result: 'updated', record, problem, ...changed(after) };
}

/** The values to write: what an item gives, put together with what the contact has. */
function fieldsFor(contact: KnownContact, update: Update): ContactFields {
	const { reference, fields: given, tags } = update;
	const { record } = contact;
	const fields = withoutNeedlessClearing(contact, given);
	const spelled = 'email' in reference ? withKnownEmail(record, fields) : fields;
	if (!mergesTags(update)) return spelled;
	const present = Array.isArray(record.tags) ? (record.tags as string[]) : [];
	return { ...spelled, tags: mergedTags(present, fields.tags ?? [], tags) };
}

/** What is known to be empty is not cleared: a service may refuse that. */
function withoutNeedlessClearing(
	{ record, certain }: KnownContact,
	fields: ContactFields,
): ContactFields {
	const isEmpty = (name: string, value: unknown) => isSameValue(name, value, undefined);
	const isNeedless = (name: string, value: unknown) =>
		certain.has(name) && isEmpty(name, value) && isEmpty(name, record[name]);
	const needed = Object.entries(fields).filter(([name, value]) => !isNeedless(name, value));
	return Object.fromEntries(needed) as ContactFields;
}

function notCleared(names: ContactFieldName[]): ItemProblem {
	return new ItemProblem({
		message: `The service took the update and did not clear ${listed(names.map((name) => displayNames[name]))}`,
		advice:
			'Its answer still shows a value there; what else was mapped is written. Empty it in the service.',
	});
}
