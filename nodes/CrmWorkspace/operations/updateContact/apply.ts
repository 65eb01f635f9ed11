import type { ContactFieldName, ContactFields } from '../../service/records';
import type { Connection } from '../../transport/connection';
import { isSame, isUnchanged, otherValues, withKnownEmail, type Changes } from './changes';
import { afterWrite, changesSince, knows, type KnownContact } from './knownContact';
import { byAcceptance, namingStoredValues, type OmittedFields } from './omittedFields';
import { mergedTags } from './tags';
import { mergesTags, type Update } from './update';
import { isRefused, write, type Written } from './write';

/** What was done with a contact: the output field `_result`. */
export type Result = 'updated' | 'unchanged' | 'wouldUpdate';

/** What came of an item. */
export interface UpdateResult {
	result: Result;
	/** The contact as it is known afterwards. */
	contact: KnownContact;
	/** The record to hand out. */
	record: KnownContact['record'];
	/** How the contact differs from before; absent where that is not known. */
	changes?: Changes;
	/** The fields that were to be cleared and have a value all the same. */
	uncleared?: ContactFieldName[];
}

/**
 * Writes what an item asks for to its contact, unless that would change nothing or it is a dry run.
 * @param omitted what is known of fields that are left out; learns from this update
 * @throws RequestFailure when the service does not take it
 */
export async function apply(
	connection: Connection,
	contact: KnownContact,
	update: Update,
	omitted: OmittedFields,
): Promise<UpdateResult> {
	const { id } = contact;
	const { skipUnchanged, preserve, dryRun } = update;
	const fields = fieldsFor(contact, update);
	// An address alone names the contact, and changes nothing if it is its own.
	const isNamed = Object.keys(fields).every((name) => name === 'email');
	const maySkip = skipUnchanged || dryRun || mergesTags(update) || isNamed;
	if (maySkip && knows(contact, fields) && isUnchanged(contact.record, fields)) {
		return { result: 'unchanged', contact, record: contact.record, changes: {} };
	}
	const changed = (after: KnownContact) => ({
		contact: after,
		changes: changesSince(contact, after, fields),
	});
	if (dryRun) {
		const after = afterWrite(contact, fields, {}, true);
		return { result: 'wouldUpdate', record: after.record, ...changed(after) };
	}
	const { written, answer, uncleared } = preserve
		? await writePreserving(connection, contact, fields, omitted)
		: await write(connection, contact, fields);
	omitted.learn(contact, written, answer);
	const after = afterWrite(contact, written, answer, preserve);
	const record = { id, ...written, ...answer };
	return { result: 'updated', record, uncleared, ...changed(after) };
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
	const isEmpty = (name: string, value: unknown) => isSame(name, value, undefined);
	const isNeedless = (name: string, value: unknown) =>
		certain.has(name) && isEmpty(name, value) && isEmpty(name, record[name]);
	const needed = Object.entries(fields).filter(([name, value]) => !isNeedless(name, value));
	return Object.fromEntries(needed) as ContactFields;
}

/** Writes fields, and with them the current values of all others. */
async function writePreserving(
	connection: Connection,
	contact: KnownContact,
	fields: ContactFields,
	{ areKept }: OmittedFields,
): Promise<Written> {
	const { record } = contact;
	const { accepted, refused } = byAcceptance(otherValues(record, fields));
	// A stored value may not be valid as input. It is left out only once the service has been seen to
	// keep omitted fields: otherwise it could be lost.
	const sentAlong = areKept ? accepted : { ...accepted, ...refused };
	return await write(connection, contact, { ...sentAlong, ...fields }).catch((error: unknown) => {
		throw isRefused(error) ? namingStoredValues(error, refused) : error;
	});
}
