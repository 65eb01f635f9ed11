import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { runNode } from '../support/engine/runNode.mts';
import { type RunningSandbox, startSandbox } from '../support/sandbox/sandbox.mts';

let sandbox: RunningSandbox;

beforeAll(async () => {
	sandbox = await startSandbox(['--requests-per-minute', '0']);
});
afterAll(async () => await sandbox.stop());
beforeEach(async () => await sandbox.control('POST', '/reset'));

const read = async (variants: object) => await sandbox.control('PATCH', '/variants', variants);
const inbox = async (): Promise<any[]> => (await sandbox.control('GET', '/inbox')).data;
const requests = async (): Promise<any[]> => (await sandbox.control('GET', '/requests')).data;

const send = async (parameters: INodeParameters, items?: IDataObject[]) =>
	await runNode({
		items,
		parameters: {
			operation: 'sendTransactionalEmail',
			to: 'ada.lovelace@example.com',
			content: 'html',
			subject: 'Hello',
			...parameters,
		},
		credential: { baseUrl: sandbox.baseUrl, apiKey: sandbox.testKey, requestsPerMinute: 100_000 },
	});

const fields = (...variable: Array<{ name: string; value: string }>) => ({
	variables: { variable },
});
const json = (variablesJson: string) => ({ variablesInput: 'json', variablesJson });

// Interface: SEND-12, SEND-17.
describe('a token gets its value', () => {
	test.each<[string, INodeParameters, object, string]>([
		['of a name that is a number', fields({ name: '={{ 7 }}', value: 'Ada' }), {}, '{{7}}'],
		['of a name that is a number, in JSON', json('{ "7": "Ada" }'), {}, '{{ 7 }}'],
		[
			'of a name with a dot',
			fields({ name: 'contact.name', value: 'Ada' }),
			{},
			'{{contact.name}}',
		],
		[
			'of a part of a variable',
			json('{ "contact": { "name": "Ada" } }'),
			{ variableParts: 'dottedTokens' },
			'{{contact.name}}',
		],
		[
			'of a name that was copied with signs that no one sees',
			fields({ name: '\ufefffirstName\u200b ', value: 'Ada' }),
			{},
			'{{firstName}}',
		],
		[
			'from its default where the variable is null',
			fields({ name: 'name', value: '={{ null }}' }),
			{ nullVariables: 'rejected' },
			'{{name|Ada}}',
		],
		[
			'from its default where the variable is null in JSON',
			json('{ "name": null }'),
			{ nullVariables: 'rejected' },
			'{{name|Ada}}',
		],
	])('%s', async (_what, variables, variants, html) => {
		await read(variants);
		const { error } = await send({ html, ...variables });
		expect(error?.description).toBeUndefined();
		expect(await inbox()).toMatchObject([{ html: 'Ada' }]);
	});
});

test('a part of a variable that the service may not know is left to it', async () => {
	const variables = json('{ "contact": { "name": "Ada" } }');
	const { error } = await send({ html: '{{contact.name}}', ...variables });
	expect(error?.description).toContain('The service says');
	expect(await requests()).toHaveLength(1);
});

// Interface: SEND-12, ERROR-1.
describe('a token that no service could fill is refused before any request', () => {
	test.each<[string, string, INodeParameters, string]>([
		[
			'a part that is not there',
			'{{contact.nmae}}',
			json('{ "contact": { "name": "Ada" } }'),
			'contact.nmae',
		],
	])('%s', async (_what, html, variables, name) => {
		const { error } = await send({ html, ...variables });
		expect(error?.message).toBe(`Tokens in 'HTML' have no value: ${name}`);
		expect(await requests()).toEqual([]);
	});
});

// Interface: SEND-12, SEND-13, SEND-15, SEND-17.
describe('tokens in a field that is set to Expression stay tokens', () => {
	const ada = fields({ name: 'firstName', value: '={{ $json.given }}' });
	const written = '={{firstName|you}}, {{ $json.order }}: {{ word |as ordered}}';
	const filled = 'Ada, 1042: as ordered';
	const items = [{ given: 'Ada', order: 1042 }];

	test('in HTML, Subject and Text, with the variables beside them', async () => {
		const { error, hints } = await send(
			{ html: written, subject: written, additionalFields: { text: written }, ...ada },
			items,
		);
		expect(error).toBeUndefined();
		expect(await inbox()).toMatchObject([{ html: filled, subject: 'Ada, 1042: as ordered' }]);
		expect((await requests())[0].body.text).toBe('{{firstName|you}}, 1042: {{ word |as ordered}}');
		expect(hints).toEqual([]);
	});

	test("in the subject that takes the place of a template's own", async () => {
		const parameters = { content: 'template', templateSlug: 'welcome', ...ada };
		const { error } = await send({ ...parameters, additionalFields: { subject: written } }, items);
		expect(error).toBeUndefined();
		expect(await inbox()).toMatchObject([{ subject: 'Ada, 1042: as ordered' }]);
	});

	test('for each item with the values of its own', async () => {
		await send({ html: written, ...ada }, [...items, { given: 'Grace', order: 7 }]);
		const bodies = (await inbox()).map(({ html }) => html).sort();
		expect(bodies).toEqual([filled, 'Grace, 7: as ordered']);
	});

	test.each<[string, INodeParameters, string]>([
		['HTML', { html: '=<p>{{ name }} {{ total }}</p>' }, "'HTML'"],
		['Subject', { html: 'Hello', subject: '={{ name }} {{ total }}' }, "'Subject'"],
		['a fixed Subject', { html: 'Hello', subject: '{{ name }} {{ total }}' }, "'Subject'"],
		[
			'Text',
			{ html: 'Hello', additionalFields: { text: '={{ name }} {{ total }}' } },
			"'Plain Text'",
		],
		['two of them', { html: '={{ name }}', subject: '={{ total }}' }, "'Subject', 'HTML'"],
	])('without a value is refused: %s', async (_field, parameters, fieldNames) => {
		const { error } = await send(parameters);
		expect(error?.message).toMatch(`Tokens in ${fieldNames} have no value: `);
		expect(error?.message).toMatch(/: (name, total|total, name)$/);
		expect(error?.description).toMatch('a field of the item {{ $json.name }}');
		expect(await requests()).toEqual([]);
	});
});
