import { maxPageSize } from '../limits';

/** What a run has to know of the contacts before it writes. */
export interface Wanted {
	/** Different email addresses whose contacts have to be found: a search each, or one walk. */
	emails: number;
	/** Contacts named by ID that have to be read first. Only a walk shows them. */
	recordsNeeded: number;
	/** Writes by ID that a comparison may save. Only a walk shows the records to compare with. */
	writesToSave: number;
}

/**
 * How a run looks up its contacts: `walk` reads all of them once; `singly` searches each email and
 * writes to IDs without reading them; `askTotal` asks for the first page, to choose between the
 * two.
 */
export type LookupPlan = 'walk' | 'singly' | 'askTotal';

/** The requests of the two ways to look up, `total` being the number of all contacts. */
export function lookupCosts(
	{ emails, writesToSave }: Omit<Wanted, 'recordsNeeded'>,
	total: number,
): { walk: number; singly: number } {
	return { walk: Math.max(1, Math.ceil(total / maxPageSize)), singly: emails + writesToSave };
}

/**
 * The plan with the fewest requests.
 * @param total number of all contacts, once the first page has told it; Infinity if it did not
 */
export function planLookup(wanted: Wanted, total?: number): LookupPlan {
	if (wanted.recordsNeeded > 0) return 'walk';
	if (total === undefined) {
		// Nothing is cheaper than a single request, so none is spent on planning it.
		return lookupCosts(wanted, 0).singly <= 1 ? 'singly' : 'askTotal';
	}
	const { walk, singly } = lookupCosts(wanted, total);
	// One page is read already. If at least as many pages are left as writes can be saved, writing
	// without comparing takes no more requests.
	return walk - 1 < singly ? 'walk' : 'singly';
}
