import type { Explanation } from '../transport/failure';

/** Thrown for an item that cannot be done, where no request of its own tells why. */
export class ItemProblem extends Error {
	readonly advice?: string;

	/** @param explanation what happened, and what to do next */
	constructor({ message, advice }: Explanation) {
		super(message);
		this.advice = advice;
	}
}
