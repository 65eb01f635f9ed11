import type { ContactFields } from '../../service/records';
import type { Connection } from '../../transport/connection';
import { RequestFailure } from '../../transport/failure';
import type { ItemProblem } from '../itemProblem';
import { otherValues } from './changes';
import type { KnownContact } from './knownContact';
import type { OmittedFieldsMode } from './omittedFields';
import type { Backup } from './backups';
import {
	byAcceptance,
	recordNow,
	restore,
	problemsOf,
	UnansweredTrial,
	type WriteContext,
} from './restore';
import { isRefused, mayBeWritten, write, type Written } from './write';

/** What was written, and what became of the other fields. */
interface WrittenWithOthers extends Written {
	/** Whether the current values of all other fields were sent along. */
	isPreserved: boolean;
	loss?: ItemProblem;
}

/**
 * Writes fields of a contact, and does with the others what the Omitted Fields option says. With
 * `auto` every answer is looked at. What that of a trial does not show, the list does. Where not all
 * is seen to be kept, the contact gets it back at once, and from then on the values of all others
 * are sent along. Interface: OPEN-9.
 * @throws RequestFailure when the service does not take it
 */
export async function writeWithOthers(
	writing: WriteContext,
	contact: KnownContact,
	fields: ContactFields,
	mode: OmittedFieldsMode,
): Promise<WrittenWithOthers> {
	const { connection, omitted, backups } = writing;
	if (mode === 'preserve' || (mode === 'auto' && omitted.finding)) {
		return { ...(await writePreserving(connection, contact, fields)), isPreserved: true };
	}
	if (mode === 'leave')
		return { ...(await write(connection, contact, fields)), isPreserved: false };

	const { id, record } = contact;
	const { email } = record;
	const address = typeof email === 'string' ? email : undefined;
	const backup: Backup = { others: otherValues(record, fields), written: fields, address };
	const isTrial = omitted.isTrial(backup.others);
	const first = await write(connection, contact, fields).catch((error: unknown) => {
		if (!isTrial || !mayBeWritten(error)) throw error;
		backups[id] = backup;
		throw error instanceof RequestFailure ? new UnansweredTrial(error, id, backup) : error;
	});
	let shown = first.answer;
	let finding = omitted.findingOf(backup.others, shown);
	if (finding === 'open') {
		shown = { ...(await recordNow(writing, id, backup)), ...shown };
		finding = omitted.findingOf(backup.others, shown);
	}
	if (!finding) return { ...first, isPreserved: false };
	omitted.conclude(finding);
	backups[id] = { ...backup, written: first.written };
	const { second, loss } = await restore(writing, contact, shown);
	return { ...(second ?? first), isPreserved: !loss, loss };
}

/** Writes fields, and with them the current values of all others. */
async function writePreserving(
	connection: Connection,
	contact: KnownContact,
	fields: ContactFields,
): Promise<Written> {
	const others = otherValues(contact.record, fields);
	return await write(connection, contact, { ...others, ...fields }).catch((error: unknown) => {
		throw isRefused(error) ? namingStoredValues(error, byAcceptance(others).refused) : error;
	});
}

/**
 * Explains a rejection that may be due to stored values that were sent along, and names them.
 */
function namingStoredValues(failure: RequestFailure, values: ContactFields): RequestFailure {
	if (Object.keys(values).length === 0) return failure;
	return new RequestFailure({
		...failure.details,
		explanation: {
			message: `The service rejected the update, perhaps for a value that the contact has: ${problemsOf(values)}`,
			advice:
				'The current values of all other fields were sent along, so that none is lost (Omitted Fields). Correct the value in the service, or map the field to one that the service takes.',
		},
	});
}
