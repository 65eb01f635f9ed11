import type { NodeExecutionHint } from 'n8n-workflow';
import { displayNames } from '../../parameters/contactFields';
import { valueProblem } from '../../service/contactValues';
import { updateContact } from '../../service/crmWorkspace';
import {
	contactFieldNames,
	type ContactFieldName,
	type ContactFields,
} from '../../service/records';
import { hint } from '../../text/hint';
import type { Connection } from '../../transport/connection';
import { isOutcomeUnknown, RequestFailure, type FailureDetails } from '../../transport/failure';
import { ItemProblem } from '../itemProblem';
import { isEmpty, otherValues, type KnownContact } from './changes';
import { describeLoss } from './lostValues';

/** The values of the 'Unmapped Fields' option. */
export type UnmappedFieldsMode = 'auto' | 'preserve' | 'leave';

export interface Written {
	sent: ContactFields;
	/** The record in the response: empty if there was none. */
	shown: Readonly<Record<string, unknown>>;
	/** The fields that were to be cleared, and that the response still shows with a value. */
	uncleared: ContactFieldName[];
}

/**
 * Writes contacts, and takes care of the fields that an update leaves out: the interface doesn't say
 * whether they keep their values. With `auto` the mapped fields are sent alone, and the response is
 * compared with what the contact had. If it doesn't show a value any more, that is written back at
 * once, and the values of unmapped fields are sent along from then on. Interface: OPEN-9.
 */
export class ContactWriter {
	private sendsUnmapped = false;

	/** The fields that the service is known to keep when an update leaves them out. */
	private readonly kept = new Set<ContactFieldName>();

	/** @param losses receives what an update may have cost a contact, in words */
	constructor(
		private readonly connection: Connection,
		private readonly losses: string[],
	) {}

	/**
	 * @throws RequestFailure if the service doesn't accept the update
	 * @throws ItemProblem if the contact has lost values
	 */
	async write(
		contact: KnownContact,
		fields: ContactFields,
		mode: UnmappedFieldsMode,
	): Promise<Written> {
		if (mode === 'leave') return await this.put(contact, fields);
		const unmapped = otherValues(contact, fields);
		if (mode === 'preserve' || this.sendsUnmapped) {
			return await this.putAll(contact, fields, unmapped);
		}
		const written = await this.put(contact, fields).catch((error: unknown) => {
			throw this.nameUnproven(error, contact, unmapped);
		});
		const shown = otherValues(written.shown, fields);
		const missing = pick(unmapped, (name) => !(name in shown));
		if (Object.keys(missing).length === 0) {
			fieldNames(unmapped).forEach((name) => this.kept.add(name));
			return written;
		}
		this.sendsUnmapped = true;
		// A value that another user has changed meanwhile stays.
		return await this.repair(contact, fields, { ...unmapped, ...shown }, missing);
	}

	/** What the user should know of the unmapped fields. */
	hints(): NodeExecutionHint[] {
		if (!this.sendsUnmapped) return [];
		return [
			hint(
				"The response to an update didn't show values that the contact had in unmapped fields. They were written back, and from then on the values of unmapped fields were sent along where the node had read the contact. To send them along from the start, set 'Unmapped Fields' to Always Preserve; if you know that the service keeps them, to Don't Preserve",
			),
		];
	}

	/** Sends the values of unmapped fields along. A rejection may be due to one of them. */
	private async putAll(
		contact: KnownContact,
		fields: ContactFields,
		unmapped: ContactFields,
	): Promise<Written> {
		return await this.put(contact, { ...unmapped, ...fields }).catch((error: unknown) => {
			const problems = describeProblems(unmapped);
			const isRejected =
				error instanceof RequestFailure && [400, 422].includes(error.details.statusCode ?? 0);
			if (!isRejected || problems === '') throw error;
			const explanation = {
				message: `The service rejected the update, perhaps for a value that the contact has: ${problems}`,
				advice:
					"The values of unmapped fields were sent along, so that none is lost ('Unmapped Fields'). Correct the value in the service, or map the field to one that the service accepts.",
			};
			throw new RequestFailure({ ...error.details, explanation });
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
		const accepted = pick(unmapped, (name) => valueProblem(name, unmapped[name]) === undefined);
		const written = await this.put(contact, { ...accepted, ...fields }).catch((error: unknown) => {
			const unknownOutcome = this.noteLoss(contact, missing);
			throw withDetails(error, { unknownOutcome, explanation: { message } });
		});
		const refused = pick(missing, (name) => !(name in accepted));
		if (Object.keys(refused).length === 0) return written;
		const loss = this.noteLoss(contact, refused);
		throw new ItemProblem({ message, advice: `${describeProblems(refused)}. ${loss}` });
	}

	/** Adds to an error the values that may be gone, if the update may have been made. */
	private nameUnproven(error: unknown, contact: KnownContact, unmapped: ContactFields): unknown {
		const unproven = pick(unmapped, (name) => !this.kept.has(name));
		if (!isUncertain(error) || Object.keys(unproven).length === 0) return error;
		const unknownOutcome = `${mayBeUpdated} ${this.noteLoss(contact, unproven)}`;
		return withDetails(error, { unknownOutcome });
	}

	private noteLoss(contact: KnownContact, values: ContactFields): string {
		const loss = describeLoss(contact, values);
		this.losses.push(loss);
		return loss;
	}

	private async put({ id }: KnownContact, sent: ContactFields): Promise<Written> {
		const record = await updateContact(this.connection, id, sent).catch((error: unknown) => {
			throw isUncertain(error) ? withDetails(error, { unknownOutcome: mayBeUpdated }) : error;
		});
		const shown = record.id === undefined ? {} : record;
		const uncleared = contactFieldNames.filter(
			(name) => name in sent && isEmpty(name, sent[name]) && !isEmpty(name, shown[name]),
		);
		return { sent, shown, uncleared };
	}
}

const mayBeUpdated = 'The contact may have been updated; updating it again is safe.';

function isUncertain(error: unknown): boolean {
	return error instanceof RequestFailure && isOutcomeUnknown(error.details);
}

function withDetails(error: unknown, details: Partial<FailureDetails>): unknown {
	if (!(error instanceof RequestFailure)) return error;
	return new RequestFailure({ ...error.details, ...details });
}

/** Why the service doesn't accept some of these values, as far as is known; empty if it may. */
function describeProblems(values: ContactFields): string {
	return fieldNames(values)
		.filter((name) => valueProblem(name, values[name]) !== undefined)
		.map((name) => `${displayNames[name]} ${valueProblem(name, values[name])}`)
		.join('; ');
}

function pick(values: ContactFields, isWanted: (name: ContactFieldName) => boolean): ContactFields {
	const names = fieldNames(values).filter(isWanted);
	return Object.fromEntries(names.map((name) => [name, values[name]]));
}

function fieldNames(values: ContactFields): ContactFieldName[] {
	return contactFieldNames.filter((name) => name in values);
}
