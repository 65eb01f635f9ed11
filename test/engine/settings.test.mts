import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type {
	IDataObject,
	INodeParameters,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';
import { oneRequestEach } from '../support/engine/oneRequestEach.mts';
import { parametersGiven } from '../support/engine/parametersGiven.mts';
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
const update = oneRequestEach['Update Contact'];
const { List: contacts } = oneRequestEach;

const ofType = (type: INodeProperties['type']) => parametersGiven(type, given);

/** Each parameter with options that takes an expression: its name in errors, its values, and a node. */
const choices = ofType('options')
	// An expression may give a source that the node has never heard of.
	.filter(({ property }) => property.name !== 'source' && !property.noDataExpression)
	.map(({ property, parameters }): [string, unknown[], INodeParameters] => [
		property.displayName,
		(property.options as INodePropertyOptions[]).map(({ value }) => value),
		parameters,
	]);

/** What is none of any parameter's options. */
const others: unknown[] = [
	...['toString', 'constructor', '__proto__', 'hasOwnProperty', 'length', ''],
	...[null, 0, true, ['template'], { template: 'template' }, long],
];

describe.each(choices)('%s', (displayName, values, parameters) => {
	test('that is none of its options is refused before any request', async () => {
		for (const value of others) {
			const { error } = await run(parameters, value);
			expect(error).toMatchObject({ name: 'NodeOperationError', context: { itemIndex: 0 } });
			expect(error?.message.startsWith(`'${displayName}' is neither`)).toBe(true);
			for (const one of values) expect(error?.description).toContain(String(one));
			expect(`${error?.message} ${error?.description}`.length).toBeLessThan(500);
		}
		expect(service.requests).toEqual([]);
	});

	test('becomes an error item if the node continues on errors', async () => {
		const { json } = await run(parameters, 'toString', 'continueRegularOutput');
		expect(json).toEqual([{ value: 'toString', error: expect.stringContaining(displayName) }]);
	});
});

/** Each switch: its name in errors, and a node where it is given. */
const switches = ofType('boolean').map(
	({ property, parameters }) => [property.displayName, parameters] as const,
);

describe.each(switches)('the switch %s (%#)', (displayName, parameters) => {
	test('that is neither true nor false is refused before any request', async () => {
		for (const value of ['yes', 'toString', '', null, 1, 0, [], {}, long]) {
			const { error } = await run(parameters, value);
			expect(error?.message).toBe(`'${displayName}' is neither true nor false`);
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
	await run({ ...update, options: { dryRun: given } }, value);
	expect(service.requests.filter((one) => one.startsWith('PUT'))).toEqual([]);
});

/** Each number: its name in errors, a node where it is given, and what is out of its range. */
const numbers = ofType('number').map(({ property, parameters }) => {
	const { minValue = -Infinity, maxValue = Infinity } = property.typeOptions!;
	const outside = [minValue - 1, maxValue + 1].filter(Number.isFinite);
	return [property.displayName, parameters, [...outside, -1, 1e9 + 0.5]] as const;
});

describe.each(numbers)('the number %s (%#)', (displayName, parameters, outOfRange) => {
	const noNumbers = ['abc', '', 'Infinity', NaN, null, true, [5], { n: 5 }, long];

	test('that is none, or out of its range, is refused before any request', async () => {
		for (const value of [...outOfRange, ...noNumbers]) {
			const { error } = await run(parameters, value);
			expect(error?.message).toMatch(`'${displayName}' isn't a whole number`);
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
