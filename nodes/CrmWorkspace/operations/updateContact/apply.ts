import type { ContactFields } from '../../service/records';
import type { Connection } from '../../transport/connection';
import { isUnchanged, otherValues, withKnownEmail, type Changes } from './changes';
import { afterWrite, changesSince, knows, type KnownContact } from './knownContact';
import { byAcceptance, namingStoredValues, type OmittedFields } from './omittedFields';
import type { Update } from './update';
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
}

/**
 * Writes what an item asks for to its contact, unless that would change nothing or it is a dry run.
 * @param omitted what is known of fields that are left out; learns from this update
 * @throws RequestFailure when the service does not take it
 */
export async function apply(
	connection: Connection,
	contact: KnownContact,
	{ fields, skipUnchanged, preserve, dryRun }: Update,
	omitted: OmittedFields,
): Promise<UpdateResult> {
	const { id, record } = contact;
	const isComparable = knows(contact, fields);
	if ((skipUnchanged || dryRun) && isComparable && isUnchanged(record, fields)) {
		return { result: 'unchanged', contact, record, changes: {} };
	}
	const changed = (after: KnownContact) => ({
		contact: after,
		changes: isComparable ? changesSince(contact, after) : undefined,
	});
	const mapped = withKnownEmail(record, fields);
	if (dryRun) {
		const after = afterWrite(contact, mapped, {}, true);
		return { result: 'wouldUpdate', record: after.record, ...changed(after) };
	}
	const { written, answer } = preserve
		? await writePreserving(connection, contact, mapped, omitted)
		: await write(connection, id, mapped);
	omitted.learn(contact, written, answer);
	const after = afterWrite(contact, written, answer, preserve);
	return { result: 'updated', record: { id, ...written, ...answer }, ...changed(after) };
}

/** Writes fields, and with them the current values of all others. */
async function writePreserving(
	connection: Connection,
	{ id, record }: KnownContact,
	fields: ContactFields,
	{ areKept }: OmittedFields,
): Promise<Written> {
	const { accepted, refused } = byAcceptance(otherValues(record, fields));
	// A stored value may not be valid as input. It is left out only once the service has been seen to
	// keep omitted fields: otherwise it could be lost.
	const sentAlong = areKept ? accepted : { ...accepted, ...refused };
	return await write(connection, id, { ...sentAlong, ...fields }).catch((error: unknown) => {
		throw isRefused(error) ? namingStoredValues(error, refused) : error;
	});
}
