import type { IDataObject } from 'n8n-workflow';
import {
	contactFieldNames,
	type ContactFieldName,
	type ContactFields,
} from '../../service/records';
import { valueProblem } from '../../service/contactValues';
import type { Connection } from '../../transport/connection';
import { describeFailure } from '../../transport/errorText';
import { RequestFailure } from '../../transport/failure';
import { listed } from '../../text/plainText';
import { ItemProblem } from '../itemProblem';
import { otherValues } from './changes';
import { displayNames } from '../../parameters/contactFields';
import type { KnownContact } from './knownContact';
import type { OmittedFields } from './omittedFields';
import { addressesOf, type Backup, type Backups } from './backups';
import { mayBeWritten, write, type Written } from './write';

export interface WriteContext {
	connection: Connection;
	omitted: OmittedFields;
	backups: Backups;
	/** The record of a contact as the list shows it now; undefined where it cannot be found. */
	readAgain: (id: string, email: string) => Promise<IDataObject | undefined>;
}

/** The update that has restored a contact, and what the contact did not get back. */
export interface Restored {
	second?: Written;
	loss?: ItemProblem;
}

/** An update that may have been made although no answer tells so, with what it may have cost. */
export class UnansweredTrial extends RequestFailure {
	readonly hasLostValues = true;

	constructor({ details }: RequestFailure, id: string, backup: Backup) {
		const unknownOutcome = `The update may have been written. If so, and if the service empties what an update leaves out, ${contactName(id, backup)} has lost values, unless a hint says that they were written back. Retry On Fail looks, and writes back what is missing; otherwise enter it again. The values: ${valuesIn(backup.others)}.`;
		super({ ...details, unknownOutcome });
	}
}

/** An address of the contact, or else its ID. */
export function contactName(id: string, backup: Backup): string {
	return addressesOf(backup)[0] ?? id;
}

/** A record as the list shows it: what it does not show there is empty. */
export async function recordNow(
	{ readAgain }: WriteContext,
	id: string,
	backup: Backup,
): Promise<KnownContact['record'] | undefined> {
	for (const address of addressesOf(backup)) {
		const record = await readAgain(id, address).catch(() => undefined);
		if (record) return { ...noValues, ...record };
	}
	return undefined;
}

/**
 * Writes the backup of a contact, and again the fields of the update, which the service would empty
 * otherwise. What the service does not take stays in the backup.
 * @param shown what the contact was last seen to have
 */
export async function restore(
	{ connection, omitted, backups }: WriteContext,
	contact: KnownContact,
	shown: KnownContact['record'],
): Promise<Restored> {
	const backup = backups[contact.id];
	const present = otherValues(shown, backup.written);
	const { accepted, refused } = byAcceptance({ ...backup.others, ...present });
	const lossOf = (values: ContactFields, reason: string, isCertain: boolean) => {
		const missing = Object.entries(values).filter(([name]) => !(name in present));
		if (missing.length === 0) return undefined;
		return problemOf(
			contactName(contact.id, backup),
			Object.fromEntries(missing),
			reason,
			isCertain,
		);
	};
	const isLost = omitted.finding === 'lost';
	try {
		const second = await write(connection, contact, { ...accepted, ...backup.written });
		const loss = lossOf(refused, problemsOf(refused), isLost);
		if (!loss) delete backups[contact.id];
		return { second, loss };
	} catch (error) {
		return { loss: lossOf(backup.others, reasonOf(error), isLost && !mayBeWritten(error)) };
	}
}

/** Tells the values that the service takes on input from those that it refuses. Interface: UPDATE-3. */
export function byAcceptance(values: ContactFields): Record<'accepted' | 'refused', ContactFields> {
	const entries = Object.entries(values) as Array<[ContactFieldName, unknown]>;
	const isAccepted = ([name, value]: [ContactFieldName, unknown]) =>
		valueProblem(name, value) === undefined;
	return {
		accepted: Object.fromEntries(entries.filter(isAccepted)),
		refused: Object.fromEntries(entries.filter((entry) => !isAccepted(entry))),
	};
}

/** What is wrong with values that the service refuses. */
export function problemsOf(values: ContactFields): string {
	const names = Object.keys(values) as ContactFieldName[];
	return names
		.map((name) => `${displayNames[name]} ${valueProblem(name, values[name])}`)
		.join('; ');
}

const noValues = Object.fromEntries(contactFieldNames.map((name) => [name, null]));

/** Names the values with what they were: nothing but this error has them now. */
function problemOf(
	contact: string,
	values: ContactFields,
	reason: string,
	isCertain: boolean,
): ItemProblem {
	const names = (Object.keys(values) as ContactFieldName[]).map((name) => displayNames[name]);
	const explanation = {
		message: `${contact} ${isCertain ? 'has' : 'may have'} lost values, and they could not be written back: ${listed(names)}`,
		advice: `The reason: ${reason}. Enter again what is missing: ${valuesIn(values)}`,
	};
	return new ItemProblem(explanation, true);
}

function valuesIn(values: ContactFields): string {
	const entries = Object.entries(values) as Array<[ContactFieldName, unknown]>;
	return entries.map(([name, value]) => `${displayNames[name]} “${String(value)}”`).join(', ');
}

function reasonOf(error: unknown): string {
	if (!(error instanceof RequestFailure)) return (error as Error).message;
	const { explanation, message } = error.details;
	return [(explanation ?? describeFailure(error.details)).message, message]
		.filter(Boolean)
		.join(': ');
}
