import { describe, expect, test } from '@jest/globals';
import {
	computeFingerprint,
	computeKey,
	maxKeyLength,
	computeNextKey,
} from '../../nodes/CrmWorkspace/api/idempotencyKeys';

describe('the key of a send', () => {
	const origin = ['instance', 'Wf1', '42', 'Cr1', 'ada@example.com'];
	const key = computeKey(origin, 0);

	test.each<[string, string[], number]>([
		...origin.map((part, at): [string, string[], number] => [part, origin.with(at, 'other'), 0]),
		['number', origin, 1],
		['border between two parts', origin.with(1, 'Wf').with(2, '142'), 0],
		['length', ['', '9'.repeat(500)], 100_000],
	])('is as long, and another one for another %s', (_part, other, number) => {
		expect(computeKey(other, number)).toMatch(/^n8n-[0-9a-f]{32}$/);
		expect(computeKey(other, number)).not.toBe(key);
	});
});

describe("the key that follows the user's own", () => {
	const room = 'x'.repeat(maxKeyLength - ':retry-2'.length);

	// Interface: KEY-5.
	test.each([
		['order-1042', 1, 'order-1042'],
		['order-1042', 2, 'order-1042:retry-2'],
		['order-1042', 5, 'order-1042:retry-5'],
		[room, 2, `${room}:retry-2`],
		[`${room}x`, 2, expect.stringMatching(/^n8n-[0-9a-f]{32}$/)],
	])('after %.12s as the %i. is %.24s', (first, nth, expected) => {
		expect(computeNextKey(first, nth)).toEqual(expected);
	});

	test('is another one for each send that failed, also where there is no room', () => {
		const first = 'x'.repeat(maxKeyLength);
		const keys = [1, 2, 3, 4, 5].map((nth) => computeNextKey(first, nth));
		expect(new Set(keys).size).toBe(5);
	});
});

test('the fingerprint of a message changes with its content', () => {
	const [one, same, other] = ['a', 'a', 'b'].map((to) => computeFingerprint({ to }));
	expect(same).toBe(one);
	expect(other).not.toBe(one);
	expect(one).toMatch(/^[0-9a-f]{16}$/);
});
