import { expect, test } from '@jest/globals';
import Table from 'cli-table3';
import fc from 'fast-check';
import { readPages } from '../../nodes/CrmWorkspace/service/readPages';
import { ChangingList, listOrders, type Change } from '../support/changingList.mts';
import { seededRandom } from '../support/seededRandom.mts';

/** How often a list changes: the changes that come before a request. */
const paces = {
	'one in 5 requests': (requests, random) => (requests % 5 === 0 && random() < 0.9 ? any(1) : []),
	'one in 2 requests': (_requests, random) => (random() < 0.5 ? any(1) : []),
	'up to 6 at once': (_requests, random) => (random() < 0.3 ? any(1 + random() * 6) : []),
	'up to 60 at once': (_requests, random) => (random() < 0.1 ? any(1 + random() * 60) : []),
	// Neither the total nor the number of records tells of these.
	'one replaced by another': (_requests, random) => (random() < 0.1 ? ['delete', 'create'] : []),
} satisfies Record<string, Pace>;
type Pace = (requests: number, random: () => number) => Array<Change | undefined>;

const any = (count: number) => new Array<undefined>(Math.floor(count)).fill(undefined);

const seed = 20_260_131;
const historiesOfEach = 80;

test('every contact that existed throughout comes exactly once, or the walk says that it did not settle', async () => {
	const table = new Table({
		style: { head: [], border: [], compact: true },
		head: [
			'order',
			'changes',
			'histories',
			'failures',
			'unsettled',
			'read again',
			'rounds',
			'requests : pages',
		],
	});
	const failures: unknown[] = [];
	let unsettledThoughCalm = 0;
	for (const order of listOrders) {
		for (const pace of Object.keys(paces) as Array<keyof typeof paces>) {
			const sum = {
				histories: 0,
				failures: 0,
				unsettled: 0,
				again: 0,
				rounds: 0,
				requests: 0,
				pages: 0,
			};
			await fc.assert(
				fc.asyncProperty(history, async (one) => {
					const walk = await walkThrough({ ...one, order, pace });
					sum.histories++;
					sum.pages += walk.pages;
					sum.requests += walk.requests;
					sum.rounds = Math.max(sum.rounds, walk.rounds);
					if (walk.hasChanged) sum.again++;
					if (!walk.isSettled) sum.unsettled++;
					else if (walk.missing + walk.doubled > 0) {
						sum.failures++;
						failures.push({ ...one, order, pace, ...walk });
					}
				}),
				{ numRuns: historiesOfEach, seed },
			);
			if (pace === 'one in 5 requests') unsettledThoughCalm += sum.unsettled;
			table.push([
				order,
				pace,
				sum.histories,
				sum.failures,
				sum.unsettled,
				sum.again,
				`up to ${sum.rounds}`,
				(sum.requests / sum.pages).toFixed(2),
			]);
		}
	}
	process.stdout.write(`seed ${seed}\n${table.toString()}\n`);
	expect(failures.slice(0, 3)).toEqual([]);
	expect(unsettledThoughCalm).toBe(0);
}, 120_000);

const history = fc.record({
	count: fc.oneof(fc.integer({ min: 0, max: 450 }), fc.integer({ min: 0, max: 2000 })),
	concurrency: fc.integer({ min: 1, max: 20 }),
	randomSeed: fc.integer(),
});

async function walkThrough({
	order,
	pace,
	count,
	concurrency,
	randomSeed,
}: {
	order: (typeof listOrders)[number];
	pace: keyof typeof paces;
	count: number;
	concurrency: number;
	randomSeed: number;
}) {
	const random = seededRandom(`${randomSeed}`);
	const list = new ChangingList(order, count, random, (requests) => paces[pace](requests, random));
	const { records, isSettled, hasChanged } = await readPages({
		fetchPage: list.fetchPage,
		limit: Infinity,
		concurrency,
		startedAt: list.moment,
	});
	const ids = records.map(({ id }) => id);
	const returned = new Set(ids);
	return {
		isSettled,
		hasChanged,
		requests: list.requests,
		rounds: list.rounds,
		pages: Math.max(1, Math.ceil(count / 100)),
		missing: list.everPresent.filter((id) => !returned.has(id)).length,
		doubled: ids.length - returned.size,
	};
}
