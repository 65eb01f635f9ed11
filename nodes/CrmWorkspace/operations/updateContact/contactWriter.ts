import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';
import { displayNames, formatFields } from '../../parameters/contactFields';
import { validateValue } from '../../service/contactValues';
import { updateContact } from '../../service/crmWorkspace';
import {
	contactFieldNames,
	pickFields,
	type Contact,
	type ContactFieldName,
	type ContactFields,
} from '../../service/records';
import { hint, shorten, toDisplayText, toPlainText } from '../../text/plainText';
import type { Connection } from '../../transport/connection';
import {
	ExplainedError,
	Cancelled,
	isOutcomeUnknown,
	RequestFailure,
	type FailureDetails,
} from '../../transport/failure';
import { inTurn } from '../inTurn';
import { isEmpty, isRead, isSameValue } from './changes';

/** The values of the 'Unmapped Fields' option. */
export type UnmappedFieldsMode = 'auto' | 'preserve' | 'leave';

export interface Written {
	/** The contact after the update, as the service returns it. */
	record: Contact;
	/** What is wrong although the update was made. */
	problem?: ExplainedError;
}

/**
 * Writes contacts, and takes care of the fields that an update leaves out: the interface doesn't say
 * whether they keep their values. With `auto` the mapped fields are sent alone, and the record in the
 * response is compared with what the contact had. If it doesn't show a value any more, that is
 * written back at once, and the values of unmapped fields are sent along from then on.
 * Interface: OPEN-9.
 */
export class ContactWriter {
	private sendsUnmapped = false;

	private mayHaveCleared = false;

	/** The unmapped fields that the contacts that were read show, and those that some don't. */
	private readonly fields = {
		shown: new Set<ContactFieldName>(),
		absent: new Set<ContactFieldName>(),
	};

	/** The fields that the service is known to keep when an update leaves them out. */
	private readonly kept = new Set<ContactFieldName>();

	/** The fields that were written back. */
	private readonly restored = new Set<ContactFieldName>();

	/** Fields that the service shows with another value than was written, with an example. */
	private readonly altered = new Map<ContactFieldName, string>();

	/** @param losses receives what an update may have cost a contact, in words */
	constructor(
		private readonly connection: Connection,
		private readonly losses: string[],
	) {}

	/**
	 * @throws RequestFailure if the service doesn't accept the update, or Cancelled
	 */
	async write(contact: Contact, fields: ContactFields, mode: UnmappedFieldsMode): Promise<Written> {
		if (mode === 'leave') return await this.put(contact, fields);
		for (const name of isRead(contact) ? contactFieldNames : []) {
			const { shown, absent } = this.fields;
			if (!(name in fields)) (contact[name] === undefined ? absent : shown).add(name);
		}
		const unmapped = getUnmapped(contact, fields);
		const write = async () =>
			mode === 'preserve' || this.sendsUnmapped
				? await this.putAll(contact, fields, unmapped)
				: await this.putMapped(contact, fields, unmapped);
		// One at a time until a field is known to be kept, so that at most one contact has to be repaired.
		const isProbe = mode === 'auto' && !this.sendsUnmapped && this.getUnproven(unmapped).length > 0;
		return isProbe ? await inTurn(this, 'probe', write) : await write();
	}

	/** Resolves once no update is under way that may have to be repaired. */
	async waitForProbes(): Promise<void> {
		await inTurn(this, 'probe', async () => {});
	}

	/** What the user should know of what the service has made of the updates. */
	hints(): NodeExecutionHint[] {
		const { shown, absent } = this.fields;
		const unseen = this.sendsUnmapped ? [...absent].filter((name) => !shown.has(name)) : [];
		return [
			...(this.restored.size > 0 ? [hint(describeRestored([...this.restored]))] : []),
			...(unseen.length > 0 ? [hint(describeUnseen(unseen), 'warning')] : []),
			...(this.mayHaveCleared ? [hint(nothingElseShown, 'warning')] : []),
			...(this.altered.size > 0 ? [hint(describeAltered([...this.altered]), 'warning')] : []),
		];
	}

	/** Sends the mapped fields alone, and sees what becomes of the others. */
	private async putMapped(
		contact: Contact,
		fields: ContactFields,
		unmapped: ContactFieldName[],
	): Promise<Written> {
		const unproven = this.getUnproven(unmapped);
		const written = await this.put(contact, fields).catch((error: unknown) => {
			if (!isUncertain(error) || unproven.length === 0) throw error;
			const loss = noteLoss(this.losses, contact, unproven);
			throw withDetails(error, { unknownOutcome: `The contact may have been updated. ${loss}` });
		});
		const shown = getUnmapped(written.record, fields);
		const others = contactFieldNames.filter((name) => name !== 'email' && !(name in fields));
		const showsNone = others.length > 0 && !others.some((name) => shown.includes(name));
		this.mayHaveCleared ||= !isRead(contact) && showsNone;
		// If the service is known to keep a field, another user has cleared it.
		const missing = unproven.filter((name) => !shown.includes(name));
		if (missing.length === 0) {
			for (const name of unmapped) this.kept.add(name);
			return written;
		}
		this.sendsUnmapped = true;
		// Another user may have changed what the response shows.
		const latest = { ...contact, ...pickFields(written.record, shown) };
		return await this.repair(latest, fields, missing);
	}

	/** Sends the values of unmapped fields along. A rejection may be due to one of them. */
	private async putAll(
		contact: Contact,
		fields: ContactFields,
		unmapped: ContactFieldName[],
	): Promise<Written> {
		const sent = { ...pickFields(contact, unmapped), ...fields };
		return await this.put(contact, sent).catch((error: unknown) => {
			const { statusCode = 0 } = error instanceof RequestFailure ? error.details : {};
			if (![400, 422].includes(statusCode)) throw error;
			const problems = describeProblems(contact, unmapped);
			const perhaps = problems && `, perhaps for a value that the contact has: ${problems}`;
			const message = `The service rejected the update${perhaps}`;
			throw withDetails(error, { explanation: { message, advice: sentAlong } });
		});
	}

	/**
	 * Writes the values of unmapped fields back, and the mapped ones once more.
	 * @param missing the fields that the response to the update showed without a value
	 */
	private async repair(
		contact: Contact,
		fields: ContactFields,
		missing: ContactFieldName[],
	): Promise<Written> {
		const message = "Unmapped fields may be empty now, because they couldn't be written back";
		const writable = getUnmapped(contact, fields).filter((name) => isValid(contact, name));
		const sent = { ...pickFields(contact, writable), ...fields };
		const written = await this.put(contact, sent).catch((error: unknown) => {
			const unknownOutcome = noteLoss(this.losses, contact, missing);
			throw withDetails(error, { unknownOutcome, explanation: { message } });
		});
		for (const name of missing) if (writable.includes(name)) this.restored.add(name);
		const lost = missing.filter((name) => !isValid(contact, name));
		if (lost.length === 0) return written;
		const loss = noteLoss(this.losses, contact, lost);
		const advice = `${describeProblems(contact, lost)}. ${loss}`;
		return { ...written, problem: new ExplainedError({ message, advice }) };
	}

	private async put(contact: Contact, sent: ContactFields): Promise<Written> {
		const record = await updateContact(this.connection, contact, sent).catch((error: unknown) => {
			throw isUncertain(error) ? withDetails(error, { unknownOutcome: mayBeUpdated }) : error;
		});
		for (const name of contactFieldNames) {
			const [given, shown] = [sent[name], record[name]];
			if (isEmpty(name, given) || isEmpty(name, shown) || isSameValue(name, given, shown)) continue;
			this.altered.set(name, `“${formatShort(given)}” became “${formatShort(shown)}”`);
		}
		const uncleared = contactFieldNames.filter(
			(name) => name in sent && isEmpty(name, sent[name]) && !isEmpty(name, record[name]),
		);
		return { record, problem: uncleared.length > 0 ? notCleared(uncleared) : undefined };
	}

	/** The fields that an update which leaves them out may clear, for all that is known. */
	private getUnproven(unmapped: ContactFieldName[]): ContactFieldName[] {
		return unmapped.filter((name) => !this.kept.has(name));
	}
}

const describeRestored = (names: ContactFieldName[]) =>
	`The response to an update didn't show values that the contact had in ${formatFields(names)}. The node wrote them back, and sent the values of unmapped fields along from then on. To send them along from the start, set 'Unmapped Fields' to Always Preserve; if you know that the service keeps them, to Don't Preserve`;

const describeUnseen = (names: ContactFieldName[]) =>
	`The service clears fields that an update leaves out, and no contact that was read shows ${formatFields(names)}. Values there may be lost: check a contact, and set 'Unmapped Fields' to Always Preserve, so that such contacts fail instead`;

const describeAltered = (altered: Array<[ContactFieldName, string]>) =>
	`The service stored other values than the node wrote: ${altered.map(([name, example]) => `'${displayNames[name]}' ${example}`).join(', ')}. If it keeps values in a form of its own, write them in that form: otherwise 'Skip Unchanged' writes such rows each time`;

const nothingElseShown =
	"The node updated contacts that it hadn't read, and a response shows no value in unmapped fields. If the contacts had some, the service has cleared them. Check one, and set 'Unmapped Fields' to Always Preserve, or, if nothing is lost, to Don't Preserve";

const sentAlong =
	"The values of unmapped fields were sent along, so that none is lost ('Unmapped Fields'); one of them may be the reason. Correct it in the service, or map the field to a value that the service accepts.";

const mayBeUpdated = 'The contact may have been updated; updating it again is safe.';

function isUncertain(error: unknown): boolean {
	if (error instanceof Cancelled) return error.mayHaveBegun;
	return error instanceof RequestFailure && isOutcomeUnknown(error.details);
}

function withDetails(error: unknown, details: Partial<FailureDetails>): unknown {
	if (!(error instanceof RequestFailure)) return error;
	return new RequestFailure({ ...error.details, ...details });
}

/**
 * The other fields in which a contact has a value. What is empty is left out: there is nothing to
 * lose, and the interface does not say how an empty value is written.
 */
function getUnmapped(contact: Contact, fields: ContactFields): ContactFieldName[] {
	return contactFieldNames.filter((name) => !(name in fields) && !isEmpty(name, contact[name]));
}

/** Whether the service accepts a value that a contact has, as far as is known. */
function isValid(contact: Contact, name: ContactFieldName): boolean {
	return validateValue(name, contact[name]) === undefined;
}

/** Why the service may not accept some of a contact's values; empty if it may. */
function describeProblems(contact: Contact, names: ContactFieldName[]): string {
	return names
		.filter((name) => !isValid(contact, name))
		.map((name) => `'${displayNames[name]}' ${validateValue(name, contact[name])}`)
		.join('; ');
}

function notCleared(names: ContactFieldName[]): ExplainedError {
	return new ExplainedError({
		message: `The service didn't clear ${formatFields(names)}`,
		advice:
			'The response still shows a value. All other mapped values were written. Clear it in the service.',
	});
}

/**
 * What updates may have cost contacts, each in a sentence. The list is passed on to the next try of
 * Retry On Fail, which would otherwise hide the error of the one before. n8n stores it, so the name
 * of the property must not change.
 */
export function openLosses(context: IExecuteFunctions): string[] {
	try {
		const stored = context.getContext('node') as { lostValues?: string[] };
		return (stored.lostValues ??= []);
	} catch {
		// n8n stores nothing for some of its agents.
		return [];
	}
}

/** A value of a contact as text of bounded length. */
function formatShort(value: unknown): string {
	return shorten(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Adds a sentence with values that a contact may have lost, and returns it: nothing else shows them. */
function noteLoss(losses: string[], contact: Contact, names: ContactFieldName[]): string {
	const values = names.map((name) => `${displayNames[name]} “${formatShort(contact[name])}”`);
	const loss = `${contact.email || contact.id} may have lost values. Running the item again doesn't restore them. Check the contact, and re-enter missing values: ${values.join(', ')}.`;
	losses.push(toPlainText(loss));
	return losses.at(-1)!;
}

/** Adds to the error that ends a run the losses that it doesn't name: it is all that the user sees. */
export function addLosses(error: Error & { description?: string | null }, losses: string[]): Error {
	const description = error.description ?? '';
	const others = losses.filter((loss) => !description.includes(loss));
	error.description = toDisplayText([description, ...others].join(' '));
	return error;
}
