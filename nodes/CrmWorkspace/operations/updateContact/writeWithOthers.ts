import type { IDataObject } from 'n8n-workflow';
import {
	contactFieldNames,
	type ContactFieldName,
	type ContactFields,
} from '../../service/records';
import { valueProblem } from '../../service/contactValues';
import type { Connection } from '../../transport/connection';
import { explain } from '../../transport/errors/explain';
import { RequestFailure } from '../../transport/errors/failure';
import { listed } from '../../text/plainText';
import { ItemProblem } from '../itemProblem';
import { otherValues } from './changes';
import { displayNames } from './fields';
import type { KnownContact } from './knownContact';
import {
	findingIn,
	hasAddressAlone,
	type Finding,
	type OmittedFields,
	type OmittedFieldsMode,
} from './omittedFields';
import type { Debt, Owed } from './owed';
import { isRefused, mayBeWritten, write, type Written } from './write';

/** What was written, and what became of the other fields. */
export interface WrittenWithOthers extends Written {
	/** Whether the current values of all other fields were sent along. */
	isPreserved: boolean;
	/** What the contact has lost and did not get back. */
	loss?: ItemProblem;
}

/** What the writes of a run share. */
export interface Writing {
	connection: Connection;
	omitted: OmittedFields;
	owed: Owed;
	/** The record of a contact as the list shows it now; undefined where it cannot be found. */
	readAgain: (contact: KnownContact) => Promise<IDataObject | undefined>;
}

/**
 * Writes fields of a contact, and does with the others what the Omitted Fields option says. With
 * `auto` the first contact of which others are known shows what becomes of them: by the answer, or
 * else by the list. If they are not seen to be kept, it gets them back at once, and from then on
 * the values of all others are sent along. Interface: OPEN-9.
 * @throws RequestFailure when the service does not take it
 */
export async function writeWithOthers(
	writing: Writing,
	contact: KnownContact,
	fields: ContactFields,
	mode: OmittedFieldsMode,
): Promise<WrittenWithOthers> {
	const { connection, omitted, owed } = writing;
	const finding = mode === 'auto' ? omitted.finding : undefined;
	if (mode === 'preserve' || finding === 'lost' || finding === 'open') {
		return { ...(await writePreserving(connection, contact, fields)), isPreserved: true };
	}
	const others = otherValues(contact.record, fields);
	const isTrial = mode === 'auto' && !finding && Object.keys(others).length > 0;
	const first = await write(connection, contact, fields).catch((error: unknown) => {
		if (isTrial && mayBeWritten(error)) owed[contact.id] = { others, written: fields };
		throw error;
	});
	if (!isTrial) return { ...first, isPreserved: false };
	const shown = await findOut(writing, contact, others, first.answer);
	// An address that was kept tells nothing of other fields: the next contact shows it.
	if (shown !== 'kept' || !hasAddressAlone(others)) omitted.finding = shown;
	if (shown === 'kept') return { ...first, isPreserved: false };
	owed[contact.id] = {
		others: { ...others, ...otherValues(first.answer, fields) },
		written: first.written,
	};
	const { second, loss } = await payBack(connection, owed, contact);
	return { ...(second ?? first), isPreserved: !loss, loss };
}

async function findOut(
	{ readAgain }: Writing,
	contact: KnownContact,
	others: ContactFields,
	answer: Written['answer'],
): Promise<Finding> {
	const byAnswer = findingIn(others, answer);
	if (byAnswer !== 'open') return byAnswer;
	const record = await readAgain(contact).catch(() => undefined);
	// The list showed all of these before: what it does not show now is empty.
	const nothing = Object.fromEntries(contactFieldNames.map((name) => [name, null]));
	return record ? findingIn(others, { ...nothing, ...record }) : 'open';
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
 * Writes back what a contact is owed: the fields of the update, too, which the service would empty
 * otherwise. What it takes from nobody stays owing.
 */
export async function payBack(
	connection: Connection,
	owed: Owed,
	contact: KnownContact,
): Promise<{ second?: Written; loss?: ItemProblem }> {
	const { others, written }: Debt = owed[contact.id];
	const { accepted, refused } = byAcceptance(others);
	try {
		const second = await write(connection, contact, { ...accepted, ...written });
		const isWhole = Object.keys(refused).length === 0;
		if (isWhole) delete owed[contact.id];
		return { second, loss: isWhole ? undefined : lossOf(refused, problemsOf(refused)) };
	} catch (error) {
		return { loss: lossOf(others, reasonOf(error)) };
	}
}

/** Tells the values that the service takes on input from those that it refuses. Interface: UPDATE-3. */
function byAcceptance(values: ContactFields): Record<'accepted' | 'refused', ContactFields> {
	const entries = Object.entries(values) as Array<[ContactFieldName, unknown]>;
	const isAccepted = ([name, value]: [ContactFieldName, unknown]) =>
		valueProblem(name, value) === undefined;
	return {
		accepted: Object.fromEntries(entries.filter(isAccepted)),
		refused: Object.fromEntries(entries.filter((entry) => !isAccepted(entry))),
	};
}

/** Names the values with what they were: nothing but this error has them now. */
function lossOf(values: ContactFields, reason: string): ItemProblem {
	const entries = Object.entries(values) as Array<[ContactFieldName, unknown]>;
	const names = entries.map(([name]) => displayNames[name]);
	const were = entries.map(([name, value]) => `${displayNames[name]} “${String(value)}”`);
	return new ItemProblem({
		message: `The contact has lost values, and they could not be written back: ${listed(names)}`,
		advice: `The service empties what an update leaves out. What was mapped is written. The reason: ${reason}. Enter them again in the service: ${were.join(', ')}`,
	});
}

function reasonOf(error: unknown): string {
	if (!(error instanceof RequestFailure)) return (error as Error).message;
	const { explanation, message } = error.details;
	return [(explanation ?? explain(error.details)).message, message].filter(Boolean).join(': ');
}

function problemsOf(values: ContactFields): string {
	const names = Object.keys(values) as ContactFieldName[];
	return names
		.map((name) => `${displayNames[name]} ${valueProblem(name, values[name])}`)
		.join('; ');
}

/**
 * Explains a refusal that may be due to stored values that were sent along, and names them. A
 * refusal whose reason is known is returned as it is.
 */
function namingStoredValues(failure: RequestFailure, values: ContactFields): RequestFailure {
	const { explanation, code, message } = failure.details;
	const isExplained = explanation && (code ?? message);
	if (isExplained || Object.keys(values).length === 0) return failure;
	return new RequestFailure({
		...failure.details,
		explanation: {
			message: `The service rejected the update, perhaps for a value that the contact has: ${problemsOf(values)}`,
			advice:
				'The current values of all other fields were sent along, so that none is lost (Omitted Fields). Correct the value in the service, or map the field to one that the service takes.',
		},
	});
}
