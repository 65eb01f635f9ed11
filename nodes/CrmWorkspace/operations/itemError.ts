import type { Explanation } from '../transport/failure';

/**
 * Thrown for an item that cannot be done for another reason than a failed request of its own, such
 * as an email address that no contact has.
 */
export class ItemError extends Error {
	readonly advice?: string;

	/** @param explanation what happened, and what to do next */
	constructor({ message, advice }: Explanation) {
		super(message);
		this.advice = advice;
	}
}
