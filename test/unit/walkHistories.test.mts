import { expect, test } from '@jest/globals';
import Table from 'cli-table3';
import fc from 'fast-check';
import { readPages } from '../../nodes/CrmWorkspace/service/lists/readPages';
import {
	anyChange,
	ChangingList,
	listOrders,
	type Change,
} from '../support/simulated/changingList.mts';
import { seededRandom } from '../support/simulated/seededRandom.mts';

/** How a list changes: the changes that come before a request. */
const paces = {
	never: () => [],
	'once in a while': (random) => (random() < 0.03 ? [anyChange(random, 1)] : []),
	'one in 5 requests': (random) => (random() < 0.2 ? [anyChange(random, 1)] : []),
	'one or two a request': (random) =>
		Array.from({ length: Math.floor(random() * 3) }, () => anyChange(random, 1)),
	'up to 6 at once': (random) => (random() < 0.3 ? [anyChange(random, 6)] : []),
	'up to two pages at once': (random, pageSize) =>
		random() < 0.2 ? [anyChange(random, 2 * pageSize)] : [],
	// Neither the total nor the number of records tells of these.
	'replaced by others': (random, pageSize) => {
		const count = random() < 0.5 ? 1 : pageSize;
		const replaced = (['delete', 'create'] as const).map((kind) => ({
			kind,
			count,
			areNeighbours: true,
		}));
		return random() < 0.1 ? replaced : [];
	},
} satisfies Record<string, (random: () => number, pageSize: number) => Change[]>;

const seed = Number(process.env.SEED ?? 20_260_131);
const historiesOfEach = Number(process.env.HISTORIES ?? 25);

// Interface: LIST-13, LIST-14.
test('every contact that existed throughout comes exactly once, or the walk says that it did not settle', async () => {
	const table = new Table({
		style: { head: [], border: [], compact: true },
		head: ['order', 'changes', 'histories', 'lost', 'unsettled', 'read again', 'requests : pages'],
	});
	const failures: unknown[] = [];
	let unsettledThoughCalm = 0;
	for (const order of listOrders) {
		for (const pace of Object.keys(paces) as Array<keyof typeof paces>) {
			const sum = { histories: 0, lost: 0, unsettled: 0, again: 0, requests: 0, pages: 0 };
			await fc.assert(
				fc.asyncProperty(history, async (one) => {
					const walk = await walkThrough({ ...one, order, pace });
					sum.histories++;
					sum.pages += walk.pages;
					sum.requests += walk.requests;
					if (walk.hasChanged) sum.again++;
					if (!walk.isSettled) sum.unsettled++;
					if (!walk.isSettled && hasToSettle({ ...one, order, pace })) unsettledThoughCalm++;
					if ((walk.isSettled && walk.lost > 0) || walk.doubled > 0) {
						sum.lost++;
						failures.push({ ...one, order, pace, ...walk });
					}
				}),
				{ numRuns: historiesOfEach, seed },
			);
			table.push([
				order,
				pace,
				sum.histories,
				sum.lost,
				sum.unsettled,
				sum.again,
				(sum.requests / sum.pages).toFixed(2),
			]);
		}
	}
	process.stdout.write(`seed ${seed}\n${table.toString()}\n`);
	expect(failures.slice(0, 3)).toEqual([]);
	expect(unsettledThoughCalm).toBe(0);
}, 1_200_000);

const history = fc.record({
	count: fc.oneof(fc.integer({ min: 0, max: 450 }), fc.integer({ min: 0, max: 1000 })),
	age: fc.constantFrom(3_600_000, 3_600_000, 3_600_000, 30_000),
	pageSize: fc.oneof(fc.constant(100), fc.integer({ min: 3, max: 100 })),
	concurrency: fc.constantFrom(1, 5, 20),
	/** How many more contacts are wanted than there are; null for all, however many come. */
	spare: fc.option(fc.integer({ min: -30, max: 30 })),
	tells: fc.constantFrom('totalCount', 'totalCount', 'totalCount', 'totalPages', 'nothing'),
	randomSeed: fc.integer(),
});
type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never;
type Played = History & { order: (typeof listOrders)[number]; pace: keyof typeof paces };

/** Where next to nothing is deleted, one of the rounds is not disturbed by it. */
function hasToSettle({ count, pace }: Played): boolean {
	return pace === 'never' || (pace === 'once in a while' && count <= 450);
}

async function walkThrough({
	order,
	pace,
	count,
	age,
	pageSize,
	concurrency,
	spare,
	tells,
	randomSeed,
}: Played) {
	const random = seededRandom(`${randomSeed}`);
	const changesBefore = () => paces[pace](random, pageSize);
	const list = new ChangingList({ order, count, age, pageSize, tells, changesBefore }, random);
	const limit = spare === null ? Infinity : Math.max(1, count + spare);
	const { records, isSettled, hasChanged } = await readPages({
		fetchPage: list.fetchPage,
		limit,
		concurrency,
		arrivalDates: ['createdAt'],
	});
	const ids = records.map(({ id }) => id);
	const returned = new Set(ids);
	return {
		isSettled,
		hasChanged,
		requests: list.requests,
		pages: Math.max(1, Math.ceil(count / pageSize)),
		// Which contacts are the first ones may change, so any will do where a Limit cuts some off.
		lost: ids.length >= limit ? 0 : list.everPresent.filter((id) => !returned.has(id)).length,
		doubled: ids.length - returned.size,
	};
}
