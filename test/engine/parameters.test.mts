import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type {
	IDataObject,
	INodeParameters,
	INodeProperties,
	INodePropertyOptions,
	INodeType,
} from 'n8n-workflow';
import { CrmWorkspace } from '../../nodes/CrmWorkspace/CrmWorkspace.node';
import { oneRequestEach } from '../support/engine/oneRequestEach.mts';
import { parametersGiven } from '../support/engine/parametersGiven.mts';
import { runNode, type NodeRun } from '../support/engine/runNode.mts';
import { automaticUpdate, byId } from '../support/engine/updates.mts';
import { describeSince } from '../support/n8n/testSince.mts';
import { httpAnswer, startRawServer, type RawServer } from '../support/sandbox/rawServer.mts';

/** What a parameter takes, and what it refuses before any request. */

let service: RawServer;
/** The record that each send and update returns, and those that each list has. */
let data: IDataObject;
let listed: IDataObject[];
beforeAll(async () => {
	service = await startRawServer((socket, request) => {
		const pagination = { page: 1, limit: 100, totalCount: listed.length, totalPages: 1 };
		const list = { data: listed, meta: { pagination } };
		socket.end(httpAnswer(JSON.stringify(request.startsWith('GET') ? list : { data })));
	});
});
afterAll(async () => await service.stop());
beforeEach(() => {
	data = { id };
	listed = [];
	service.requests.splice(0);
});

const run = async (
	parameters: INodeParameters,
	item: IDataObject = {},
	settings = {},
	more: Partial<NodeRun> = {},
) =>
	await runNode({
		...more,
		parameters,
		items: [item],
		settings,
		credential: { baseUrl: service.baseUrl, apiKey: 'sk_test_1', requestsPerMinute: 100_000 },
	});

/** The error of a run that has made no request. */
async function refusal(...given: Parameters<typeof run>) {
	const { error } = await run(...given);
	expect(service.requests).toEqual([]);
	return error;
}

/** The one body that was sent. */
function sentBody(): any {
	expect(service.requests).toHaveLength(1);
	const bytes = Buffer.from(service.requests[0].split('\r\n\r\n')[1], 'latin1');
	return JSON.parse(bytes.toString());
}

const id = '7c9a1d52-6b1f-4f0e-9b1d-0c2f5a7e4d33';
const given = '={{ $json.value }}';
const template = oneRequestEach['Send Transactional Email'];
const update = oneRequestEach['Update Contact'];
const inline = { ...template, content: 'html', subject: 'Hello', html: '<p>Hello</p>' };
const additional = (name: string) => ({ ...template, additionalFields: { [name]: given } });
const variable = (name: string, value: string) => ({
	...template,
	variables: { variable: [{ name, value }] },
});
const asJson = (variablesJson: string) => ({ ...template, variablesInput: 'json', variablesJson });
const contact = (mode: string, value = given) => ({
	...update,
	contact: { __rl: true, mode, value },
});
const field = (name: string) => ({
	...update,
	fields: { ...update.fields, value: { [name]: given } },
});
const articles = { ...oneRequestEach['List of articles'], searchTerm: given };

describe('text', () => {
	/** Every text parameter, with its name in errors. */
	const textParameters: Array<[string, INodeParameters]> = [
		['To', { ...template, to: given }],
		['Template Slug', { ...template, templateSlug: given }],
		['Subject', { ...inline, subject: given }],
		['HTML', { ...inline, html: given }],
		['Channel ID', additional('channelId')],
		['Contact', additional('contactId')],
		['From Name', additional('fromName')],
		['Reply To', additional('replyTo')],
		['Subject', additional('subject')],
		['Plain Text', additional('text')],
		['Variables → Name', variable(given, 'x')],
		['Variables → order', variable('order', given)],
		['Custom Key', { ...template, idempotency: 'custom', idempotencyKey: given }],
		['Contact', contact('list')],
		['Contact', contact('id')],
		['Contact', contact('email')],
		['Job Title', field('jobTitle')],
		['Email', field('email')],
		['Search Term', articles],
		...parametersGiven('string', given)
			.filter(({ addedTo }) => addedTo)
			.map((one): [string, INodeParameters] => [one.property.displayName, one.parameters]),
	];

	test.each(textParameters)(
		'%s (%#) that is given an object is refused',
		async (name, parameters) => {
			const error = await refusal(parameters, { value: { id: 7 } });
			expect(error).toMatchObject({
				name: 'NodeOperationError',
				message: `'${name}' is an object, not text`,
				description: expect.stringMatching(/Split Out|join/),
				context: { itemIndex: 0 },
			});
		},
	);

	const iso = '2026-01-15T08:30:00.000Z';
	const berlin = `DateTime.fromISO("${iso}", { zone: "Europe/Berlin" })`;

	test.each([
		['={{ 40 + 2 }}', '42'],
		['={{ true }}', 'true'],
		[`={{ ${berlin} }}`, '2026-01-15T09:30:00.000+01:00'],
		[`={{ new Date("${iso}") }}`, iso],
	])('of what has one: %s is sent as %s', async (value, text) => {
		const more = { additionalFields: { fromName: value, text: value } };
		const { error } = await run({ ...inline, subject: value, html: value, ...more });
		expect(error).toBeUndefined();
		expect(sentBody()).toMatchObject({ subject: text, html: text, fromName: text, text });
	});

	test.each(['new Date("soon")', 'DateTime.fromISO("soon")'])(
		'of a date that is none is refused: %s',
		async (expression) => {
			const error = await refusal({ ...inline, subject: `={{ ${expression} }}` });
			expect(error?.message).toBe("'Subject' is not a valid date");
		},
	);
});

const ofType = (type: INodeProperties['type']) => parametersGiven(type, given);
const long = '5'.repeat(1_000_000);

describe('a choice', () => {
	const choices = ofType('options')
		// An expression may give a source that the node has never heard of.
		.filter(({ property }) => property.name !== 'source' && !property.noDataExpression);
	const others = ['toString', '__proto__', '', null, 0, ['template'], { a: 1 }, long];

	test.each(choices)(
		'$property.displayName that is none of its options is refused',
		async (one) => {
			const { displayName, options } = one.property;
			for (const value of others) {
				const error = await refusal(one.parameters, { value } as IDataObject);
				expect(error).toMatchObject({ name: 'NodeOperationError', context: { itemIndex: 0 } });
				expect(error?.message).toContain(`'${displayName}' has an invalid value: `);
				for (const option of options as INodePropertyOptions[]) {
					expect(error?.description).toContain(String(option.value));
				}
				expect(`${error?.message} ${error?.description}`.length).toBeLessThan(500);
			}
		},
	);
});

describe('a switch', () => {
	test.each(ofType('boolean'))(
		'$property.displayName that is neither true nor false is refused',
		async ({ property, parameters }) => {
			for (const value of ['yes', '', null, 1, [], {}, long]) {
				const error = await refusal(parameters, { value } as IDataObject);
				expect(error?.message).toBe(`'${property.displayName}' is neither true nor false`);
				expect(error?.description?.length).toBeLessThan(500);
			}
		},
	);

	test.each<[unknown, string]>([
		[' FALSE ', 'limit=10 '],
		[false, 'limit=10 '],
		['true', 'limit=100'],
	])('Return All may be %j', async (value, query) => {
		await run({ ...oneRequestEach.List, returnAll: given }, { value } as IDataObject);
		expect(service.requests[0]).toContain(query);
	});

	test('Dry Run may be the text true', async () => {
		const { error } = await run({ ...update, options: { dryRun: given } }, { value: 'true' });
		expect(error?.message).toMatch(/^No contact with the ID .* was found$/);
		expect(service.requests.filter((one) => one.startsWith('PUT'))).toEqual([]);
	});
});

describe('a number', () => {
	const noNumbers = ['abc', '', 'Infinity', NaN, null, true, [5], { n: 5 }, long];

	test.each(ofType('number'))(
		'$property.displayName that is none, or out of its range, is refused',
		async ({ property, parameters }) => {
			const { minValue = -Infinity, maxValue = Infinity } = property.typeOptions!;
			const outside = [minValue - 1, maxValue + 1, 1.5].filter(Number.isFinite);
			for (const value of [...outside, ...noNumbers]) {
				const error = await refusal(parameters, { value } as IDataObject);
				expect(error?.message).toMatch(`'${property.displayName}' isn't a whole number`);
				expect(error?.description?.length).toBeLessThan(500);
			}
		},
	);
});

describe('a line', () => {
	const heads: Array<[string, INodeParameters, string]> = [
		['Subject', { ...inline, subject: given }, 'subject'],
		['Subject', additional('subject'), 'subject'],
		['From Name', additional('fromName'), 'fromName'],
	];

	test.each(heads)('%s (%#) with another one in it is refused', async (displayName, parameters) => {
		const lines = ['Hel\0lo', 'Hello\r\nBcc: eve@example.com', 'Hello\u2028Bcc: eve'];
		// The lines of a subject become one.
		for (const value of displayName === 'Subject' ? lines.slice(0, 1) : lines) {
			const error = await refusal(parameters, { value });
			expect(error).toMatchObject({
				message: `'${displayName}' has a line break or control character`,
				description: expect.stringContaining('single line'),
			});
		}
	});

	test.each([
		['👩\u200d🔬 co\u00adoperate', '👩\u200d🔬 co\u00adoperate'],
		['نامه\u200cای', 'نامه\u200cای'],
		['a\tb', 'a\tb'],
		[' Hello \r\n', 'Hello'],
		['Hello\r\nBcc: eve@example.com', 'Hello Bcc: eve@example.com'],
		['Hello\u2028\nBcc: eve', 'Hello Bcc: eve'],
	])('%j is sent as %j', async (value, text) => {
		expect((await run({ ...inline, subject: given }, { value })).error).toBeUndefined();
		expect(sentBody().subject).toBe(text);
	});
});

describe('an address', () => {
	test.each<[string, INodeParameters]>([
		['To', { ...template, to: given }],
		['Reply To', additional('replyTo')],
		['Contact', contact('email')],
		['Email', automaticUpdate(byId)],
	])('in %s is one', async (displayName, parameters) => {
		const value = 'ada@example.com\r\nBcc: eve@example.com';
		const error = await refusal(parameters, { id, value, email: value });
		expect(error?.message).toBe(`'${displayName}' has an invisible character`);
	});

	const refused = {
		'is empty': ['', ' ', 'Ada <>'],
		'has an invisible character': [
			'a\0da@example.com',
			'ada\u200b@example.com',
			'ada@example.com\ud83d',
			'ada@example.com\r\nBcc: x',
		],
		'is more than one address': [
			'a@example.com,b@example.com',
			'a@example.com; b@example.com',
			'a@example.com b@example.com',
			'Ada <ada@example.com>, Bob <bob@example.com>',
			'eve@example.com <ada@example.com>',
		],
		"isn't an email address": [
			'ada',
			'ada@',
			'ada@example',
			'ada@example..com',
			'ada@example,com',
			'ada@@example.com',
			'ada lovelace@example.com',
			'ada@example.com,',
			'ada@example.com;b',
			'"ada"@example.com',
			'ada@[127.0.0.1]',
			'{email}@example.com',
			'%EMAIL%@example.com',
			'*|EMAIL|*@example.com',
			`${'a'.repeat(243)}@example.com`,
		],
	};

	// Interface: SEND-2, SEND-6, SEND-19, CONTACT-7.
	test.each(
		Object.entries(refused).flatMap(([problem, values]) => values.map((one) => [problem, one])),
	)('%s and is refused: %j', async (problem, value) => {
		const error = await refusal({ ...template, to: given }, { value });
		expect(error?.message.split(':')[0]).toBe(`'To' ${problem}`);
	});

	test.each([
		["o'hara+news@sub.example.co.uk", "o'hara+news@sub.example.co.uk"],
		["!#$%&*+-/=?^_`{|}~'@example.com", "!#$%&*+-/=?^_`{|}~'@example.com"],
		[`${'a'.repeat(242)}@example.com`, `${'a'.repeat(242)}@example.com`],
		['\u200b ada@example.com\ufeff\u00a0\n', 'ada@example.com'],
		['\u202aada@example.com\u202c\0', 'ada@example.com'],
		['ada%0d%0aBcc@example.com', 'ada%0d%0aBcc@example.com'],
		['jürgen@exämple.de', 'jürgen@exämple.de'],
		['Ada Lovelace <ada@example.com>', 'ada@example.com'],
		['"ada@example.com" <Ada@example.com>', 'Ada@example.com'],
		[' <ada@example.com>', 'ada@example.com'],
		['mailto:ada@example.com?subject=Hi', 'ada@example.com'],
		['info@نامه\u200cای.example', 'info@نامه\u200cای.example'],
	])('%j is the one recipient %j', async (value, address) => {
		expect((await run({ ...template, to: given }, { value })).error).toBeUndefined();
		expect(sentBody().to).toBe(address);
	});

	test('an address and an ID lose the invisible characters around them', async () => {
		const capitals = id.toUpperCase();
		const additionalFields = {
			replyTo: '\ufeffcare@example.com',
			channelId: `${capitals}\u200b`,
			contactId: { __rl: true, mode: 'id', value: `\u2060${id}` },
		};
		await run({ ...template, templateSlug: '\u00adwelcome', additionalFields });
		const fields = { replyTo: 'care@example.com', channelId: capitals, contactId: id };
		expect(sentBody()).toMatchObject({ templateSlug: 'welcome', ...fields });
	});

	// Interface: SEND-21, SEND-25, UPDATE-2, CONTACT-11.
	test.each([
		...[`\u202e.${id}`, '..', '%2e%2e', 'a/b', '', '?', '../contacts'],
		...[`${id}/..`, `x/${id}`, id.slice(1), id.replaceAll('-', '')],
	])('of a contact is never made of %j', async (value) => {
		const error = await refusal(contact('id'), { value });
		expect(error?.message).toMatch(/^'Contact' (isn't a UUID: .*|is empty)$/);
	});
});

test.each<string | INodeParameters>([
	{ __rl: true, mode: 'list', value: id, cachedResultName: 'Ada' },
	{ __rl: true, mode: 'id', value: given },
	given,
])('the contact of a message is sent that is given as %j', async (contactId) => {
	const { error } = await run({ ...template, additionalFields: { contactId } }, { value: id });
	expect(error).toBeUndefined();
	expect(sentBody().contactId).toBe(id);
});

describeSince('1.88', 'has no parameters for tools alone')('Output of a tool', () => {
	const { description } = new CrmWorkspace();
	const name = `${description.name}Tool`;
	const type = Object.create(new CrmWorkspace(), {
		description: { value: { ...description, name } },
	}) as INodeType;

	beforeEach(() => {
		data = { id, email: 'ada@example.com', notes: 'Met', attemptCount: 1, status: 'queued' };
		data.createdAt = '2026-01-31T08:00:00Z';
		listed = [data];
	});

	test.each<[string, INodeParameters, string, string]>([
		['a sent message', template, 'status', 'attemptCount'],
		['an updated contact', contact('id', id), 'email', 'notes'],
		['a listed contact', oneRequestEach.List, 'email', 'createdAt'],
	])('of %s', async (_what, parameters, useful, other) => {
		const shown = async (output: string, outputFields = '') => {
			const given = { ...parameters, output, outputFields };
			const { json, error } = await run(given, {}, { type: `x.${name}` }, { type });
			const { _result, ...fields } = json[0] ?? {};
			return error?.message ?? fields;
		};
		expect(await shown('raw')).toMatchObject(data);
		expect(await shown('simplified')).toHaveProperty(useful);
		expect(await shown('simplified')).not.toHaveProperty(other);
		expect(await shown('selected', ` id,${other}`)).toEqual({ id, [other]: data[other] });
		service.requests.splice(0);
		const refused = /^'Fields to Return' has “key”, which isn't a field\. .*The fields are id, /;
		expect(await shown('selected', 'id, key')).toMatch(refused);
		expect(service.requests).toEqual([]);
	});
});

describe.each(['constructor', '__proto__'])('a name such as %s', (name) => {
	const text = `{"${name}":"a","inner":{"${name}":"b"},"list":[{"${name}":{"${name}":1}}]}`;
	const value = JSON.parse(text) as IDataObject;
	// To compare text shows every name.
	const sentVariables = () => JSON.stringify(sentBody().variables);

	test.each<[string, INodeParameters, IDataObject]>([
		['in JSON', asJson(text), {}],
		['in an object', asJson(given), { value }],
		['of the item itself', asJson('={{ $json }}'), value],
	])('%s arrives', async (_way, parameters, item) => {
		expect((await run(parameters, item)).error).toBeUndefined();
		expect(sentVariables()).toBe(text);
	});

	test('of a column is none of a field, and arrives as a value and as a tag', async () => {
		const item = { ...JSON.parse(`{"${name}":"a"}`), id, jobTitle: name, tags: [name] };
		const { hints } = await run(automaticUpdate(byId), item);
		expect(sentBody()).toEqual({ jobTitle: name, tags: [name] });
		expect(hints.map(({ message }) => message).join()).toContain(name);
	});
});

describe('JSON', () => {
	const nested = (levels: number) => `${'{"a":['.repeat(levels / 2)}1${']}'.repeat(levels / 2)}`;

	test('that is nested 100 levels deep arrives', async () => {
		expect((await run(asJson(nested(100)))).error).toBeUndefined();
		expect(service.requests[0]).toContain(nested(100));
	});

	test.each<[string, INodeParameters]>([
		['Variables (JSON)', asJson(nested(20_000))],
		['Variables (JSON) by an expression', asJson(given)],
		['To', { ...template, to: given }],
		['Search', { ...oneRequestEach.List, filters: { search: given } }],
		['Notes', automaticUpdate(byId)],
	])('that is nested 20,000 levels deep is refused: %s', async (_name, parameters) => {
		const value = JSON.parse(nested(20_000)) as IDataObject;
		const error = await refusal(parameters, { id, value, notes: value });
		expect(error).toMatchObject({ name: 'NodeOperationError', context: { itemIndex: 0 } });
	});

	test.each([
		['a number that is none', '={{ ({ a: { b: [0, 0 / 0] } }) }}', '“NaN” for “1”'],
		['no date', '={{ ({ a: new Date("soon") }) }}', 'not a valid date for “a”'],
	])('that cannot carry a value is refused by name: %s', async (_what, variablesJson, problem) => {
		const error = await refusal(asJson(variablesJson));
		expect(error?.message).toBe("'Variables (JSON)' is incomplete");
		expect(error?.description).toContain(problem);
	});

	test.each([
		['12345678901234567890n', '"12345678901234567890"'],
		['new Date(0)', '"1970-01-01T00:00:00.000Z"'],
		['{ b: undefined, c: null }', '{"c":null}'],
	])('has %s as %s', async (value, json) => {
		expect((await run(asJson(`={{ ({ a: ${value} }) }}`))).error).toBeUndefined();
		expect(service.requests[0]).toContain(`"variables":{"a":${json}}`);
	});
});
