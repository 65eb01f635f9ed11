/** Something that must not be, found in a generated history. */
export class Violation<Rule extends string = string> extends Error {
	override name = 'Violation';
	readonly rule: Rule;

	/** @param rule what had to hold */
	constructor(rule: Rule, message: string) {
		super(`${rule}: ${message}`);
		this.rule = rule;
	}
}
