import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Pacer, type Permit } from '../../nodes/CrmWorkspace/transport/pacing/pacer';
import { fakeClock } from '../support/simulated/fakeClock.mts';
import { seededRandom } from '../support/simulated/seededRandom.mts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const minute = 60_000;

const pacerSending = async (...outcomes: Array<'letThrough' | 'throttled'>) => {
	const pacer = new Pacer(fakeClock, 60);
	for (const outcome of outcomes) (await pacer.admit({ execution: 'a' }))?.end(outcome);
	return pacer;
};

test('as many are free as the allowance leaves, without those that are announced', async () => {
	const pacer = await pacerSending('letThrough', 'letThrough');
	expect([pacer.free, pacer.allowed, pacer.requestsPerMinute]).toEqual([58, 60, 60]);
	pacer.announce(10);
	expect(pacer.free).toBe(48);
	pacer.announce(100);
	expect(pacer.free).toBe(0);
});

test('none is free after a refusal', async () => {
	const pacer = await pacerSending('throttled');
	expect(pacer.free).toBe(0);
	expect(pacer.requestsPerMinute).toBe(12);
});

test('it knows when a request was let through last', async () => {
	expect((await pacerSending('throttled')).lastLetThroughAt).toBe(-Infinity);
	expect((await pacerSending('letThrough')).lastLetThroughAt).toBe(fakeClock.now());
});

test('one that was cancelled before asks for nothing', async () => {
	const pacer = new Pacer(fakeClock, 60);
	expect(await pacer.admit({ execution: 'a', cancel: AbortSignal.abort() })).toBeUndefined();
	expect(pacer.free).toBe(60);
});

test('one that is cancelled when it was let go already has its slot, and no more', async () => {
	const pacer = new Pacer(fakeClock, 60);
	const stop = new AbortController();
	pacer.announce(1);
	const permit = await pacer.admit({ execution: 'a', isAnnounced: true, cancel: stop.signal });
	stop.abort();
	expect(pacer.free).toBe(59);
	permit?.end('letThrough');
	await jest.advanceTimersByTimeAsync(2 * minute);
	expect([pacer.free, pacer.isIdle]).toEqual([60, true]);
});

test('one that was announced and is cancelled is announced no longer', async () => {
	const pacer = new Pacer(fakeClock, 1);
	const stop = new AbortController();
	(await pacer.admit({ execution: 'a' }))?.end('letThrough');
	pacer.announce(1);
	const waiting = pacer.admit({ execution: 'a', isAnnounced: true, cancel: stop.signal });
	expect(pacer.isIdle).toBe(false);
	stop.abort();
	expect(await waiting).toBeUndefined();
	await jest.advanceTimersByTimeAsync(2 * minute);
	expect(pacer.free).toBe(1);
});

test('none is free for a minute after more was wanted than there was', async () => {
	const pacer = new Pacer(fakeClock, 60);
	pacer.announce(100);
	(await pacer.admit({ execution: 'a', isAnnounced: true }))?.end('letThrough');
	pacer.announce(-99);
	await jest.advanceTimersByTimeAsync(minute - 1);
	expect(pacer.free).toBe(0);
	await jest.advanceTimersByTimeAsync(1);
	expect(pacer.free).toBe(59);
});

test('none is free, and nothing forgotten, as long as the service asked to wait', async () => {
	const pacer = new Pacer(fakeClock, 60);
	(await pacer.admit({ execution: 'a' }))?.end('throttled', 15 * minute);
	await jest.advanceTimersByTimeAsync(15 * minute - 1);
	expect([pacer.free, pacer.requestsPerMinute]).toEqual([0, 60]);
	expect([pacer.pause, pacer.isIdle]).toEqual([1, false]);
	await jest.advanceTimersByTimeAsync(1);
	expect([pacer.free, pacer.pause, pacer.isIdle]).toEqual([60, 0, true]);
});

test('a share of less than one a minute is called one', async () => {
	const pacer = new Pacer(fakeClock, 1);
	(await pacer.admit({ execution: 'a' }))?.end('throttled');
	expect(pacer.requestsPerMinute).toBe(1);
	expect(pacer.pause).toBeGreaterThan(minute);
});

test('a request that is not answered is none that was let through', async () => {
	const pacer = new Pacer(fakeClock, 60);
	(await pacer.admit({ execution: 'a' }))?.end('unanswered');
	expect(pacer.lastLetThroughAt).toBe(-Infinity);
});

describe('another allowance', () => {
	test('takes effect at once on an idle key', () => {
		const pacer = new Pacer(fakeClock, 10);
		pacer.setAllowance(30);
		expect([pacer.allowed, pacer.free]).toEqual([30, 30]);
	});

	test('that is greater takes effect a minute after the first that was, as it is then', async () => {
		const pacer = new Pacer(fakeClock, 10);
		(await pacer.admit({ execution: 'a' }))?.end('letThrough');
		pacer.setAllowance(30);
		await jest.advanceTimersByTimeAsync(minute / 2);
		pacer.setAllowance(20);
		await jest.advanceTimersByTimeAsync(minute / 2 - 1);
		expect([pacer.free, pacer.allowed]).toEqual([9, 10]);
		await jest.advanceTimersByTimeAsync(1);
		expect([pacer.free, pacer.allowed]).toEqual([19, 20]);
	});

	test('that is smaller takes effect at once, and instead of a greater one', async () => {
		const pacer = new Pacer(fakeClock, 10);
		(await pacer.admit({ execution: 'a' }))?.end('letThrough');
		pacer.setAllowance(30);
		pacer.setAllowance(5);
		expect([pacer.free, pacer.allowed]).toEqual([4, 5]);
		await jest.advanceTimersByTimeAsync(2 * minute);
		expect([pacer.free, pacer.allowed]).toEqual([5, 5]);
	});
});

test('before the first answer ten are under way at most, and one more for each that has ended', async () => {
	const pacer = new Pacer(fakeClock, 60);
	const permits: Permit[] = [];
	const all = Array.from({ length: 20 }, async () => {
		const permit = await pacer.admit({ execution: 'a' });
		if (permit) permits.push(permit);
	});
	await jest.advanceTimersByTimeAsync(minute);
	expect(permits).toHaveLength(10);
	expect(jest.getTimerCount()).toBe(0);
	permits[0].end('letThrough');
	await jest.advanceTimersByTimeAsync(minute / 2);
	expect(permits).toHaveLength(12);
	permits[1].end('unanswered');
	await jest.advanceTimersByTimeAsync(minute / 4);
	expect(permits).toHaveLength(14);
	for (const permit of permits.slice(2)) permit.end('letThrough');
	await jest.advanceTimersByTimeAsync(minute);
	await Promise.all(all);
});

test('however many wait, there is one timer', async () => {
	const pacer = new Pacer(fakeClock, 1);
	(await pacer.admit({ execution: 'a' }))?.end('letThrough');
	const stop = new AbortController();
	const all = Array.from({ length: 5 }, () => pacer.admit({ execution: 'a', cancel: stop.signal }));
	expect(jest.getTimerCount()).toBe(1);
	stop.abort();
	expect(await Promise.all(all)).toEqual(Array.from({ length: 5 }));
	expect(jest.getTimerCount()).toBe(0);
});

test('one that was announced and cancelled before it asks is announced no longer', async () => {
	const pacer = new Pacer(fakeClock, 60);
	pacer.announce(1);
	await pacer.admit({ execution: 'a', isAnnounced: true, cancel: AbortSignal.abort() });
	expect(pacer.free).toBe(60);
});

describe('a request that never reached the service', () => {
	test('takes no slot, however many there are, and teaches nothing', async () => {
		const pacer = new Pacer(fakeClock, 3);
		const begunAt = fakeClock.now();
		for (let count = 0; count < 10_000; count++) {
			(await pacer.admit({ execution: 'a' }))?.end('unsent');
		}
		expect(fakeClock.now()).toBe(begunAt);
		expect([pacer.free, pacer.isIdle, pacer.pause]).toEqual([3, true, 0]);
		expect([pacer.requestsPerMinute, pacer.lastLetThroughAt]).toEqual([3, -Infinity]);
	});

	test('gives its permit to one that waits', async () => {
		const pacer = new Pacer(fakeClock, 2);
		(await pacer.admit({ execution: 'a' }))?.end('letThrough');
		const second = await pacer.admit({ execution: 'a' });
		let isNext = false;
		const next = pacer.admit({ execution: 'b' }).then(() => (isNext = true));
		await jest.advanceTimersByTimeAsync(minute / 2);
		expect(isNext).toBe(false);
		second?.end('unsent');
		await jest.advanceTimersByTimeAsync(0);
		expect(isNext).toBe(true);
		await next;
	});

	test('costs no gap where requests go one by one', async () => {
		const pacer = new Pacer(fakeClock, 60);
		pacer.announce(200);
		const ask = async () => await pacer.admit({ execution: 'a', isAnnounced: true });
		(await ask())?.end('letThrough');
		const begunAt = fakeClock.now();
		for (let count = 0; count < 50; count++) (await ask())?.end('unsent');
		expect(fakeClock.now()).toBe(begunAt);
	});

	test('leaves an idle key as it was, also where more was wanted than is free', async () => {
		const pacer = new Pacer(fakeClock, 3);
		const all = Array.from({ length: 5 }, async () =>
			(await pacer.admit({ execution: 'a' }))?.end('unsent'),
		);
		await Promise.all(all);
		expect([pacer.free, jest.getTimerCount()]).toEqual([3, 0]);
	});

	test('lets no more through in any minute than the allowance', async () => {
		const pacer = new Pacer(fakeClock, 3);
		const random = seededRandom('unsent');
		const arrived: number[] = [];
		const work = async (execution: string) => {
			for (let count = 0; count < 100; count++) {
				const permit = await pacer.admit({ execution });
				await fakeClock.wait(200 * random());
				if (random() < 0.5) permit?.end('unsent');
				else {
					arrived.push(fakeClock.now());
					await fakeClock.wait(200 * random());
					permit?.end(random() < 0.8 ? 'letThrough' : 'unanswered');
				}
			}
		};
		const all = Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(work));
		await jest.advanceTimersByTimeAsync(180 * minute);
		await all;
		const spans = arrived.slice(3).map((at, index) => at - arrived[index]);
		expect(arrived.length).toBeGreaterThan(250);
		expect(Math.min(...spans)).toBeGreaterThanOrEqual(minute);
	});
});

describe('where more is wanted than is free', () => {
	/** When each of so many requests of an announced run goes, in ms from now. */
	const momentsOf = async (pacer: Pacer, count: number) => {
		const begunAt = fakeClock.now();
		const moments: number[] = [];
		pacer.announce(count);
		for (let asked = 0; asked < count; asked++) {
			void pacer.admit({ execution: 'long', isAnnounced: true }).then((permit) => {
				moments.push(fakeClock.now() - begunAt);
				permit?.end('letThrough');
			});
		}
		await jest.advanceTimersByTimeAsync(5 * minute);
		return moments;
	};
	const gapsOf = (moments: number[]) => moments.slice(1).map((at, index) => at - moments[index]);

	test('the slots of an idle key last for the minute', async () => {
		const moments = await momentsOf(new Pacer(fakeClock, 60), 120);
		const gaps = gapsOf(moments.slice(1));
		expect(Math.min(...gaps.slice(0, 57))).toBeGreaterThan(900);
		expect(Math.max(...gaps)).toBeLessThan(2500);
	});

	test('what is left of them lasts until others come free', async () => {
		const pacer = new Pacer(fakeClock, 60);
		for (let count = 0; count < 30; count++) {
			(await pacer.admit({ execution: 'a' }))?.end('letThrough');
		}
		const gaps = gapsOf((await momentsOf(pacer, 60)).slice(1, 30));
		expect(Math.min(...gaps)).toBeGreaterThan(1800);
		expect(Math.max(...gaps)).toBeLessThan(2500);
	});

	test('a smaller allowance is kept to as soon as it is set, and what is beyond it comes free first', async () => {
		const pacer = new Pacer(fakeClock, 3);
		for (let count = 0; count < 3; count++) {
			(await pacer.admit({ execution: 'a' }))?.end('letThrough');
			await jest.advanceTimersByTimeAsync(10_000);
		}
		pacer.setAllowance(1);
		expect((await momentsOf(pacer, 1))[0]).toBe(minute + 50 - 10_000);
	});

	test('executions that go on side by side do equally much, also beside short ones', async () => {
		const pacer = new Pacer(fakeClock, 60);
		const left = Array.from({ length: 10 }, () => 300);
		let most: number | undefined;
		const ask = async (execution: string) => {
			const permit = await pacer.admit({ execution });
			await fakeClock.wait(100);
			permit?.end('letThrough');
		};
		const work = async (index: number) => {
			while (left[index] > 0) {
				left[index]--;
				await ask(`${index}`);
			}
			most ??= Math.max(...left);
		};
		const all = left.flatMap((_, index) => Array.from({ length: 5 }, () => work(index)));
		for (let count = 0; count < 50; count++) {
			await jest.advanceTimersByTimeAsync(minute);
			all.push(ask(`short ${count}`));
		}
		await jest.advanceTimersByTimeAsync(20 * minute);
		await Promise.all(all);
		expect(most).toBeLessThan(15);
	});

	test('executions with equally many slots take turns, whoever asked first', async () => {
		const pacer = new Pacer(fakeClock, 6);
		for (let count = 0; count < 6; count++) {
			(await pacer.admit({ execution: 'x' }))?.end('letThrough');
		}
		const order: string[] = [];
		for (const execution of ['a', 'a', 'a', 'b', 'b', 'c']) {
			void pacer.admit({ execution }).then((permit) => {
				order.push(execution);
				permit?.end('letThrough');
			});
		}
		await jest.advanceTimersByTimeAsync(2 * minute);
		expect(order.join('')).toBe('abcaba');
	});
});

test('what may arrive late keeps the slots of all that end after it as long', async () => {
	const pacer = new Pacer(fakeClock, 2);
	const late = await pacer.admit({ execution: 'a' });
	const other = await pacer.admit({ execution: 'a' });
	await jest.advanceTimersByTimeAsync(5000);
	late?.end('unanswered');
	other?.end('letThrough');
	await jest.advanceTimersByTimeAsync(minute + 5000 + 49);
	expect(pacer.free).toBe(0);
	await jest.advanceTimersByTimeAsync(1);
	expect(pacer.free).toBe(2);
});

// Interface: LIMIT-1.
test('a slot is taken until a minute after the answer', async () => {
	const pacer = new Pacer(fakeClock, 1);
	const permit = await pacer.admit({ execution: 'a' });
	await jest.advanceTimersByTimeAsync(10_000);
	permit?.end('letThrough');
	await jest.advanceTimersByTimeAsync(minute + 49);
	expect([pacer.free, pacer.isIdle]).toEqual([0, false]);
	await jest.advanceTimersByTimeAsync(1);
	expect([pacer.free, pacer.isIdle]).toEqual([1, true]);
});
