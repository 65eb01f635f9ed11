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

/** The one body that was sent, and a part of it as JSON: to compare text shows every name. */
const sentBody = () => {
	expect(service.requests).toHaveLength(1);
	return JSON.parse(service.requests[0].split('\r\n\r\n')[1]) as IDataObject;
};
const sent = (name: string) => JSON.stringify(sentBody()[name]);
const parsed = (json: string) => JSON.parse(json) as IDataObject;

const id = '7c9a1d52-6b1f-4f0e-9b1d-0c2f5a7e4d33';
const names = ['constructor', 'prototype', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'];
const template = oneRequestEach['Send Transactional Email'];
const asJson = (variablesJson: string) => ({ ...template, variablesInput: 'json', variablesJson });

describe.each(names)('variables named %s arrive', (name) => {
	const text = `{"${name}":"a","inner":{"${name}":"b"},"list":[{"${name}":{"${name}":1}}]}`;

	test.each<[string, INodeParameters, IDataObject]>([
		['as JSON', asJson(text), {}],
		['as an object', asJson('={{ $json.variables }}'), { variables: parsed(text) }],
		['as the item itself', asJson('={{ $json }}'), parsed(text)],
		['as text', asJson('={{ JSON.stringify($json.v) }}'), { v: parsed(text) }],
	])('%s', async (_way, parameters, item) => {
		expect((await run(parameters, item)).error).toBeUndefined();
		expect(sent('variables')).toBe(text);
	});

	test('by name and value, from an expression too', async () => {
		const variable = [
			{ name, value: 'a' },
			{ name: 'other', value: 'b' },
		];
		const { error } = await run({ ...template, variables: { variable } });
		expect(error).toBeUndefined();
		expect(sent('variables')).toBe(`{"${name}":"a","other":"b"}`);

		service.requests.splice(0);
		const given = [{ name: '={{ $json.name }}', value: '={{ $json.value }}' }];
		await run({ ...template, variables: { variable: given } }, { name, value: 'c' });
		expect(sent('variables')).toBe(`{"${name}":"c"}`);
	});

	test('into the token of that name, and only one that was given counts', async () => {
		const html = { ...template, content: 'html', subject: 'Hello', html: `Built by {{${name}}}` };
		const { error } = await run(html);
		expect(error?.message).toBe(`Tokens in 'HTML' have no value: ${name}`);
		const part = { ...html, html: `{{inner.${name}}}`, variablesInput: 'json' };
		const missing = await run({ ...part, variablesJson: '{"inner":{}}' });
		expect(missing.error?.message).toBe(`Tokens in 'HTML' have no value: inner.${name}`);
		expect(service.requests).toEqual([]);

		expect((await run({ ...part, variablesJson: text })).error).toBeUndefined();
		expect(sent('variables')).toBe(text);
	});
});

describe.each(names)('of a contact, %s', (name) => {
	test('as a column is ignored, which a hint says', async () => {
		const item = { ...parsed(`{"${name}":"a"}`), id, jobTitle: 'Analyst' };
		const { error, hints } = await run(automaticUpdate(byId), item);
		expect(error).toBeUndefined();
		expect(sentBody()).toEqual({ jobTitle: 'Analyst' });
		expect(hints.map(({ message }) => message).join()).toContain(name);
	});

	test('as a value and as a tag arrives', async () => {
		const item = { id, jobTitle: name, tags: [name] };
		expect((await run(automaticUpdate(byId), item)).error).toBeUndefined();
		expect(sentBody()).toEqual({ jobTitle: name, tags: [name] });
	});

	test('as what is searched for arrives', async () => {
		await run({ ...oneRequestEach.List, filters: { search: name } });
		expect(service.requests[0]).toContain(`search=${name} `);
	});
});

test.each(['toString', 'nickname'])(
	'a field mapped by hand as %s is refused by name',
	async (name) => {
		const update = oneRequestEach['Update Contact'];
		const value = { jobTitle: 'Analyst', [name]: 'a' };
		const { error } = await run({ ...update, fields: { ...update.fields, value } });
		expect(error?.message).toBe(`'Fields' has “${name}”, which isn't a field`);
		expect(error?.description).toContain('First Name, Last Name');
		expect(service.requests).toEqual([]);
	},
);
