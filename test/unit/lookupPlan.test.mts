import { expect, test } from '@jest/globals';
import Table from 'cli-table3';
import {
	lookupCosts,
	planLookup,
	type Wanted,
} from '../../nodes/CrmWorkspace/service/lookup/lookupPlan';

const itemCounts = [1, 5, 50, 500, 5_000];
const totals = [100, 1_000, 10_000, 100_000];

/** What there is to know of `count` items, for each way to name contacts and to treat them. */
const cases: Record<string, (count: number) => Wanted> = {
	'by email': (emails) => ({ emails, recordsNeeded: 0, writesToSave: 0 }),
	'by ID, skip unchanged': (writesToSave) => ({ emails: 0, recordsNeeded: 0, writesToSave }),
	'by ID, preserve': (recordsNeeded) => ({ emails: 0, recordsNeeded, writesToSave: 0 }),
};

/** The requests that following the plan takes, writes to contacts found by email left out. */
function requestsOfPlan(wanted: Wanted, total: number): { plan: string; requests: number } {
	const costs = lookupCosts(wanted, total);
	const first = planLookup(wanted);
	if (first !== 'askTotal') return { plan: first, requests: costs[first] };

	const second = planLookup(wanted, total);
	if (second === 'askTotal') throw new Error('The total was told already');
	// A walk goes on from the page that told the total.
	return { plan: `total, ${second}`, requests: costs[second] + (second === 'walk' ? 0 : 1) };
}

test.each(Object.entries(cases))(
	'the plan is never above the cheapest by more than the page that told the total: %s',
	(name, wantedFor) => {
		const table = new Table({
			style: { head: [], border: [], compact: true },
			head: ['items', 'contacts', 'walk', 'each by itself', 'plan', 'requests'],
		});
		for (const items of itemCounts) {
			for (const total of totals) {
				const wanted = wantedFor(items);
				const costs = lookupCosts(wanted, total);
				const isWalkNeeded = wanted.recordsNeeded > 0;
				const { plan, requests } = requestsOfPlan(wanted, total);
				table.push([items, total, costs.walk, isWalkNeeded ? '–' : costs.singly, plan, requests]);

				const cheapest = isWalkNeeded ? costs.walk : Math.min(costs.walk, costs.singly);
				expect({ name, items, total, above: requests - cheapest }).toMatchObject({
					above: plan === 'total, singly' ? 1 : 0,
				});
			}
		}
		process.stdout.write(`${name}\n${table.toString()}\n`);
	},
);

test('one item is looked up without asking for the total', () => {
	expect(planLookup({ emails: 1, recordsNeeded: 0, writesToSave: 0 })).toBe('singly');
	expect(planLookup({ emails: 0, recordsNeeded: 0, writesToSave: 1 })).toBe('singly');
});

test('where nothing has to be known, nothing is asked', () => {
	expect(planLookup({ emails: 0, recordsNeeded: 0, writesToSave: 0 })).toBe('singly');
});

test('a total that the service does not tell is taken as endless', () => {
	expect(planLookup({ emails: 500, recordsNeeded: 0, writesToSave: 0 }, Infinity)).toBe('singly');
});

test('an empty workspace is known by its first page', () => {
	expect(planLookup({ emails: 2, recordsNeeded: 0, writesToSave: 0 }, 0)).toBe('walk');
});
