import { expect, test } from '@jest/globals';
import { runPool } from '../../nodes/CrmWorkspace/operations/pool';
import { yieldToEventLoop } from '../../nodes/CrmWorkspace/transport/eventLoop';

/** Keeps the event loop for so many ms. */
function compute(ms: number): void {
	const end = performance.now() + ms;
	while (performance.now() < end);
}

/** How often timers and answers from outside are seen to while some work is done. */
async function breaksDuring(work: () => Promise<unknown>): Promise<number> {
	let breaks = 0;
	let isOver = false;
	const count = () => {
		breaks++;
		if (!isOver) setImmediate(count);
	};
	await new Promise(setImmediate);
	setImmediate(count);
	await work();
	isOver = true;
	return breaks;
}

test('long work makes breaks for everything else', async () => {
	const breaks = await breaksDuring(async () => {
		for (let step = 0; step < 100; step++) {
			compute(2);
			await yieldToEventLoop();
		}
	});
	expect(breaks).toBeGreaterThanOrEqual(4);
});

test('runs side by side share a stretch, however many they are', async () => {
	const stretches: number[] = [];
	let begun = performance.now();
	const timer = setInterval(() => {
		stretches.push(performance.now() - begun);
		begun = performance.now();
	}, 1);
	const run = async () => {
		for (let step = 0; step < 10; step++) {
			compute(2);
			await yieldToEventLoop();
		}
	};
	await Promise.all(Array.from({ length: 10 }, run));
	clearInterval(timer);
	// A stretch for each would be one block of 200 ms.
	expect(stretches.length).toBeGreaterThanOrEqual(4);
});

test('short work goes on at once', async () => {
	await new Promise((resolve) => setTimeout(resolve, 5));
	const breaks = await breaksDuring(async () => {
		for (let step = 0; step < 1000; step++) await yieldToEventLoop();
	});
	expect(breaks).toBeLessThanOrEqual(1);
});

test.each([1, 5])(
	'quick items of a pool do not block the rest (%d at a time)',
	async (concurrency) => {
		const groups = Array.from({ length: 100 }, (_, itemIndex) => [{ itemIndex }]);
		const options = { concurrency, stopsOnError: false };
		const breaks = await breaksDuring(
			async () =>
				await runPool(100, groups, options, async function* ([{ itemIndex }]) {
					yield { itemIndex, result: compute(2) };
				}),
		);
		expect(breaks).toBeGreaterThanOrEqual(4);
	},
);
