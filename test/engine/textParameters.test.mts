import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { oneRequestEach } from '../support/engine/oneRequestEach.mts';
import { parametersGiven } from '../support/engine/parametersGiven.mts';
import { runNode } from '../support/engine/runNode.mts';
import { startSandbox, type RunningSandbox } from '../support/sandbox/sandbox.mts';

let sandbox: RunningSandbox;

beforeAll(async () => {
	sandbox = await startSandbox(['--requests-per-minute', '0']);
});
afterAll(async () => await sandbox.stop());
beforeEach(async () => await sandbox.control('POST', '/reset'));

const run = async (parameters: INodeParameters, item: IDataObject = {}) =>
	await runNode({
		parameters,
		items: [item],
		credential: { baseUrl: sandbox.baseUrl, apiKey: sandbox.testKey, requestsPerMinute: 100_000 },
	});

const requests = async (): Promise<any[]> => (await sandbox.control('GET', '/requests')).data;

const template = oneRequestEach['Send Transactional Email'];
const inline = { ...template, content: 'html', subject: 'Hello', html: '<p>Hello</p>' };
const update = oneRequestEach['Update Contact'];
const articles = oneRequestEach['List of articles'];
const additional = (name: string, value: string) => ({
	...template,
	additionalFields: { [name]: value },
});
const variable = (name: string, value: string) => ({
	...template,
	variables: { variable: [{ name, value }] },
});
const contact = (mode: string, value: string) => ({
	...update,
	contact: { __rl: true, mode, value },
});
const field = (name: string, value: string) => ({
	...update,
	fields: { ...update.fields, value: { [name]: value } },
});

/** Where it is, its name in errors, and what it takes to give it an expression. */
type TextParameter = [string, string, (expression: string) => INodeParameters];

/** Every text parameter; options by themselves. */
const textParameters: TextParameter[] = [
	['To', 'To', (to) => ({ ...template, to })],
	['Template Slug', 'Template Slug', (templateSlug) => ({ ...template, templateSlug })],
	['Subject', 'Subject', (subject) => ({ ...inline, subject })],
	['HTML', 'HTML', (html) => ({ ...inline, html })],
	['Additional Fields, Channel ID', 'Channel ID', (value) => additional('channelId', value)],
	['Additional Fields, Contact ID', 'Contact ID', (value) => additional('contactId', value)],
	['Additional Fields, From Name', 'From Name', (value) => additional('fromName', value)],
	['Additional Fields, Reply To', 'Reply To', (value) => additional('replyTo', value)],
	['Additional Fields, Subject', 'Subject', (value) => additional('subject', value)],
	['Additional Fields, Plain Text', 'Plain Text', (value) => additional('text', value)],
	['Variables, Name', 'Variables → Name', (name) => variable(name, 'x')],
	['Variables, Value', 'Variables → order', (value) => variable('order', value)],
	[
		'Custom Key',
		'Custom Key',
		(idempotencyKey) => ({ ...template, idempotency: 'custom', idempotencyKey }),
	],
	['Contact, From List', 'Contact', (value) => contact('list', value)],
	['Contact, By ID', 'Contact', (value) => contact('id', value)],
	['Contact, By Email', 'Contact', (value) => contact('email', value)],
	['Fields, Job Title', 'Job Title', (value) => field('jobTitle', value)],
	['Fields, Email', 'Email', (value) => field('email', value)],
	['Search Term', 'Search Term', (searchTerm) => ({ ...articles, searchTerm })],
	...parametersGiven('string', '')
		.filter(({ addedTo }) => addedTo)
		.map(
			({ property: { name, displayName }, addedTo, parameters }): TextParameter => [
				`${addedTo}, ${displayName}`,
				displayName,
				(value) => ({ ...parameters, [addedTo!]: { [name]: value } }),
			],
		),
];

describe.each(textParameters)('%s', (_where, displayName, parametersWith) => {
	const item = { order: { id: 7 }, list: [{ id: 7 }] };

	test.each([
		['an object', '={{ $json.order }}'],
		['a list', '={{ $json.list }}'],
	])('that is given %s is refused before any request', async (kind, expression) => {
		const { error } = await run(parametersWith(expression), item);
		expect(error).toMatchObject({
			name: 'NodeOperationError',
			message: `'${displayName}' is ${kind}, not text`,
			description: expect.stringMatching(/Split Out|join/),
			context: { itemIndex: 0 },
		});
		expect(await requests()).toEqual([]);
	});
});

describe('what is no text but has one', () => {
	const iso = '2026-01-15T08:30:00.000Z';
	const berlin = `DateTime.fromISO("${iso}", { zone: "Europe/Berlin" })`;

	test.each<[string, string, string]>([
		['a number', '={{ 40 + 2 }}', '42'],
		['a boolean', '={{ true }}', 'true'],
		['a DateTime', `={{ ${berlin} }}`, '2026-01-15T09:30:00.000+01:00'],
		['a Date', `={{ new Date("${iso}") }}`, iso],
	])('%s is sent as text', async (_what, expression, text) => {
		const { error } = await run({
			...inline,
			subject: expression,
			html: expression,
			additionalFields: { fromName: expression, text: expression },
		});
		expect(error).toBeUndefined();
		const [{ body }] = await requests();
		expect(body).toMatchObject({
			subject: text,
			html: text,
			fromName: text,
			text,
		});
	});

	test('a variable named by a number has a value of any kind', async () => {
		const pairs = ['={{ 40 + 2 }}', '={{ false }}', 'Ada', '={{ new Date(0) }}'];
		const { error } = await run({
			...template,
			variables: {
				variable: pairs.map((value, index) => ({ name: `={{ ${index} }}`, value })),
			},
		});
		expect(error).toBeUndefined();
		expect((await requests())[0].body.variables).toEqual({
			0: 42,
			1: false,
			2: 'Ada',
			3: '1970-01-01T00:00:00.000Z',
		});
	});

	test('nothing is empty', async () => {
		const { error } = await run({ ...inline, html: '={{ null }}' });
		expect(error?.message).toBe("'HTML' is empty");
	});

	test.each(['new Date("soon")', 'DateTime.fromISO("soon")'])(
		'a date that is none is refused: %s',
		async (expression) => {
			const { error } = await run({ ...inline, subject: `={{ ${expression} }}` });
			expect(error?.message).toBe("'Subject' is not a valid date");
			const fromName = await run(additional('fromName', `={{ ${expression} }}`));
			expect(fromName.error?.message).toBe("'From Name' is not a valid date");
			expect(await requests()).toEqual([]);
		},
	);
});
