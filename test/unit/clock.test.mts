import { getEventListeners } from 'node:events';
import { expect, test } from '@jest/globals';
import { realClock } from '../../nodes/CrmWorkspace/common/tasks';

test('a wait of 30 ms ends no sooner', async () => {
	const start = performance.now();
	await realClock.wait(30);
	// The timer counts whole milliseconds.
	expect(performance.now() - start).toBeGreaterThan(28);
});

test.each([0.2, -5])('a wait of %d ms ends', async (ms) => {
	await expect(realClock.wait(ms)).resolves.toBeUndefined();
});

test('a wait ends when it is canceled, before it or during it, and nothing waits on', async () => {
	const stop = new AbortController();
	const waiting = realClock.wait(60_000, stop.signal);
	stop.abort();
	await waiting;
	await realClock.wait(60_000, stop.signal);
	expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
});

test("a signal doesn't collect the waits of a long run that are over", async () => {
	const { signal } = new AbortController();
	await realClock.wait(1, signal);
	expect(getEventListeners(signal, 'abort')).toEqual([]);
});
