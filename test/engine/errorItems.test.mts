import { describe, expect, test } from '@jest/globals';
import {
	OperationalError,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
} from 'n8n-workflow';
import { runNode, type NodeRun } from '../support/engine/runNode.mts';
import { unpaced } from '../support/sandbox/sandbox.mts';
import { automaticUpdate, byEmail } from '../support/engine/updates.mts';
import { sandboxInTests } from '../support/sandbox/sandboxInTests.mts';

const sandbox = sandboxInTests();

const run = async (
	parameters: INodeParameters,
	items: IDataObject[],
	{ onError, ...more }: { onError?: INode['onError'] } & Partial<NodeRun>,
) =>
	await runNode({
		parameters,
		items,
		credential: unpaced(sandbox),
		settings: { onError },
		...more,
	});

type Pairing = (index: number) => INodeExecutionData['pairedItem'];

/** How rows can come to a node. */
const pairings: Array<[string, Pairing]> = [
	['each have a row of their own before them', (index) => ({ item: index })],
	['all descend from one item', () => ({ item: 0 })],
	['descend from several items', () => [{ item: 0 }, { item: 1 }]],
	['do not say what they descend from', () => undefined],
];

/** Two rows for each operation, of which the second fails, and what it fails with. */
const operations: Array<[string, INodeParameters, IDataObject[], RegExp]> = [
	[
		'Send Transactional Email',
		{
			operation: 'sendTransactionalEmail',
			to: '={{ $json.to }}',
			content: 'html',
			subject: 'Hello',
			html: 'Hello',
		},
		[
			{ to: 'ada.lovelace@example.com', row: 1 },
			{ to: 'nobody', row: 2 },
		],
		/^'To' isn't an email address/,
	],
	[
		'Update Contact',
		automaticUpdate(byEmail),
		[
			{ email: 'ada.lovelace@example.com', notes: 'x', row: 1 },
			{ email: 'nobody@example.com', notes: 'x', row: 2 },
		],
		/^No contact with the email nobody@example.com was found/,
	],
	[
		'List',
		{ operation: 'list', collection: 'contacts', returnAll: false, limit: '={{ $json.limit }}' },
		[
			{ limit: 1, row: 1 },
			{ limit: -1, row: 2 },
		],
		/^'Limit' isn't a whole number/,
	],
];

const outputsOfErrors = [
	['continueRegularOutput', 0],
	['continueErrorOutput', 1],
] as const;

describe.each(operations)('%s, an item that fails', (_operation, parameters, rows, message) => {
	test.each(outputsOfErrors)('keeps its fields: %s', async (onError, output) => {
		const { error, outputs } = await run(parameters, rows, { onError });
		expect(error).toBeUndefined();
		const [failed] = outputs[output].slice(-1);
		expect(failed.json).toEqual({ ...rows[1], error: expect.stringMatching(message) });
		expect(failed.pairedItem).toEqual({ item: 1 });
		expect(outputs[0][0].pairedItem).toEqual({ item: 0 });
		expect(outputs.flat()).toHaveLength(2);
	});
});

test.each(pairings)('rows that %s are linked to their own items', async (_how, pairing) => {
	const [, parameters, rows] = operations[0];
	const { outputs } = await run(parameters, rows, { onError: 'continueRegularOutput', pairing });
	expect(outputs[0].map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
});

const ofOtherMode = { baseUrl: 'http://127.0.0.1:9/api/v1', apiKey: 'sk_live_1' };
const unread = () => {
	throw new OperationalError('Credentials could not be decrypted');
};

test.each<[string, Partial<NodeRun>, RegExp]>([
	['is of the other mode', { credential: ofOtherMode }, /live/],
	['n8n cannot read', { onCredentialRead: unread }, /Credentials could not be decrypted/],
])('no item goes on as if it were done with a credential that %s', async (_name, way, message) => {
	const [, parameters, rows] = operations[0];
	const { outputs } = await run(parameters, rows, { onError: 'continueErrorOutput', ...way });
	const failed = rows.map((row) => ({ ...row, error: expect.stringMatching(message) }));
	expect(outputs[0]).toEqual([]);
	expect(outputs[1].map(({ json }) => json)).toEqual(failed);
});

test('an item that comes with the error of an earlier attempt shows the new one', async () => {
	const [, parameters, [, row], problem] = operations[0];
	const items = [{ ...row, error: 'An earlier one' }];
	const { json } = await run(parameters, items, { onError: 'continueRegularOutput' });
	expect(json).toEqual([{ ...row, error: expect.stringMatching(problem) }]);
});

describe('of a tool, a model reads', () => {
	const type = 'n8n-nodes-crm-workspace.crmWorkspaceTool';
	const [, parameters] = operations[0];

	test('all that an error says, in its title', async () => {
		const fault = { kind: 'status', status: 422, body: { message: 'Suppressed' }, next: 1 };
		await sandbox.control('POST', '/faults', fault);
		const { error } = await run(parameters, [{ to: 'ada@example.com' }], { settings: { type } });
		expect(error?.message).toBe(
			"The message to ada@example.com wasn't sent: the service rejected it. Correct what the service names. The service says: Suppressed.",
		);
		expect(error?.description).toBeUndefined();
	});

	test('its own call in an error item', async () => {
		const call = { text: 'Hi', a_title: 'Hello' };
		const fromModel = {
			...parameters,
			html: "={{ $fromAI('text', 'What to write', 'string') }}",
			subject: '=Re: {{ $fromai(`a_title`) }}',
		};
		const request = { headers: { cookie: 'session=1' }, query: {}, to: 'nobody' };
		const settings = { type, onError: 'continueRegularOutput' as const };
		const { json } = await run(fromModel, [{ ...call, ...request }], { settings });
		const error = expect.stringMatching(
			/^'To' isn't an email address: “nobody”\. Nothing was sent/,
		);
		expect(json).toEqual([{ ...call, error }]);
	});
});
