import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Pacer, type Permit } from '../../nodes/CrmWorkspace/transport/pacer';
import { fakeClock } from '../support/fakeClock.mts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const minute = 60_000;

const pacerSending = async (...outcomes: Array<'accepted' | 'refused'>) => {
	const pacer = new Pacer(fakeClock, 60);
	for (const outcome of outcomes) (await pacer.admit({ execution: 'a' }))?.end(outcome);
	return pacer;
};

test('as many are free as the allowance leaves, without those that are announced', async () => {
	const pacer = await pacerSending('accepted', 'accepted');
	expect([pacer.free, pacer.allowed, pacer.requestsPerMinute]).toEqual([58, 60, 60]);
	pacer.expect(10);
	expect(pacer.free).toBe(48);
	pacer.expect(100);
	expect(pacer.free).toBe(0);
});

test('none is free after a refusal', async () => {
	const pacer = await pacerSending('refused');
	expect(pacer.free).toBe(0);
	expect([pacer.isSharing, pacer.requestsPerMinute]).toEqual([true, 12]);
});

test('it knows when a request was let through last', async () => {
	expect((await pacerSending('refused')).lastAcceptedAt).toBe(-Infinity);
	expect((await pacerSending('accepted')).lastAcceptedAt).toBe(fakeClock.now());
});

test('one that was cancelled before asks for nothing', async () => {
	const pacer = new Pacer(fakeClock, 60);
	expect(await pacer.admit({ execution: 'a', cancel: AbortSignal.abort() })).toBeUndefined();
	expect(pacer.free).toBe(60);
});

test('one that is cancelled when it was let go already has its slot, and no more', async () => {
	const pacer = new Pacer(fakeClock, 60);
	const stop = new AbortController();
	pacer.expect(1);
	const permit = await pacer.admit({ execution: 'a', isExpected: true, cancel: stop.signal });
	stop.abort();
	expect(pacer.free).toBe(59);
	permit?.end('accepted');
	await jest.advanceTimersByTimeAsync(2 * minute);
	expect([pacer.free, pacer.isIdle]).toEqual([60, true]);
});

test('one that was announced and is cancelled is announced no longer', async () => {
	const pacer = new Pacer(fakeClock, 1);
	const stop = new AbortController();
	(await pacer.admit({ execution: 'a' }))?.end('accepted');
	pacer.expect(1);
	const waiting = pacer.admit({ execution: 'a', isExpected: true, cancel: stop.signal });
	expect(pacer.isIdle).toBe(false);
	stop.abort();
	expect(await waiting).toBeUndefined();
	await jest.advanceTimersByTimeAsync(2 * minute);
	expect(pacer.free).toBe(1);
});

test('none is free for a minute after more was wanted than there was', async () => {
	const pacer = new Pacer(fakeClock, 60);
	pacer.expect(100);
	(await pacer.admit({ execution: 'a', isExpected: true }))?.end('accepted');
	pacer.expect(-99);
	await jest.advanceTimersByTimeAsync(minute - 1);
	expect(pacer.free).toBe(0);
	await jest.advanceTimersByTimeAsync(1);
	expect(pacer.free).toBe(59);
});

test('none is free, and nothing forgotten, as long as the service asked to wait', async () => {
	const pacer = new Pacer(fakeClock, 60);
	(await pacer.admit({ execution: 'a' }))?.end('refused', 15 * minute);
	await jest.advanceTimersByTimeAsync(15 * minute - 1);
	expect([pacer.free, pacer.isSharing, pacer.pause, pacer.isIdle]).toEqual([0, false, 1, false]);
	await jest.advanceTimersByTimeAsync(1);
	expect([pacer.free, pacer.pause, pacer.isIdle]).toEqual([60, 0, true]);
});

test('a share of less than one a minute is called one', async () => {
	const pacer = new Pacer(fakeClock, 1);
	(await pacer.admit({ execution: 'a' }))?.end('refused');
	expect([pacer.isSharing, pacer.requestsPerMinute]).toEqual([true, 1]);
});

test('a request that is not answered is none that was let through', async () => {
	const pacer = new Pacer(fakeClock, 60);
	(await pacer.admit({ execution: 'a' }))?.end('unanswered');
	expect(pacer.lastAcceptedAt).toBe(-Infinity);
});

describe('another allowance', () => {
	test('takes effect at once on an idle key', () => {
		const pacer = new Pacer(fakeClock, 10);
		pacer.setAllowance(30);
		expect([pacer.allowed, pacer.free]).toEqual([30, 30]);
	});

	test('that is greater takes effect a minute after the first that was, as it is then', async () => {
		const pacer = new Pacer(fakeClock, 10);
		(await pacer.admit({ execution: 'a' }))?.end('accepted');
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
		(await pacer.admit({ execution: 'a' }))?.end('accepted');
		pacer.setAllowance(30);
		pacer.setAllowance(5);
		expect([pacer.free, pacer.allowed]).toEqual([4, 5]);
		await jest.advanceTimersByTimeAsync(2 * minute);
		expect([pacer.free, pacer.allowed]).toEqual([5, 5]);
	});
});

test('before the first answer ten are under way at most, and one more for each that was let through', async () => {
	const pacer = new Pacer(fakeClock, 60);
	const permits: Permit[] = [];
	const all = Array.from({ length: 20 }, async () => {
		const permit = await pacer.admit({ execution: 'a' });
		if (permit) permits.push(permit);
	});
	await jest.advanceTimersByTimeAsync(minute);
	expect(permits).toHaveLength(10);
	expect(jest.getTimerCount()).toBe(0);
	permits[0].end('accepted');
	await jest.advanceTimersByTimeAsync(minute / 2);
	expect(permits).toHaveLength(12);
	permits[1].end('unanswered');
	await jest.advanceTimersByTimeAsync(minute / 4);
	expect(permits).toHaveLength(13);
	for (const permit of permits.slice(2)) permit.end('accepted');
	await jest.advanceTimersByTimeAsync(minute);
	await Promise.all(all);
});

test('however many wait, there is one timer', async () => {
	const pacer = new Pacer(fakeClock, 1);
	(await pacer.admit({ execution: 'a' }))?.end('accepted');
	const stop = new AbortController();
	const all = Array.from({ length: 5 }, () => pacer.admit({ execution: 'a', cancel: stop.signal }));
	expect(jest.getTimerCount()).toBe(1);
	stop.abort();
	expect(await Promise.all(all)).toEqual(Array.from({ length: 5 }));
	expect(jest.getTimerCount()).toBe(0);
});
