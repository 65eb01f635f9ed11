import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { runNode, type NodeRun } from '../support/engine.mts';
import { startSandbox, type RunningSandbox } from '../support/sandbox.mts';

let sandbox: RunningSandbox;

beforeAll(async () => {
	sandbox = await startSandbox(['--requests-per-minute', '0']);
});
afterAll(async () => await sandbox.stop());
beforeEach(async () => await sandbox.control('POST', '/reset'));

const run = async (operation: string, parameters: NodeRun['parameters'], more: Partial<NodeRun> = {}) =>
	await runNode({
		parameters: { operation, ...parameters },
		credential: { baseUrl: sandbox.baseUrl, apiKey: sandbox.testKey, requestsPerMinute: 100_000 },
		...more,
	});

describe('Send Transactional Email', () => {
	test('sends a template with variables', async () => {
		const { json, error } = await run('sendTransactionalEmail', {
			to: 'ada.lovelace@example.com',
			templateSlug: 'welcome',
			variables: { variable: [{ name: 'firstName', value: 'Ada' }] },
		});
		expect(error).toBeUndefined();
		expect(json).toHaveLength(1);
		const { data } = await sandbox.control('GET', '/inbox');
		expect(data[0].html).toContain('Ada');
	});
});

describe('List', () => {
	test.each(['contacts', 'activities', 'widgets', 'overdueTasks', 'knowledgeBaseCategories'])('%s', async (collection) => {
		const { json, error } = await run('list', { collection, returnAll: true });
		expect(error).toBeUndefined();
		expect(json.length).toBeGreaterThan(1);
	});
});
