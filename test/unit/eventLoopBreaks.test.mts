import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { realClock } from '../../nodes/CrmWorkspace/transport/pacing/clock';
import { yieldToEventLoop } from '../../nodes/CrmWorkspace/transport/eventLoop';

let now = 0;
/** Timers that end when the test says so. */
let timers: Array<() => void> = [];

beforeEach(() => {
	timers = [];
	jest.spyOn(realClock, 'now').mockImplementation(() => now);
	jest.spyOn(realClock, 'wait').mockImplementation(async (ms) => {
		expect(ms).toBe(0);
		await new Promise<void>((resolve) => timers.push(resolve));
	});
});

/** The event loop has a break. */
async function hasBreak(): Promise<void> {
	for (const end of timers.splice(0)) end();
	await new Promise(setImmediate);
}

afterEach(async () => {
	await hasBreak();
	jest.restoreAllMocks();
});

/** Whether a step has to wait for everything else. */
async function waits(): Promise<boolean> {
	let isOver = false;
	void yieldToEventLoop().then(() => {
		isOver = true;
	});
	await new Promise(setImmediate);
	return !isOver;
}

test('steps go on at once for 20 ms, and then wait for a break', async () => {
	expect(await waits()).toBe(false);
	now += 19.9;
	expect(await waits()).toBe(false);
	expect(timers).toHaveLength(1);
	now += 0.1;
	expect(await waits()).toBe(true);
});

test('all that wait share one pause', async () => {
	expect(await waits()).toBe(false);
	now += 20;
	let isOver = 0;
	for (let run = 0; run < 10; run++) void yieldToEventLoop().then(() => isOver++);
	expect(timers).toHaveLength(2);
	await hasBreak();
	expect(isOver).toBe(10);
});

test('after each break there are 20 ms again', async () => {
	expect(await waits()).toBe(false);
	now += 15;
	await hasBreak();
	expect(await waits()).toBe(false);
	now += 15;
	expect(await waits()).toBe(false);
	now += 5;
	expect(await waits()).toBe(true);
});
