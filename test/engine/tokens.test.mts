import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { runNode } from '../support/engine.mts';
import { type RunningSandbox, startSandbox } from '../support/sandbox.mts';

let sandbox: RunningSandbox;

beforeAll(async () => {
	sandbox = await startSandbox(['--requests-per-minute', '0']);
});
afterAll(async () => await sandbox.stop());
beforeEach(async () => await sandbox.control('POST', '/reset'));

const read = async (readings: object) => await sandbox.control('PATCH', '/readings', readings);
const inbox = async (): Promise<any[]> => (await sandbox.control('GET', '/inbox')).data;
const requests = async (): Promise<any[]> => (await sandbox.control('GET', '/requests')).data;

const send = async (parameters: INodeParameters) =>
	await runNode({
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
			'of a name that was copied with signs that nobody sees',
			fields({ name: '\ufefffirst\u200bName ', value: 'Ada' }),
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
	])('%s', async (_what, variables, readings, html) => {
		await read(readings);
		const { error } = await send({ html, ...variables });
		expect(error?.description).toBeUndefined();
		expect(await inbox()).toMatchObject([{ html: 'Ada' }]);
	});
});

describe('what the service alone can know is left to it', () => {
	test.each<[string, INodeParameters, object, string]>([
		['{{}}', {}, { emptyToken: 'text' }, ''],
		['{{}}', {}, { emptyToken: 'rejected' }, 'The service says'],
		['{{contact.name}}', json('{ "contact": { "name": "Ada" } }'), {}, 'The service says'],
	])('%s (%#)', async (html, variables, readings, says) => {
		await read(readings);
		const { error } = await send({ html, ...variables });
		expect(error?.description ?? '').toContain(says);
		expect(await requests()).toHaveLength(1);
	});
});

describe('a token that no service could fill is refused before any request', () => {
	test.each<[string, string, INodeParameters, string]>([
		[
			'a part that is not there',
			'{{contact.nmae}}',
			json('{ "contact": { "name": "Ada" } }'),
			'contact.nmae',
		],
		[
			'a name with a sign that nobody sees, spelled out',
			'{{first\u200bName}}',
			fields({ name: 'firstName', value: 'Ada' }),
			'first\\u200bName',
		],
	])('%s', async (_what, html, variables, name) => {
		const { error } = await send({ html, ...variables });
		expect(error?.message).toBe(`HTML has tokens without a value: ${name}`);
		expect(await requests()).toEqual([]);
	});
});

describe('addresses and IDs are what can be seen of them', () => {
	const id = '7c9a1d52-6b1f-4f0e-9b1d-0c2f5a7e4d33';

	test('in a message', async () => {
		const { error } = await send({
			content: 'template',
			to: '\u202aada.lovelace@example.com\u202c\u200b',
			templateSlug: 'wel\u00adcome',
			additionalFields: {
				replyTo: '\ufeffcare@example.com',
				channelId: `${id}\u200b`,
				contactId: `\u2066${id}\u2069`,
			},
		});
		// The sandbox knows neither the channel nor the contact: it is asked for both all the same.
		expect(error?.message).toContain('does not know the template, channel or contact');
		const [{ body }] = await requests();
		expect(body).toMatchObject({
			to: 'ada.lovelace@example.com',
			templateSlug: 'welcome',
			replyTo: 'care@example.com',
			channelId: id,
			contactId: id,
		});
	});

	test('while names and contents stay as they are', async () => {
		const html = '<p>👩\u200d🔬 co\u00adoperate</p>';
		const subject = 'نامه\u200cای';
		const { error } = await send({ html, subject, additionalFields: { fromName: 'A\u200dB' } });
		expect(error).toBeUndefined();
		expect(await inbox()).toMatchObject([{ html, subject }]);
		expect((await requests())[0].body.fromName).toBe('A\u200dB');
	});
});
