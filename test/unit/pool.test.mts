import { describe, expect, test } from '@jest/globals';
import { yieldToEventLoop } from '../../nodes/CrmWorkspace/common/tasks';
import { runPool } from '../../nodes/CrmWorkspace/operations/runItems';

/** Tasks that end when told to, with a record of what was begun. */
function tasks(count: number) {
	const begun: number[] = [];
	const ends = Array.from({ length: count }, () => Promise.withResolvers<string>());
	return {
		begun,
		end: async (index: number) => {
			ends[index].resolve(`result ${index}`);
			await settled();
		},
		fail: async (index: number) => {
			ends[index].reject(new Error(`failure ${index}`));
			await settled();
		},
		async perform({ itemIndex }: Item): Promise<string> {
			begun.push(itemIndex);
			return await ends[itemIndex].promise;
		},
	};
}

type Item = { itemIndex: number };

const stop = async () => {};

const lanes = (...indexes: number[][]): Array<Set<Item>> =>
	indexes.map((lane) => new Set(lane.map((itemIndex) => ({ itemIndex }))));
const each = (count: number) => lanes(...Array.from({ length: count }, (_, index) => [index]));

/** The pool has gone on, also where it has let other work pass before, for as long as that takes. */
async function settled(): Promise<void> {
	await new Promise(setImmediate);
	await yieldToEventLoop();
	await new Promise(setImmediate);
}

describe('a pool', () => {
	test('has so many items under way, and gives results in their order', async () => {
		const { begun, end, perform } = tasks(4);
		const pool = runPool(4, each(4), { concurrency: 2, stop }, perform);
		expect(begun).toEqual([0, 1]);
		await end(1);
		expect(begun).toEqual([0, 1, 2]);
		await end(0);
		expect(begun).toEqual([0, 1, 2, 3]);
		await end(3);
		await end(2);
		expect(await pool).toEqual([0, 1, 2, 3].map((index) => ({ result: `result ${index}` })));
	});

	test('performs the items of a lane one after another, and others in the meantime', async () => {
		const { begun, end, perform } = tasks(4);
		const options = { concurrency: 2, stop };
		const pool = runPool(4, lanes([0, 1, 3], [2]), options, perform);
		expect(begun).toEqual([0, 2]);
		await end(2);
		expect(begun).toEqual([0, 2]);
		for (const index of [0, 1, 3]) await end(index);
		expect(begun).toEqual([0, 2, 1, 3]);
		expect(await pool).toEqual([0, 1, 2, 3].map((index) => ({ result: `result ${index}` })));
	});

	test.each([
		['stops', stop, [0, 1]],
		['goes on', undefined, [0, 1, 2]],
	])('%s in a lane after a failure elsewhere', async (_what, stop, all) => {
		const { begun, end, fail, perform } = tasks(3);
		const pool = runPool(3, lanes([0, 2], [1]), { concurrency: 2, stop }, perform);
		await fail(1);
		await end(0);
		await end(2);
		await pool;
		expect(begun).toEqual(all);
	});
});
