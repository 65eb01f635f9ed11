import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Pacer } from '../../nodes/CrmWorkspace/transport/pacer';
import { fakeClock } from '../support/fakeClock.mts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

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
