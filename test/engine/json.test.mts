import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { oneRequestEach } from '../support/engine/oneRequestEach.mts';
import { runNode } from '../support/engine/runNode.mts';
import { httpAnswer, startRawServer, type RawServer } from '../support/sandbox/rawServer.mts';
import { automaticUpdate, byId } from '../support/engine/updates.mts';

let service: RawServer;
beforeAll(async () => {
	service = await startRawServer((socket) => socket.end(httpAnswer('{"data":{"id":"1"}}')));
});
afterAll(async () => await service.stop());
beforeEach(() => void service.requests.splice(0));

const run = async (parameters: INodeParameters, item: IDataObject = {}) =>
	await runNode({
		parameters,
		items: [item],
		credential: { baseUrl: service.baseUrl, apiKey: 'sk_test_1', requestsPerMinute: 100_000 },
	});

const nested = (levels: number) => `${'{"a":['.repeat(levels / 2)}1${']}'.repeat(levels / 2)}`;
const template = oneRequestEach['Send Transactional Email'];
const asJson = (variablesJson: string) => ({ ...template, variablesInput: 'json', variablesJson });
const id = '7c9a1d52-6b1f-4f0e-9b1d-0c2f5a7e4d33';

test('variables that are nested 100 levels deep arrive', async () => {
	expect((await run(asJson(nested(100)))).error).toBeUndefined();
	expect(service.requests[0]).toContain(nested(100));
});

test.each<[string, INodeParameters]>([
	['Variables (JSON)', asJson(nested(20_000))],
	['Variables (JSON) by an expression', asJson('={{ $json.deep }}')],
	['To', { ...template, to: '={{ $json.deep }}' }],
	['Contact', automaticUpdate({ mode: 'id', value: '={{ $json.deep }}' })],
	['Search', { ...oneRequestEach.List, filters: { search: '={{ $json.deep }}' } }],
])('%s that is nested 20,000 levels deep is refused before any request', async (_name, node) => {
	const deep = JSON.parse(nested(20_000)) as IDataObject;
	const { error } = await run(node, { deep, id });
	expect(error).toMatchObject({ name: 'NodeOperationError', context: { itemIndex: 0 } });
	expect(service.requests).toEqual([]);
});

test.each(['notes', 'tags', 'email'])('the column %s nested so is refused, too', async (column) => {
	const deep = JSON.parse(nested(20_000)) as IDataObject;
	const { error } = await run(automaticUpdate(byId), { id, [column]: deep });
	expect(error?.message).toMatch(/^'(Notes|Email|Tags)' is (an object, not text|neither a list)/);
	expect(service.requests).toEqual([]);
});

describe('what JSON cannot carry is refused by name', () => {
	test.each<[string, string, string]>([
		['a number that is none', '={{ ({ a: { b: [0, 0 / 0] } }) }}', '“NaN” for “1”'],
		['no date', '={{ ({ a: new Date("soon") }) }}', 'not a valid date for “a”'],
		['no moment', '={{ ({ a: DateTime.fromISO("soon") }) }}', 'not a valid date for “a”'],
	])('%s', async (_what, variablesJson, problem) => {
		const { error } = await run(asJson(variablesJson));
		expect(error?.message).toBe("'Variables (JSON)' is incomplete");
		expect(error?.description).toContain(problem);
		expect(service.requests).toEqual([]);
	});

	test('as a single value', async () => {
		const variables = { variable: [{ name: 'total', value: '={{ 1 / 0 }}' }] };
		const { error } = await run({ ...template, variables });
		expect(error?.message).toBe("'Variables → total' is incomplete");
		expect(error?.description).toContain('gave “Infinity”');
		expect(service.requests).toEqual([]);
	});

	test('what holds itself', async () => {
		const item: IDataObject = { a: {} };
		(item.a as IDataObject).item = item;
		const { error } = await run(asJson('={{ $json }}'), item);
		expect(error).toBeDefined();
		expect(service.requests).toEqual([]);
	});
});

test.each<[string, string, string]>([
	[
		'large integers, as text',
		'={{ ({ a: 12345678901234567890n }) }}',
		'{"a":"12345678901234567890"}',
	],
	['moments, as text', '={{ ({ a: new Date(0) }) }}', '{"a":"1970-01-01T00:00:00.000Z"}'],
	[
		'what is undefined, as nothing',
		'={{ ({ a: { b: undefined, c: null } }) }}',
		'{"a":{"c":null}}',
	],
])('%s arrive', async (_what, variablesJson, json) => {
	expect((await run(asJson(variablesJson))).error).toBeUndefined();
	expect(service.requests[0]).toContain(`"variables":${json}`);
});
