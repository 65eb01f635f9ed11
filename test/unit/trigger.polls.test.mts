/** What one poll after another brings, by what the service shows at each. */
import { describe, expect, jest, test } from '@jest/globals';
import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { Cancelled } from '../../nodes/CrmWorkspace/client/failure';
import type { Client, JsonObject } from '../../nodes/CrmWorkspace/client/request';
import { poll } from '../../nodes/CrmWorkspace/trigger';
import { computeEventKey } from '../../nodes/CrmWorkspace/trigger/events';
import { findNewEvents } from '../../nodes/CrmWorkspace/trigger/poll';
import type { StoredState } from '../../nodes/CrmWorkspace/trigger/state';
import { streamed } from '../support/simulated/streamed.mts';

/** What the service shows in a poll; of the contacts nothing if there is no time for them. */
interface Shown {
	contacts?: string[] | 'no time';
	/** Of tasks and activities. */
	others?: JsonObject[];
	search?: string;
	apiKey?: string;
}

/** @returns the records of the events of each poll, and the events' keys */
async function pollEach(polls: Shown[]) {
	const settings = { isSimplified: false, fields: [], maxEvents: Infinity };
	const events = ['contactCreated', 'taskOverdue'] as const;
	let state: StoredState = { version: 3, scope: '', key: 'key' };
	const found = { records: [] as unknown[][], keys: [] as string[] };
	for (const { contacts = [], others = [], search = '', apiKey = 'key' } of polls) {
		const request = async ({ path }: { path: string }) => {
			if (path !== '/contacts') return others;
			if (contacts === 'no time') throw new Cancelled(false);
			const records = contacts.map((id) => ({ id, createdAt: '2020-01-01T00:00:00Z' }));
			return { records, totalCount: records.length, totalPages: 1 };
		};
		const client = { request } as unknown as Client;
		const one = await findNewEvents(
			client,
			{ ...settings, search, events: [...events] },
			state,
			apiKey,
		);
		found.records.push(one.events.map(({ record }) => record.id));
		found.keys.push(...one.events.map((event) => computeEventKey(event, [])));
		state = JSON.parse(JSON.stringify(one.state)) as StoredState;
	}
	return found;
}

const task = { id: 't1', title: 'Call' };

test.each<[string, Shown[], unknown[][]]>([
	[
		'tasks that are missing once and come back unchanged are no events',
		[{ others: [task] }, {}, { others: [task] }],
		[[], [], []],
	],
	[
		'a poll without time for the contacts leaves their events to the next one',
		[{ contacts: ['a'] }, { contacts: 'no time' }, { contacts: ['a', 'b'] }],
		[[], [], ['b']],
	],
	[
		'contacts that a Search has left out are no events once it is removed',
		[{ contacts: ['a'], search: 'x' }, { contacts: ['a', 'b'] }, { contacts: ['a', 'b', 'c'] }],
		[[], [], ['c']],
	],
	[
		'a new API key keeps the events if one collection has nothing that is known',
		[{ contacts: ['a'] }, { contacts: ['a', 'b'], others: [task], apiKey: 'new' }],
		[[], ['t1', 'b']],
	],
])('%s', async (_, polls, records) => {
	expect((await pollEach(polls)).records).toEqual(records);
});

test('a task that comes back changed for the second time has another key', async () => {
	const as = (title: string) => ({ others: [{ ...task, title }] });
	const polls = [{}, as('one'), {}, as('two'), as('two'), {}, as('three')];
	const { keys } = await pollEach(polls);
	expect(keys).toHaveLength(3);
	expect(new Set(keys).size).toBe(3);
});

describe('a poll that n8n runs', () => {
	const empty = { data: [], meta: { pagination: { totalCount: 0, totalPages: 1 } } };

	function contextOf(node: string, answer: () => Promise<object>) {
		const stored: Record<string, unknown> = {};
		const parameters: Record<string, unknown> = { events: ['activityAdded'], options: {} };
		const credential = {
			...{ baseUrl: 'http://127.0.0.1/api/v1', mode: 'test', authHeader: 'authorization' },
			...{ apiKey: `sk_test_${node}`, requestsPerMinute: 100_000 },
		};
		const context = {
			getNode: () => ({ id: node, name: node, parameters, credentials: {} }),
			getWorkflow: () => ({ id: 'workflow' }),
			getWorkflowStaticData: () => stored,
			getNodeParameter: (name: string, otherwise?: unknown) => parameters[name] ?? otherwise,
			getCredentials: async () => credential,
			getMode: () => 'trigger',
			getInstanceId: () => 'instance',
			helpers: {
				httpRequestWithAuthentication: async () =>
					streamed({ statusCode: 200, headers: {}, body: JSON.stringify(await answer()) }),
			},
		};
		return { stored, context: context as unknown as IPollFunctions };
	}

	test('goes on beside that of another trigger of the workflow', async () => {
		const begun: string[] = [];
		let goOn = () => {};
		const both = new Promise<void>((resolve) => (goOn = resolve));
		const run = async (node: string) =>
			await poll(
				contextOf(node, async () => {
					if (begun.push(node) === 2) goOn();
					await both;
					return empty;
				}).context,
			);
		await Promise.all([run('one'), run('two')]);
		expect(begun.sort()).toEqual(['one', 'two']);
	});

	test('stores nothing if its events cannot be put out', async () => {
		let records: JsonObject[] = [];
		const { stored, context } = contextOf('three', async () => ({ data: records }));
		await poll(context);
		const before = JSON.stringify(stored);
		records = [{ id: 'a1', createdAt: '2030-01-01T00:00:00Z' }];
		const broken = jest.spyOn(Date.prototype, 'toISOString').mockImplementation(() => {
			throw new RangeError('Invalid time value');
		});
		await expect(poll(context)).rejects.toThrow();
		broken.mockRestore();
		expect(JSON.stringify(stored)).toBe(before);
		const [[event]] = (await poll(context)) as INodeExecutionData[][];
		expect(event.json.record).toMatchObject({ id: 'a1' });
	});
});
