import { expect, test } from '@jest/globals';
import { OrderedLocks } from '../../nodes/CrmWorkspace/operations/updateContact/orderedLocks';

const named =
	(...names: string[]) =>
	async () =>
		names;

test('work whose names are known sooner does not overtake', async () => {
	const locks = new OrderedLocks();
	const order: number[] = [];
	const slow = Promise.withResolvers<string[]>();
	const first = locks.run(
		() => slow.promise,
		async () => order.push(1),
	);
	const second = locks.run(named('a'), async () => order.push(2));
	await new Promise(setImmediate);
	expect(order).toEqual([]);

	slow.resolve(['a']);
	await Promise.all([first, second]);
	expect(order).toEqual([1, 2]);
});

test('names are asked for in the order of the calls, one after another', async () => {
	const locks = new OrderedLocks();
	const order: string[] = [];
	const ask = (name: string) => async () => {
		order.push(`${name} asked`);
		await new Promise(setImmediate);
		order.push(`${name} told`);
		return [name];
	};
	await Promise.all(['a', 'b'].map((name) => locks.run(ask(name), async () => undefined)));
	expect(order).toEqual(['a asked', 'a told', 'b asked', 'b told']);
});

test('what shares no name is done side by side, what shares one never', async () => {
	const locks = new OrderedLocks();
	const begun: number[] = [];
	const end = Promise.withResolvers<void>();
	const touched = [['a'], ['b', 'c'], ['d'], ['c', 'a'], ['d']];
	const all = Promise.all(
		touched.map((names, index) =>
			locks.run(named(...names), async () => {
				begun.push(index);
				if (index < 3) await end.promise;
				return index;
			}),
		),
	);
	await new Promise(setImmediate);
	expect(begun).toEqual([0, 1, 2]);

	end.resolve();
	expect(await all).toEqual([0, 1, 2, 3, 4]);
	expect(begun.toSorted()).toEqual([0, 1, 2, 3, 4]);
});

test('work that fails, and names that cannot be told, hold nobody up', async () => {
	const locks = new OrderedLocks();
	const failed = locks.run(named('a'), () => Promise.reject(new Error('no')));
	const lost = locks.run(
		() => Promise.reject(new Error('not found')),
		async () => 'never',
	);
	const last = locks.run(named('a'), async () => 'done');

	await expect(failed).rejects.toThrow('no');
	await expect(lost).rejects.toThrow('not found');
	expect(await last).toBe('done');
});
