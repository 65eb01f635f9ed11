import { describe, expect, test } from '@jest/globals';
import { notYet, runPool } from '../../nodes/CrmWorkspace/operations/pool';

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
		task: async (index: number) => {
			begun.push(index);
			return await ends[index].promise;
		},
	};
}

/** The pool has gone on, also where it has let other work have its turn before. */
async function settled(): Promise<void> {
	await new Promise(setImmediate);
	await new Promise(setImmediate);
}

describe('a pool', () => {
	test('has so many tasks under way, and gives results in the order of the tasks', async () => {
		const { begun, end, task } = tasks(4);
		const pool = runPool(4, { concurrency: 2, stopOnError: true }, task);
		expect(begun).toEqual([0, 1]);
		await end(1);
		expect(begun).toEqual([0, 1, 2]);
		await end(0);
		expect(begun).toEqual([0, 1, 2, 3]);
		await end(3);
		await end(2);
		expect(await pool).toEqual([0, 1, 2, 3].map((index) => ({ result: `result ${index}` })));
	});

	test('begins nothing after a failure, and waits for what is under way', async () => {
		const { begun, end, fail, task } = tasks(5);
		let stops = 0;
		const onStop = () => void stops++;
		const pool = runPool(5, { concurrency: 3, stopOnError: true, onStop }, task);
		await fail(1);
		await fail(2);
		await end(0);
		expect(await pool).toEqual([
			{ result: 'result 0' },
			{ error: new Error('failure 1') },
			{ error: new Error('failure 2') },
			undefined,
			undefined,
		]);
		expect(begun).toEqual([0, 1, 2]);
		expect(stops).toBe(1);
	});

	test('goes on after a failure when it may', async () => {
		const { begun, end, fail, task } = tasks(3);
		const pool = runPool(3, { concurrency: 1, stopOnError: false }, task);
		await end(0);
		await fail(1);
		await end(2);
		expect((await pool)[1]).toEqual({ error: new Error('failure 1') });
		expect(begun).toEqual([0, 1, 2]);
	});

	test('of nothing ends at once', async () => {
		const { task } = tasks(0);
		expect(await runPool(0, { concurrency: 5, stopOnError: true }, task)).toEqual([]);
	});

	test('begins a task that has to wait again when all others were begun', async () => {
		const begun: number[] = [];
		const outcomes = await runPool(3, { concurrency: 1, stopOnError: true }, async (index) => {
			begun.push(index);
			return index === 0 && begun.length < 3 ? notYet : index;
		});
		expect(begun).toEqual([0, 1, 2, 0]);
		expect(outcomes).toEqual([0, 1, 2].map((result) => ({ result })));
	});
});
