import { valueProblem } from '../../service/contactValues';
import type { ContactFieldName, ContactFields } from '../../service/records';
import { RequestFailure } from '../../transport/errors/failure';
import { isSame, otherValues } from './changes';
import { displayNames } from './fields';
import type { KnownContact } from './knownContact';

/** What a run has shown of the fields that its updates leave out. Interface: OPEN-9. */
export class OmittedFields {
	private kept = false;

	private lost = false;

	/** Whether they have been seen to keep their values, and never to lose them. */
	get areKept(): boolean {
		return this.kept && !this.lost;
	}

	/** Learns from the answer to an update of a contact that was known before. */
	learn(
		{ record, certain }: KnownContact,
		written: ContactFields,
		answer: KnownContact['record'],
	): void {
		for (const [name, value] of Object.entries(otherValues(record, written))) {
			if (!certain.has(name) || !(name in answer)) continue;
			if (isSame(name, answer[name], value)) this.kept = true;
			if (isSame(name, answer[name], undefined)) this.lost = true;
		}
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

/**
 * Explains a refusal that may be due to stored values that were sent along, and names them. A
 * refusal whose reason is known is returned as it is.
 */
export function namingStoredValues(failure: RequestFailure, values: ContactFields): RequestFailure {
	const { explanation, code, message } = failure.details;
	const names = Object.keys(values) as ContactFieldName[];
	const isExplained = explanation && (code ?? message);
	if (isExplained || names.length === 0) return failure;

	const problems = names.map((name) => `${displayNames[name]} ${valueProblem(name, values[name])}`);
	return new RequestFailure({
		...failure.details,
		explanation: {
			message: `The service rejected the update, perhaps for a value that the contact has: ${problems.join('; ')}`,
			advice:
				'Omitted Fields is Preserve, so the current values of all other fields were sent along. Correct the value in the service, or map the field to one that the service takes.',
		},
	});
}
