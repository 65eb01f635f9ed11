import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { INode } from 'n8n-workflow';
import { runNode } from '../support/engine/runNode.mts';
import { startSandbox, type RunningSandbox } from '../support/sandbox/sandbox.mts';

let sandbox: RunningSandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(async () => await sandbox.stop());

const items = Array.from({ length: 1000 }, (_, number) => ({ name: `Name ${number}` }));
const filler = 'x'.repeat(262_000);

/** A message for each of the items, with HTML that differs. */
const send = async (settings?: Partial<INode>) =>
	await runNode({
		parameters: {
			operation: 'sendTransactionalEmail',
			to: 'ada.lovelace@example.com',
			content: 'html',
			subject: 'Hello',
			html: `=<p>{{ $json.name }}</p>${filler}`,
		},
		items,
		settings,
		// No request is to be made; with this key the first one would end the run.
		credential: { baseUrl: sandbox.baseUrl, apiKey: 'sk_test_none' },
	});

const requests = async () => (await sandbox.control('GET', '/requests')).data;

describe('messages that are more than n8n’s memory may hold', () => {
	const message = '955 messages have 251 MB of text together, and a run holds 250 MB at most';

	test('are refused before the first request, with a way out', async () => {
		const { error } = await send();
		expect(error?.message).toBe(message);
		expect(error?.description).toMatch(/^None of them was sent\. Put Loop Over Items before/);
		expect(await requests()).toEqual([]);
	});

	test('are refused, each of them, where the node continues on errors', async () => {
		const { json } = await send({ onError: 'continueRegularOutput' });
		const error = expect.stringContaining(`${message}. None of them was sent.`);
		expect(json).toEqual(items.map((item) => ({ ...item, error })));
		expect(await requests()).toEqual([]);
	});
});
