import { describe, expect, test } from '@jest/globals';
import {
	computeFingerprint,
	computeKey,
	maxKeyLength,
	computeNextKey,
} from '../../nodes/CrmWorkspace/api/idempotencyKeys';

const origin = ['a'.repeat(64), 'Wf1', '42', 'Cr1', 'ada@example.com'];
const key = computeKey(origin, 0);

describe('the key of a send', () => {
	test('is the same for the same origin and number', () => {
		expect(computeKey([...origin], 0)).toBe(key);
	});

	test.each([...origin.keys()])('is another one for another part %d of the origin', (index) => {
		expect(computeKey(origin.with(index, 'another'), 0)).not.toBe(key);
	});

	test('is another one for another message to the same recipient', () => {
		expect(computeKey(origin, 1)).not.toBe(key);
	});

	test('does not mix up neighbouring parts', () => {
		expect(computeKey(origin.with(1, 'Wf').with(2, '142'), 0)).not.toBe(key);
	});

	test.each([[key], [computeKey(['', '9'.repeat(500)], 100_000)]])(
		'is short, readable and always of one length: %s',
		(any) => {
			expect(any).toMatch(/^n8n-[0-9a-f]{32}$/);
		},
	);
});

describe("the key that follows the user's own", () => {
	// Interface: KEY-5.
	test.each([
		['order-1042', 1, 'order-1042'],
		['order-1042', 2, 'order-1042:retry-2'],
		['order-1042', 5, 'order-1042:retry-5'],
	])('after %s at link %i is %s', (first, link, expected) => {
		expect(computeNextKey(first, link)).toBe(expected);
	});

	test('stays within the longest key there may be', () => {
		const first = 'x'.repeat(maxKeyLength);
		const keys = [1, 2, 3, 4, 5].map((link) => computeNextKey(first, link));
		expect(new Set(keys).size).toBe(5);
		for (const key of keys) expect(key.length).toBeLessThanOrEqual(maxKeyLength);
	});

	test('shows whose it is as long as there is room', () => {
		const first = 'x'.repeat(maxKeyLength - ':retry-2'.length);
		expect(computeNextKey(first, 2)).toBe(`${first}:retry-2`);
		expect(computeNextKey(`${first}x`, 2)).toMatch(/^n8n-[0-9a-f]{32}$/);
	});
});

test('another content has another fingerprint', () => {
	expect(computeFingerprint({ to: 'a@example.com' })).toBe(
		computeFingerprint({ to: 'a@example.com' }),
	);
	expect(computeFingerprint({ to: 'a@example.com' })).not.toBe(
		computeFingerprint({ to: 'b@example.com' }),
	);
	expect(computeFingerprint('a'.repeat(10_000))).toMatch(/^[0-9a-f]{16}$/);
});
