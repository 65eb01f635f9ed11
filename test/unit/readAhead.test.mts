import { expect, test } from '@jest/globals';
import { readAhead } from '../../nodes/CrmWorkspace/service/lists/readAhead';

/** Tasks that end when told to. */
function controlled(count: number) {
	const ends = Array.from({ length: count }, () => Promise.withResolvers<string>());
	const begun: number[] = [];
	const perform = async (index: number) => {
		begun.push(index);
		return await ends[index].promise;
	};
	const tasks = ends.map((_, index) => index);
	const left = [...tasks];
	return { ends, begun, perform, tasks, next: () => left.shift() };
}

async function allOf<Result>(results: AsyncIterable<Result>): Promise<Result[]> {
	const all: Result[] = [];
	for await (const result of results) all.push(result);
	return all;
}

const settled = async () => await new Promise(setImmediate);

test('results come in the order of the tasks, few begun at first and then as many as may', async () => {
	const { ends, begun, perform, tasks, next } = controlled(8);
	const results = readAhead(next, 5, perform);
	const first = results.next();
	await settled();
	expect(begun).toEqual([0, 1, 2]);
	ends[1].resolve('b');
	ends[0].resolve('a');
	expect(await first).toEqual({ done: false, value: { request: 0, answer: 'a' } });
	expect(begun).toHaveLength(3);

	const second = results.next();
	await settled();
	expect(begun).toEqual([0, 1, 2, 3, 4, 5]);
	expect(await second).toEqual({ done: false, value: { request: 1, answer: 'b' } });
	for (const end of ends) end.resolve('later');
	const others = await allOf(results);
	expect(others.map(({ request }) => request)).toEqual([2, 3, 4, 5, 6, 7]);
	expect(begun).toEqual(tasks);
});

test('one at a time begins nothing beforehand', async () => {
	const { ends, begun, perform, next } = controlled(3);
	const results = readAhead(next, 1, perform);
	void results.next();
	await settled();
	expect(begun).toEqual([0]);
	for (const end of ends) end.resolve('any');
	expect(await allOf(results)).toHaveLength(2);
});

test('a failure is heard of in its turn, at once, and nothing further is begun', async () => {
	const { ends, begun, perform, next } = controlled(6);
	const results = readAhead(next, 3, perform);
	ends[1].reject(new Error('second'));
	const first = results.next();
	await settled();
	ends[0].resolve('a');
	await first;
	// The third request never ends, and is not waited for.
	await expect(results.next()).rejects.toThrow('second');
	expect(begun.length).toBeLessThanOrEqual(4);
});

test('whoever stops asking waits for what is under way', async () => {
	const { ends, begun, perform, next } = controlled(6);
	const results = readAhead(next, 3, perform);
	ends[0].resolve('a');
	await results.next();
	let isOver = false;
	const over = results.return(undefined).then(() => (isOver = true));
	await settled();
	expect(isOver).toBe(false);
	ends[1].resolve('b');
	ends[2].resolve('c');
	await over;
	expect(begun).toEqual([0, 1, 2]);
});

test('whether there is another one is asked again after each answer', async () => {
	const requests = [0];
	const next = () => requests.shift();
	const answers: number[] = [];
	for await (const { answer } of readAhead(next, 2, async (request) => request * 10)) {
		answers.push(answer);
		if (answer === 0) requests.push(1, 2);
	}
	expect(answers).toEqual([0, 10, 20]);
});
