/** The possible outcomes of messages for an address. */
export const addressOutcomes = ['deliver', 'bounce', 'complain', 'reject', 'fail'] as const;
export type AddressOutcome = (typeof addressOutcomes)[number];

/**
 * Decides the outcome of a message by its recipient. An address whose local part is the name of
 * an outcome has that outcome at every domain, unless something else was set.
 */
export class Addresses {
	#outcomes = new Map<string, AddressOutcome>();

	set(address: string, outcome: AddressOutcome): void {
		this.#outcomes.set(address.toLowerCase(), outcome);
	}

	outcomeOf(address: string): AddressOutcome {
		const key = address.toLowerCase();
		const localPart = key.split('@')[0];
		return (
			this.#outcomes.get(key) ??
			addressOutcomes.find((outcome) => outcome === localPart) ??
			'deliver'
		);
	}

	/** The addresses that were set, with their outcomes. */
	all(): Record<string, AddressOutcome> {
		return Object.fromEntries(this.#outcomes);
	}
}
