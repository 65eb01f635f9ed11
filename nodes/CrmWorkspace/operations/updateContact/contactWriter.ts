/**
 * Writes contacts, and takes care of the fields that an update leaves out: the interface doesn't say
 * whether they keep their values (OPEN-9).
 */
import { updateContact } from '../../api/endpoints';
import { isEmpty, isSameValue, validateValue } from '../../api/formats';
import {
	contactFieldNames,
	isRead,
	pickFields,
	type Contact,
	type ContactFieldName,
	type ContactFields,
} from '../../api/records';
import { Cancelled, RequestFailure, type FailureDetails } from '../../client/failure';
import type { Client } from '../../client/request';
import { runExclusive } from '../../common/tasks';
import { ExplainedError, type Hint } from '../../common/text';
import { explainFailure, lostValues, texts } from './texts';
import type { UnmappedFieldsMode } from './update';

export interface Written {
	/** The contact after the update, as the service returns it. */
	record: Contact;
	/** What is wrong although the update was made. */
	problem?: ExplainedError;
}

/**
 * With `auto` the mapped fields are sent alone, and the record in the response is compared with what
 * the contact had. If it doesn't show a value any more, that is written back at once, and the values
 * of unmapped fields are sent along from then on.
 */
export class ContactWriter {
	private sendsUnmapped = false;

	private mayHaveCleared = false;

	private isStopped = false;

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
		private readonly client: Client,
		private readonly losses: string[],
	) {}

	/**
	 * @throws RequestFailure if the service doesn't accept the update, or Cancelled
	 */
	async write(contact: Contact, fields: ContactFields, mode: UnmappedFieldsMode): Promise<Written> {
		if (mode !== 'leave') this.noteShown(contact, fields);
		const unmapped = mode === 'leave' ? [] : getUnmapped(contact, fields);
		const write = async () => {
			if (this.isStopped) throw new Cancelled();
			if (mode === 'leave') return await this.put(contact, fields);
			return mode === 'preserve' || this.sendsUnmapped
				? await this.putAll(contact, fields, unmapped)
				: await this.putMapped(contact, fields, unmapped);
		};
		const isProbe = mode === 'auto' && !this.sendsUnmapped && this.getUnproven(unmapped).length > 0;
		// One at a time until a field is known to be kept, so that at most one contact has to be repaired.
		return isProbe ? await runExclusive(this, 'probe', write) : await write();
	}

	/** Notes which unmapped fields a contact shows, if it was read. */
	private noteShown(contact: Contact, fields: ContactFields): void {
		if (!isRead(contact)) return;
		for (const name of contactFieldNames.filter((one) => !(one in fields))) {
			const { shown, absent } = this.fields;
			(contact[name] === undefined ? absent : shown).add(name);
		}
	}

	/** Lets no update begin, and resolves once none is under way that may have to be repaired. */
	async stop(): Promise<void> {
		this.isStopped = true;
		await runExclusive(this, 'probe', async () => {});
	}

	/** What the user should know of what the service has made of the updates. */
	hints(): Hint[] {
		const { shown, absent } = this.fields;
		const unseen = this.sendsUnmapped ? [...absent].filter((name) => !shown.has(name)) : [];
		const warnings = [
			...(unseen.length > 0 ? [texts.unseen(unseen)] : []),
			...(this.mayHaveCleared ? [texts.nothingElseShown] : []),
			...(this.altered.size > 0 ? [texts.altered([...this.altered])] : []),
		];
		return [
			...(this.restored.size > 0 ? [{ message: texts.restored([...this.restored]) }] : []),
			...warnings.map((message) => ({ message, type: 'warning' as const })),
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
			const loss = this.noteLoss(contact, unproven);
			throw withDetails(error, ({ explanation }) => ({ explanation: [explanation![0], loss] }));
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
			if (changesEmail(contact, sent)) throw error;
			const { statusCode = 0 } = error instanceof RequestFailure ? error.details : {};
			if (![400, 422].includes(statusCode)) throw error;
			const invalid = unmapped.filter((name) => !isValid(contact, name));
			const explanation = texts.rejectedWithUnmapped(this.redacted(contact), invalid);
			throw withDetails(error, () => ({ explanation }));
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
		const writable = getUnmapped(contact, fields).filter((name) => isValid(contact, name));
		const sent = { ...pickFields(contact, writable), ...fields };
		const written = await this.put(contact, sent).catch((error: unknown) => {
			const loss = this.noteLoss(contact, missing);
			const outcome = texts.mayBeEmpty(this.redacted(contact));
			throw withDetails(error, ({ explanation }) => {
				return { outcome, isOutcomeUnknown: true, explanation: [explanation![0], loss] };
			});
		});
		for (const name of missing) if (writable.includes(name)) this.restored.add(name);
		const lost = missing.filter((name) => !isValid(contact, name));
		if (lost.length === 0) return written;
		const problem = texts.notRestored(this.redacted(contact), lost, this.noteLoss(contact, lost));
		return { ...written, problem: new ExplainedError(problem) };
	}

	private async put(contact: Contact, sent: ContactFields): Promise<Written> {
		const isNewEmail = changesEmail(contact, sent);
		const record = await updateContact(this.client, contact, sent).catch((error: unknown) => {
			throw withDetails(error, (details) => ({ explanation: explainFailure(details, isNewEmail) }));
		});
		for (const name of contactFieldNames) {
			const [given, shown] = [sent[name], record[name]];
			if (isEmpty(name, given) || isEmpty(name, shown) || isSameValue(name, given, shown)) continue;
			const example = this.redacted({ given, shown });
			this.altered.set(name, texts.became(example.given, example.shown));
		}
		const uncleared = contactFieldNames.filter(
			(name) => name in sent && isEmpty(name, sent[name]) && !isEmpty(name, record[name]),
		);
		const problem = new ExplainedError(texts.notCleared(this.redacted(contact), uncleared));
		return { record, problem: uncleared.length > 0 ? problem : undefined };
	}

	/** What the service returned, without the API key, before anything of it is shown. */
	private redacted<Values extends object>(values: Values): Values {
		return JSON.parse(this.client.redact(JSON.stringify(values))) as Values;
	}

	/** Notes which values a contact may have lost. @returns it in words */
	private noteLoss(contact: Contact, names: ContactFieldName[]): string {
		const loss = lostValues(this.redacted(contact), names);
		this.losses.push(loss);
		return loss;
	}

	/** The fields that an update which leaves them out may clear, for all that is known. */
	private getUnproven(unmapped: ContactFieldName[]): ContactFieldName[] {
		return unmapped.filter((name) => !this.kept.has(name));
	}
}

function changesEmail(contact: Contact, { email }: ContactFields): boolean {
	return email !== undefined && email !== contact.email;
}

function isUncertain(error: unknown): boolean {
	if (error instanceof Cancelled) return error.mayHaveBegun;
	return error instanceof RequestFailure && error.details.isOutcomeUnknown;
}

/** A failed request, with what is known of it; any other error as it is. */
function withDetails(
	error: unknown,
	explain: (details: FailureDetails) => Partial<FailureDetails>,
): unknown {
	return error instanceof RequestFailure ? error.with(explain(error.details)) : error;
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
