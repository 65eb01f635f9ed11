import { describe, expect, test } from '@jest/globals';
import {
	contentHash,
	keyFromOrigin,
	maxKeyLength,
	nextKey,
	randomKey,
	type SendOrigin,
} from '../../nodes/CrmWorkspace/service/idempotencyKey';

const origin: SendOrigin = {
	instanceId: 'a'.repeat(64),
	workflowId: 'Wf1',
	execution: '42',
	nodeId: '3f1e6c1a-9d0b-4a5e-8c57-2b7f0f6f9a10',
	turn: 0,
	itemIndex: 0,
};

describe('the key of a send', () => {
	test('is the same for the same origin', () => {
		expect(keyFromOrigin({ ...origin })).toBe(keyFromOrigin(origin));
	});

	test.each<[string, Partial<SendOrigin>]>([
		['instance', { instanceId: 'b'.repeat(64) }],
		['workflow', { workflowId: 'Wf2' }],
		['execution', { execution: '43' }],
		['node', { nodeId: '7c9a1d52-6b1f-4f0e-9b1d-0c2f5a7e4d33' }],
		['turn of a loop', { turn: 1 }],
		['item', { itemIndex: 1 }],
	])('is another one for another %s', (_name, change) => {
		expect(keyFromOrigin({ ...origin, ...change })).not.toBe(keyFromOrigin(origin));
	});

	test('does not mix up neighbouring parts', () => {
		const one = keyFromOrigin({ ...origin, execution: '4', turn: 21 });
		expect(keyFromOrigin({ ...origin, execution: '42', turn: 1 })).not.toBe(one);
	});

	test.each([origin, { ...origin, instanceId: '', execution: '9'.repeat(500) }])(
		'is short, readable and always of one length',
		(any) => {
			expect(keyFromOrigin(any)).toMatch(/^n8n-[0-9a-f]{32}$/);
		},
	);

	test('is random without an origin', () => {
		expect(randomKey()).toMatch(/^n8n-[0-9a-f]{32}$/);
		expect(randomKey()).not.toBe(randomKey());
	});
});

describe('the next key of a family', () => {
	test.each([
		['order-1042', 1, 'order-1042'],
		['order-1042', 2, 'order-1042:retry-2'],
		['order-1042', 5, 'order-1042:retry-5'],
	])('after %s at link %i is %s', (family, link, expected) => {
		expect(nextKey(family, link)).toBe(expected);
	});

	test('stays within the longest key there may be', () => {
		const family = 'x'.repeat(maxKeyLength);
		const keys = [1, 2, 3, 4, 5].map((link) => nextKey(family, link));
		expect(new Set(keys).size).toBe(5);
		for (const key of keys) expect(key.length).toBeLessThanOrEqual(maxKeyLength);
	});
});

test('messages are told apart by their content', () => {
	expect(contentHash({ to: 'a@example.com' })).toBe(contentHash({ to: 'a@example.com' }));
	expect(contentHash({ to: 'a@example.com' })).not.toBe(contentHash({ to: 'b@example.com' }));
});
