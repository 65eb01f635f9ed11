import { afterEach, expect, jest, test } from '@jest/globals';
import { realClock } from '../../nodes/CrmWorkspace/common/tasks';

afterEach(() => void jest.restoreAllMocks());

/** Timeouts that end when the test says so. */
function timeouts() {
	const begun: Array<{ ms: number; end: () => void }> = [];
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
		const timeout = new AbortController();
		begun.push({ ms, end: () => timeout.abort() });
		return timeout.signal;
	});
	return begun;
}

test.each([
	[10, 10],
	[0.2, 1],
	[-5, 0],
])('a wait of %d ms is one of %d', async (ms, asked) => {
	const begun = timeouts();
	let isOver = false;
	const waiting = realClock.wait(ms).then(() => {
		isOver = true;
	});
	await new Promise(setImmediate);
	expect([begun[0].ms, isOver]).toEqual([asked, false]);
	begun[0].end();
	await waiting;
});

test('a wait ends when it is cancelled, and leaves nothing behind', async () => {
	const begun = timeouts();
	const stop = new AbortController();
	const removed = jest.spyOn(stop.signal, 'removeEventListener');
	const waiting = realClock.wait(1000, stop.signal);
	stop.abort();
	await waiting;
	expect(removed).toHaveBeenCalledTimes(1);
	await realClock.wait(1000, stop.signal);
	expect(begun).toHaveLength(1);
});

test('a wait that is over forgets who could have cancelled it', async () => {
	const begun = timeouts();
	const stop = new AbortController();
	const removed = jest.spyOn(stop.signal, 'removeEventListener');
	const waiting = realClock.wait(5, stop.signal);
	begun[0].end();
	await waiting;
	expect(removed).toHaveBeenCalledTimes(1);
});
