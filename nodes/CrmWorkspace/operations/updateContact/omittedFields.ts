import type { ContactFields } from '../../service/records';
import { isSameValue } from './changes';

/** What happens to the fields that an update leaves out: the values of the Omitted Fields option. */
export type OmittedFieldsMode = 'auto' | 'preserve' | 'leave';

/**
 * Why the other values of a contact are sent along:
 * - lost: a field that had a value and was left out was shown empty
 * - open: nothing shows what becomes of such fields
 */
export type Finding = 'lost' | 'open';

/** Fields that had a value and were left out of an update, by what a record shows of them. */
export interface ShownFields {
	kept: string[];
	empty: string[];
	missing: string[];
}

/**
 * What a record shows of the fields that an update has left out. Any other value counts as kept:
 * somebody else may have written it. Interface: OPEN-9.
 * @param others what the contact had in these fields before
 */
export function fieldsShownIn(
	others: ContactFields,
	record: Readonly<Record<string, unknown>>,
): ShownFields {
	const shown: ShownFields = { kept: [], empty: [], missing: [] };
	for (const name of Object.keys(others)) {
		if (!(name in record)) shown.missing.push(name);
		else if (isSameValue(name, record[name], undefined)) shown.empty.push(name);
		else shown.kept.push(name);
	}
	return shown;
}

/**
 * What a run finds out of the fields that its updates leave out. Each field is proven for itself: a
 * service may empty some and keep others. An update that leaves out the value of a field that is not
 * proven is a trial; there is one at a time, so that a service which empties costs one contact.
 */
export class OmittedFields {
	finding?: Finding;

	private readonly seenKept = new Set<string>();

	private trial?: Promise<unknown>;

	/** Whether an update leaves out the value of a field that this run has not yet seen kept. */
	isTrial(others: ContactFields): boolean {
		return !this.finding && Object.keys(others).some((name) => !this.seenKept.has(name));
	}

	/** Does an update, at once where it is no trial. */
	async oneTrialAtATime<Outcome>(
		others: ContactFields,
		update: () => Promise<Outcome>,
	): Promise<Outcome> {
		while (this.trial && this.isTrial(others)) await this.trial;
		const done = update();
		if (this.isTrial(others)) this.trial = this.trialEnds(done);
		return await done;
	}

	async untilTrialIsOver(): Promise<void> {
		await this.trial;
	}

	/**
	 * What a record shows of an update that has left out fields; undefined where all are kept, by this
	 * record or, as far as it does not show them, by earlier ones.
	 */
	findingOf(others: ContactFields, record: Readonly<Record<string, unknown>>): Finding | undefined {
		const { kept, empty, missing } = fieldsShownIn(others, record);
		kept.forEach((name) => this.seenKept.add(name));
		if (empty.length > 0) return 'lost';
		return missing.every((name) => this.seenKept.has(name)) ? undefined : 'open';
	}

	/** From now on, the other values of each contact are sent along. */
	conclude(finding: Finding): void {
		if (this.finding !== 'lost') this.finding = finding;
	}

	/** What the user should know of it; undefined where there is nothing to tell. */
	get hint(): string | undefined {
		return this.finding && hints[this.finding];
	}

	private async trialEnds(done: Promise<unknown>): Promise<void> {
		await done.catch(() => {});
		this.trial = undefined;
	}
}

const hints: Record<Finding, string> = {
	lost: 'The service empties what an update leaves out. What the node had read of a contact was written back or sent along, or is in an error or a hint of this run; what it had not read, as of contacts named by ID, may be lost. Set Omitted Fields to Always Keep, so that no update leaves anything out',
	open: 'Nothing shows whether the service keeps what an update leaves out, so the other values of each contact were sent along. Set Omitted Fields to Leave to the Service if you know that it does, otherwise to Always Keep',
};
