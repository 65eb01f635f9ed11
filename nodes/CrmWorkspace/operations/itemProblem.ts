import type { Explanation } from '../transport/failure';

/**
 * Thrown for an item that cannot be done for another reason than a failed request of its own, such
 * as an email address that no contact has.
 */
export class ItemProblem extends Error {
	readonly advice?: string;

	/**
	 * @param explanation what happened, and what to do next
	 * @param hasLostValues whether nothing else tells values that a contact has, or may have, lost
	 */
	constructor(
		{ message, advice }: Explanation,
		readonly hasLostValues = false,
	) {
		super(message);
		this.advice = advice;
	}
}
