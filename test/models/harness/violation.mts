/** Something that must not be, found in a generated history. */
export class Violation extends Error {
	/** @param rule what had to hold */
	constructor(rule: string, message: string) {
		super(`${rule}: ${message}`);
	}
}
