import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { oneRequestEach, unknownContact } from '../support/engine/oneRequestEach.mts';
import { runNode } from '../support/engine/runNode.mts';
import { httpAnswer, startRawServer, type RawServer } from '../support/sandbox/rawServer.mts';

let service: RawServer;
beforeAll(async () => {
	const answer = httpAnswer('{"data":[]}');
	service = await startRawServer((socket) => socket.end(answer));
});
afterAll(async () => await service.stop());
beforeEach(() => void service.requests.splice(0));

const run = async (parameters: INodeParameters, value: unknown = undefined, onError?: string) =>
	await runNode({
		parameters,
		items: [{ value } as IDataObject],
		settings: { onError } as object,
		credential: { baseUrl: service.baseUrl, apiKey: 'sk_test_1', requestsPerMinute: 100_000 },
	});

const long = '5'.repeat(5_000_000);
const given = '={{ $json.value }}';
const send = oneRequestEach['Send Transactional Email'];
const update = oneRequestEach['Update Contact'];
const { List: contacts } = oneRequestEach;
const inCollection = (parameters: INodeParameters, name: string) => ({
	...parameters,
	options: { [name]: given },
});

/** Each parameter with options: its name in errors, its values, and a node where it is given. */
const choices: Array<[string, string[], INodeParameters]> = [
	['Operation', ['sendTransactionalEmail', 'updateContact'], { ...send, operation: given }],
	['Content', ['template', 'html'], { ...send, content: given }],
	['Specify Variables', ['fields', 'json'], { ...send, variablesInput: given }],
	['Idempotency', ['execution', 'custom', 'none'], { ...send, idempotency: given }],
	['If Content Has Changed', ['fail', 'output'], inCollection(send, 'onContentChanged')],
	['If Message Is Rejected', ['fail', 'output'], inCollection(send, 'onRejected')],
	['If Original Send Failed', ['sendAgain', 'fail'], inCollection(send, 'onOriginalFailed')],
	[
		'Contact',
		['list', 'id', 'email'],
		{ ...update, contact: { __rl: true, mode: given, value: unknownContact } },
	],
	[
		'The mode of Fields',
		['defineBelow', 'autoMapInputData'],
		{ ...update, fields: { ...update.fields, mappingMode: given } },
	],
	['Empty Fields', ['ignore', 'clear'], inCollection(update, 'emptyFields')],
	['Omitted Fields', ['auto', 'preserve', 'leave'], inCollection(update, 'omittedFields')],
	['Collection', ['contacts', 'widgets'], { ...contacts, collection: given }],
];

/** What is none of any parameter's options. */
const others: unknown[] = [
	...['toString', 'constructor', '__proto__', 'hasOwnProperty', 'length', ''],
	...[null, 0, true, ['template'], { template: 'template' }, long],
];

/** Some n8n look at which operation it is by themselves, and run no node of the workflow. */
const refusedByN8n = (error: Error) => {
	expect(error.name).toBe('WorkflowHasIssuesError');
	return undefined;
};

describe.each(choices)('%s', (displayName, values, parameters) => {
	const runHere = async (value: unknown, onError?: string) => {
		const result = run(parameters, value, onError);
		return displayName === 'Operation' ? await result.catch(refusedByN8n) : await result;
	};

	test('that is none of its options is refused before any request', async () => {
		for (const value of others) {
			const result = await runHere(value);
			if (!result) continue;
			const { error } = result;
			expect(error).toMatchObject({ name: 'NodeOperationError', context: { itemIndex: 0 } });
			expect(error?.message.startsWith(`${displayName} is n`)).toBe(true);
			for (const one of values) expect(error?.description).toContain(one);
			expect(`${error?.message} ${error?.description}`.length).toBeLessThan(500);
		}
		expect(service.requests).toEqual([]);
	});

	test('becomes an error item where the node goes on', async () => {
		const result = await runHere('toString', 'continueRegularOutput');
		const error = expect.stringContaining(displayName);
		if (result) expect(result.json).toEqual([{ value: 'toString', error }]);
	});
});

/** Each switch: its name in errors, and a node where it is given. */
const switches: Array<[string, INodeParameters]> = [
	['Return All', { ...contacts, returnAll: given }],
	['Simplify', { ...contacts, simplify: given }],
	['Simplify', { ...send, simplify: given }],
	['Simplify', { ...update, simplify: given }],
	['Dry Run', inCollection(update, 'dryRun')],
	['Skip Unchanged', inCollection(update, 'skipUnchanged')],
];

describe.each(switches)('the switch %s (%#)', (displayName, parameters) => {
	test('that is neither true nor false is refused before any request', async () => {
		for (const value of ['yes', 'toString', '', null, 1, 0, [], {}, long]) {
			const { error } = await run(parameters, value);
			expect(error?.message).toBe(`${displayName} is neither true nor false`);
			expect(error?.description?.length).toBeLessThan(500);
		}
		expect(service.requests).toEqual([]);
	});
});

test.each<[unknown, boolean]>([
	['false', false],
	[' FALSE ', false],
	[false, false],
	['true', true],
	[true, true],
])('Return All that is %j is %j', async (value, isOn) => {
	await run({ ...contacts, returnAll: given }, value);
	expect(service.requests[0]).toContain(isOn ? 'limit=100' : 'limit=10 ');
});

test.each(['true', true])('a Dry Run that is %j writes nothing', async (value) => {
	await run(inCollection(update, 'dryRun'), value);
	expect(service.requests.filter((one) => one.startsWith('PUT'))).toEqual([]);
});

/** Each number: its name in errors, a node where it is given, and what is out of its range. */
const numbers: Array<[string, INodeParameters, number[]]> = [
	['Limit', { ...contacts, limit: given }, [0, -1, 1.5]],
	['Concurrency', inCollection(contacts, 'concurrency'), [0, -1, 1.5, 21, 1e9]],
	['Concurrency', inCollection(send, 'concurrency'), [21]],
	['Timeout', inCollection(contacts, 'timeout'), [0, -1, 3601, 1e9]],
	['Timeout', inCollection(update, 'timeout'), [0]],
];

describe.each(numbers)('the number %s (%#)', (displayName, parameters, outOfRange) => {
	const noNumbers = ['abc', '', 'Infinity', NaN, null, true, [5], { n: 5 }, long];

	test('that is none, or out of its range, is refused before any request', async () => {
		for (const value of [...outOfRange, ...noNumbers]) {
			const { error } = await run(parameters, value);
			expect(error?.message).toMatch(new RegExp(`^${displayName} is not a (whole )?number`));
			expect(error?.description?.length).toBeLessThan(500);
		}
		expect(service.requests).toEqual([]);
	});

	test.each([2, '2', ' 2 '])('may be %j', async (value) => {
		const { error } = await run({ ...parameters }, value);
		expect(error?.message ?? '').not.toContain(displayName);
		expect(service.requests).not.toEqual([]);
	});
});
