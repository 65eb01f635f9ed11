/** What errors and hints of List say: titles and advice by name. */
import { shorten, type Texts } from '../../common/text';
import { formatValue } from '../../parameters/value';

const emptyFilter = 'It would let all contacts through. Enter a value, or remove the filter.';

export const texts = {
	// Parameters
	needsSearchTerm: 'The service returns only articles that match a search term. Enter a value.',
	emptyFilter,
	/** For a date that a first run doesn't have. */
	emptyDate: `${emptyFilter} For a first run, write {{ $json.lastRun ?? "1970-01-01" }}.`,
	invalidEmail: (problem: string) => [
		`'Email' ${problem}`,
		'Enter the address of one contact, like nathan@example.com.',
	],
	notADate: (given: string) => [
		"'Updated After' isn't a date",
		`It is ${formatValue(given)}, but has to look like 2026-01-31T08:00:00Z, or be a date of an expression such as {{ $now.minus({ days: 1 }) }}.`,
	],
	// Results
	uncertain: (email: string) => [
		`It's uncertain whether a contact has the email ${email}`,
		'None was found, but the list of contacts kept changing. Run this item again.',
	],
	noneShows: (wanted: string) => `No contact that was read shows “${shorten(wanted)}”`,
	mayBeMissing: (read: number, counted: number) =>
		`Some contacts may be missing: ${read} (the service counted ${counted}) were read, and the list kept changing or doesn't show what it counts. Run the workflow again at a quieter time, or list fewer contacts with the filter 'Search'.`,
	fewerArticles: (found: number, returned: number) =>
		`The service found ${found} articles but returned only ${returned}, and it offers no next page. Use a narrower 'Search Term' to find the others.`,
	sameListForEach: (items: number) =>
		`The output has the same list ${items} times, once for each input item. If the list doesn't depend on the items, turn on 'Execute Once' in the settings of this node.`,
} satisfies Texts;
