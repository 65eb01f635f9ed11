import { expect, test } from '@jest/globals';
import Table from 'cli-table3';
import {
	lookupCosts,
	cheapestLookup,
	type LookupNeeds,
} from '../../nodes/CrmWorkspace/service/lookup/cheapestLookup';

const itemCounts = [1, 5, 50, 500, 5_000];
const totals = [100, 1_000, 10_000, 100_000];

/** What there is to know of `count` items, for each way to name contacts and to treat them. */
const cases: Record<string, (count: number) => LookupNeeds> = {
	'by email': (emails) => ({ emails, recordsNeeded: 0, writesToSave: 0 }),
	'by ID, skip unchanged': (writesToSave) => ({ emails: 0, recordsNeeded: 0, writesToSave }),
	'by ID, preserve': (recordsNeeded) => ({ emails: 0, recordsNeeded, writesToSave: 0 }),
};

/** The requests that are made, writes to contacts found by email left out. */
function requestsOf(wanted: LookupNeeds, total: number): { method: string; requests: number } {
	const costs = lookupCosts(wanted, total);
	const first = cheapestLookup(wanted);
	if (first !== 'askTotal') return { method: first, requests: costs[first] };

	const second = cheapestLookup(wanted, total);
	if (second === 'askTotal') throw new Error('The total was told already');
	// Reading all goes on from the page that told the total.
	const requests = costs[second] + (second === 'readAll' ? 0 : 1);
	return { method: `total, ${second}`, requests };
}

test.each(Object.entries(cases))(
	'the choice is never above the cheapest by more than the page that told the total: %s',
	(name, wantedFor) => {
		const table = new Table({
			style: { head: [], border: [], compact: true },
			head: ['items', 'contacts', 'read all', 'singly', 'chosen', 'requests'],
		});
		for (const items of itemCounts) {
			for (const total of totals) {
				const wanted = wantedFor(items);
				const costs = lookupCosts(wanted, total);
				const isOnlyWay = wanted.recordsNeeded > 0;
				const { method, requests } = requestsOf(wanted, total);
				table.push([items, total, costs.readAll, isOnlyWay ? '–' : costs.singly, method, requests]);

				const cheapest = isOnlyWay ? costs.readAll : Math.min(costs.readAll, costs.singly);
				expect({ name, items, total, above: requests - cheapest }).toMatchObject({
					above: method === 'total, singly' ? 1 : 0,
				});
			}
		}
		process.stdout.write(`${name}\n${table.toString()}\n`);
	},
);

test('one item is looked up without asking for the total', () => {
	expect(cheapestLookup({ emails: 1, recordsNeeded: 0, writesToSave: 0 })).toBe('singly');
	expect(cheapestLookup({ emails: 0, recordsNeeded: 0, writesToSave: 1 })).toBe('singly');
});

test('where nothing has to be known, nothing is asked', () => {
	expect(cheapestLookup({ emails: 0, recordsNeeded: 0, writesToSave: 0 })).toBe('singly');
});

test('a total that the service does not tell is taken as endless', () => {
	expect(cheapestLookup({ emails: 500, recordsNeeded: 0, writesToSave: 0 }, Infinity)).toBe(
		'singly',
	);
});

test('an empty workspace is known by its first page', () => {
	expect(cheapestLookup({ emails: 2, recordsNeeded: 0, writesToSave: 0 }, 0)).toBe('readAll');
});
