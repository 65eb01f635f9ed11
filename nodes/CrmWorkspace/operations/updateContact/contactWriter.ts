import type { NodeExecutionHint } from 'n8n-workflow';
import { displayNames } from '../../parameters/contactFields';
import { validateValue } from '../../service/contactValues';
import { updateContact } from '../../service/crmWorkspace';
import {
	contactFieldNames,
	type ContactFieldName,
	type ContactFields,
} from '../../service/records';
import { hint } from '../../text/hint';
import { formatList } from '../../text/plainText';
import type { Connection } from '../../transport/connection';
import {
	Cancelled,
	isOutcomeUnknown,
	RequestFailure,
	type FailureDetails,
} from '../../transport/failure';
import { inTurn } from '../inTurn';
import { ItemError } from '../itemError';
import { isEmpty, getUnmappedValues, type KnownContact } from './changes';
import { noteLoss } from './lostValues';

/** The values of the 'Unmapped Fields' option. */
export type UnmappedFieldsMode = 'auto' | 'preserve' | 'leave';

export interface Written {
	sent: ContactFields;
	/** The record in the response: empty if there was none. */
	response: Readonly<Record<string, unknown>>;
	/** What is wrong although the update was made. */
	problem?: ItemError;
}

/**
 * Writes contacts, and takes care of the fields that an update leaves out: the interface doesn't say
 * whether they keep their values. With `auto` the mapped fields are sent alone, and the response is
 * compared with what the contact had. If it doesn't show a value any more, that is written back at
 * once, and the values of unmapped fields are sent along from then on. Interface: OPEN-9.
 */
export class ContactWriter {
	private sendsUnmapped = false;

	private mayHaveCleared = false;

	/** The fields that the service is known to keep when an update leaves them out. */
	private readonly kept = new Set<ContactFieldName>();

	/** @param losses receives what an update may have cost a contact, in words */
	constructor(
		private readonly connection: Connection,
		private readonly losses: string[],
	) {}

	/**
	 * @throws RequestFailure if the service doesn't accept the update, or Cancelled
	 */
	async write(
		contact: KnownContact,
		fields: ContactFields,
		mode: UnmappedFieldsMode,
	): Promise<Written> {
		if (mode === 'leave') return await this.put(contact, fields);
		const unmapped = getUnmappedValues(contact, fields);
		const write = async () =>
			mode === 'preserve' || this.sendsUnmapped
				? await this.putAll(contact, fields, unmapped)
				: await this.putMapped(contact, fields, unmapped);
		// One at a time until a field is known to be kept, so that at most one contact has to be repaired.
		const isProbe = () =>
			mode === 'auto' &&
			!this.sendsUnmapped &&
			getFields(unmapped).some((name) => !this.kept.has(name));
		const probe = async () => (isProbe() ? await write() : undefined);
		return (isProbe() && (await inTurn(this, 'probe', probe))) || (await write());
	}

	/** Resolves once no update is under way that may have to be repaired. */
	async waitForProbes(): Promise<void> {
		await inTurn(this, 'probe', async () => {});
	}

	/** Sends the mapped fields alone, and sees what becomes of the others. */
	private async putMapped(
		contact: KnownContact,
		fields: ContactFields,
		unmapped: ContactFields,
	): Promise<Written> {
		const written = await this.put(contact, fields).catch((error: unknown) => {
			const unproven = pick(unmapped, (name) => !this.kept.has(name));
			if (!isUncertain(error) || getFields(unproven).length === 0) throw error;
			const loss = noteLoss(this.losses, contact, unproven);
			throw withDetails(error, { unknownOutcome: `The contact may have been updated. ${loss}` });
		});
		const shown = getUnmappedValues(written.response, fields);
		const isUnread = Object.keys(contact).length === 1;
		this.mayHaveCleared ||= isUnread && getFields(shown).length === 0;
		const missing = pick(unmapped, (name) => !(name in shown));
		if (getFields(missing).length === 0) {
			getFields(unmapped).forEach((name) => this.kept.add(name));
			return written;
		}
		this.sendsUnmapped = true;
		// Keep a value that another user has changed in the meantime.
		return await this.repair(contact, fields, { ...unmapped, ...shown }, missing);
	}

	/** What the user should know of the unmapped fields. */
	hints(): NodeExecutionHint[] {
		if (this.sendsUnmapped) return [hint(writtenBack)];
		return this.mayHaveCleared ? [hint(nothingElseShown, 'warning')] : [];
	}

	/** Sends the values of unmapped fields along. A rejection may be due to one of them. */
	private async putAll(
		contact: KnownContact,
		fields: ContactFields,
		unmapped: ContactFields,
	): Promise<Written> {
		const problems = describeProblems(unmapped);
		const perhaps = problems && `, perhaps for a value that the contact has: ${problems}`;
		const explanation = { message: `The service rejected the update${perhaps}`, advice: sentAlong };
		return await this.put(contact, { ...unmapped, ...fields }).catch((error: unknown) => {
			const { statusCode = 0 } = error instanceof RequestFailure ? error.details : {};
			throw [400, 422].includes(statusCode) ? withDetails(error, { explanation }) : error;
		});
	}

	/**
	 * Writes the values of unmapped fields back, and the mapped ones once more.
	 * @param missing the values that the response to the update didn't show
	 */
	private async repair(
		contact: KnownContact,
		fields: ContactFields,
		unmapped: ContactFields,
		missing: ContactFields,
	): Promise<Written> {
		const message = "Unmapped fields may be empty now, because they couldn't be written back";
		const writable = pick(unmapped, (name) => validateValue(name, unmapped[name]) === undefined);
		const written = await this.put(contact, { ...writable, ...fields }).catch((error: unknown) => {
			const unknownOutcome = noteLoss(this.losses, contact, missing);
			throw withDetails(error, { unknownOutcome, explanation: { message } });
		});
		const lost = pick(missing, (name) => !(name in writable));
		if (getFields(lost).length === 0) return written;
		const loss = noteLoss(this.losses, contact, lost);
		const problem = new ItemError({ message, advice: `${describeProblems(lost)}. ${loss}` });
		return { ...written, problem };
	}

	private async put({ id }: KnownContact, sent: ContactFields): Promise<Written> {
		const record = await updateContact(this.connection, id, sent).catch((error: unknown) => {
			throw isUncertain(error) ? withDetails(error, { unknownOutcome: mayBeUpdated }) : error;
		});
		const response = typeof record.id === 'string' ? record : {};
		const uncleared = getFields(sent).filter(
			(name) => isEmpty(name, sent[name]) && !isEmpty(name, response[name]),
		);
		return { sent, response, problem: uncleared.length > 0 ? notCleared(uncleared) : undefined };
	}
}

const writtenBack =
	"The response to an update didn't show values that the contact had in unmapped fields. The node wrote them back, and sent the values of unmapped fields along from then on. To send them along from the start, set 'Unmapped Fields' to Always Preserve; if you know that the service keeps them, to Don't Preserve";

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

/** Why the service doesn't accept some of these values, as far as is known; empty if it may. */
function describeProblems(values: ContactFields): string {
	return getFields(values)
		.filter((name) => validateValue(name, values[name]) !== undefined)
		.map((name) => `'${displayNames[name]}' ${validateValue(name, values[name])}`)
		.join('; ');
}

function pick(values: ContactFields, isWanted: (name: ContactFieldName) => boolean): ContactFields {
	const names = getFields(values).filter(isWanted);
	return Object.fromEntries(names.map((name) => [name, values[name]]));
}

function getFields(values: ContactFields): ContactFieldName[] {
	return contactFieldNames.filter((name) => name in values);
}

function notCleared(names: ContactFieldName[]): ItemError {
	const fields = formatList(names.map((name) => `'${displayNames[name]}'`));
	return new ItemError({
		message: `The service didn't clear ${fields}`,
		advice:
			'The response still shows a value. All other mapped values were written. Clear it in the service.',
	});
}
