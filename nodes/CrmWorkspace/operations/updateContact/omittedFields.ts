import type { ContactFields } from '../../service/records';
import { isSame } from './changes';

/** What happens to the fields that an update leaves out: the values of the Omitted Fields option. */
export type OmittedFieldsMode = 'auto' | 'preserve' | 'leave';

/**
 * What a run knows of the fields that its updates leave out:
 * - kept: they keep their values
 * - lost: the service empties them
 * - open: nothing shows it
 */
export type Finding = 'kept' | 'lost' | 'open';

/**
 * What a record shows of the fields that an update has left out. If only some of them are empty,
 * somebody else has emptied these. A service may empty all but the address, which it knows the
 * contact by, so an address that is still there shows nothing. Interface: OPEN-9.
 * @param others what the contact had in these fields before
 */
export function findingIn(
	others: ContactFields,
	shown: Readonly<Record<string, unknown>>,
): Finding {
	const names = Object.keys(others).filter((name) => name in shown);
	const hasValue = (name: string) => !isSame(name, shown[name], undefined);
	const isEvidence = (name: string) => name !== 'email' || hasAddressAlone(others);
	if (names.some((name) => isEvidence(name) && hasValue(name))) return 'kept';
	return names.every(hasValue) ? 'open' : 'lost';
}

/** Whether there is nothing but an address to lose. */
export function hasAddressAlone(others: ContactFields): boolean {
	return Object.keys(others).every((name) => name === 'email');
}

/** What a run finds out of the fields that its updates leave out, by one of them, the trial. */
export class OmittedFields {
	finding?: Finding;

	private trial?: Promise<unknown>;

	/** Once there is a finding, updates go side by side; before, one at a time. */
	async tryOut<Outcome>(update: () => Promise<Outcome>): Promise<Outcome> {
		while (this.trial && !this.finding) await this.trial;
		const done = update();
		if (!this.finding) this.trial = this.trialEnds(done);
		return await done;
	}

	/** Resolves when no trial is under way. */
	async untilTrialIsOver(): Promise<void> {
		await this.trial;
	}

	private async trialEnds(done: Promise<unknown>): Promise<void> {
		await done.catch(() => {});
		this.trial = undefined;
	}

	/** What the user should know of it; undefined where there is nothing to tell. */
	get hint(): string | undefined {
		return this.finding && hints[this.finding];
	}
}

const hints: Record<Finding, string | undefined> = {
	kept: undefined,
	lost: 'The service empties what an update leaves out. What the first contact lost was written back, or is in the error of its item; for all others these values were sent along, as far as the list of contacts shows them. Set Omitted Fields to Always Keep, so that nothing is empty even for a moment',
	open: 'Nothing shows whether the service keeps what an update leaves out, so the other values of each contact were sent along. Set Omitted Fields to Leave to the Service if you know that it does, otherwise to Always Keep',
};
