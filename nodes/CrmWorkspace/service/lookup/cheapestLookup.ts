import { maxPageSize } from '../limits';

/** What a run has to know of the contacts before it writes. */
export interface LookupNeeds {
	emails: number;
	/** Contacts named by ID that have to be read first: only reading all shows them. */
	recordsNeeded: number;
	/** Writes by ID that a comparison may save: only reading all shows what to compare with. */
	writesToSave: number;
}

/**
 * How a run looks up its contacts: `readAll` reads all of them once; `singly` searches each email
 * and writes to IDs without reading them; `askTotal` asks for the first page, to choose between the
 * two.
 */
export type LookupMethod = 'readAll' | 'singly' | 'askTotal';

/** The requests of the two ways to look up, `total` being the number of all contacts. */
export function lookupCosts(
	{ emails, writesToSave }: Omit<LookupNeeds, 'recordsNeeded'>,
	total: number,
): { readAll: number; singly: number } {
	return { readAll: Math.max(1, Math.ceil(total / maxPageSize)), singly: emails + writesToSave };
}

/**
 * The method with the fewest requests.
 * @param total number of all contacts, once the first page has told it; Infinity if it did not
 */
export function cheapestLookup(needs: LookupNeeds, total?: number): LookupMethod {
	if (needs.recordsNeeded > 0) return 'readAll';
	if (total === undefined) {
		// Nothing is cheaper than a single request, so none is spent on the choice.
		return lookupCosts(needs, 0).singly <= 1 ? 'singly' : 'askTotal';
	}
	const { readAll, singly } = lookupCosts(needs, total);
	// One page is read already. If at least as many pages are left as writes can be saved, writing
	// without comparing takes no more requests.
	return readAll - 1 < singly ? 'readAll' : 'singly';
}
