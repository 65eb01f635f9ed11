import { describe, expect, test } from '@jest/globals';
import {
	computeFingerprint,
	computeKey,
	maxKeyLength,
	computeNextKey,
	type MessageOrigin,
} from '../../nodes/CrmWorkspace/api/idempotencyKeys';

const origin: MessageOrigin = {
	instanceId: 'a'.repeat(64),
	workflowId: 'Wf1',
	execution: '42',
	credential: 'Cr1',
	recipient: 'ada@example.com',
	number: 0,
};

describe('the key of a send', () => {
	test('is the same for the same origin', () => {
		expect(computeKey({ ...origin })).toBe(computeKey(origin));
		expect(computeKey({ ...origin, recipient: 'Ada@Example.com' })).toBe(computeKey(origin));
	});

	test.each<[string, Partial<MessageOrigin>]>([
		['instance', { instanceId: 'b'.repeat(64) }],
		['workflow', { workflowId: 'Wf2' }],
		['execution', { execution: '43' }],
		['credential', { credential: 'Cr2' }],
		['recipient', { recipient: 'grace@example.com' }],
		['message to the same recipient', { number: 1 }],
	])('is another one for another %s', (_name, change) => {
		expect(computeKey({ ...origin, ...change })).not.toBe(computeKey(origin));
	});

	test('does not mix up neighbouring parts', () => {
		const one = computeKey({ ...origin, workflowId: 'Wf', execution: '142' });
		expect(computeKey({ ...origin, workflowId: 'Wf1', execution: '42' })).not.toBe(one);
	});

	test.each([origin, { ...origin, instanceId: '', execution: '9'.repeat(500), number: 100_000 }])(
		'is short, readable and always of one length',
		(any) => {
			expect(computeKey(any)).toMatch(/^n8n-[0-9a-f]{32}$/);
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
