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

const run = async (parameters: INodeParameters, value: string) =>
	await runNode({
		parameters,
		items: [{ value, id: '7c9a1d52-6b1f-4f0e-9b1d-0c2f5a7e4d33', email: value } as IDataObject],
		credential: { baseUrl: service.baseUrl, apiKey: 'sk_test_1', requestsPerMinute: 100_000 },
	});
const sent = () => {
	expect(service.requests).toHaveLength(1);
	const bytes = Buffer.from(service.requests[0].split('\r\n\r\n')[1], 'latin1');
	return JSON.parse(bytes.toString()) as any;
};

const given = '={{ $json.value }}';
const template = oneRequestEach['Send Transactional Email'];
const inline = { ...template, content: 'html', subject: given, html: '<p>Hello</p>' };
const additional = (name: string) => ({ ...template, additionalFields: { [name]: given } });
const filled = (subject: string) => ({
	...{ ...inline, subject },
	variables: { variable: [{ name: 'title', value: given }] },
});
const update = oneRequestEach['Update Contact'];

/** What goes into the head of a message: its name in errors, and a node where it is given. */
const heads: Array<[string, INodeParameters, string]> = [
	['Subject', inline, 'subject'],
	['Subject', additional('subject'), 'subject'],
	['From Name', additional('fromName'), 'fromName'],
	['The variable “title” of the subject', filled('About {{title}}'), ''],
	['The variable “title” of the subject', filled('{{ title | it }}'), ''],
];

describe.each(heads)('%s (%#)', (displayName, parameters, name) => {
	test.each([
		['Hello\r\nBcc: eve@example.com', 'a line break at character 6'],
		['Hello\nBcc: eve@example.com', 'a line break at character 6'],
		['Hello\rBcc: eve@example.com', 'a line break at character 6'],
		['Hello\u2028Bcc: eve@example.com', 'a line break at character 6'],
		['Hello\u0085Bcc: eve@example.com', 'a line break at character 6'],
		['Hello\0', 'the control character U+0000 at character 6'],
		['Hello 👩\ud83d', 'half a character (U+D83D) at character 8'],
	])('with %j is refused before any request', async (value, character) => {
		const { error } = await run(parameters, value);
		expect(error).toMatchObject({
			name: 'NodeOperationError',
			message: `${displayName} has ${character}`,
			description: expect.stringContaining('head of the message'),
			context: { itemIndex: 0 },
		});
		expect(service.requests).toEqual([]);
	});

	test.each(['👩\u200d🔬 co\u00adoperate', 'نامه\u200cای', '\u2067שלום\u2069', 'a\tb'])(
		'with %j is sent',
		async (value) => {
			expect((await run(parameters, value)).error).toBeUndefined();
			if (name) expect(sent()[name]).toBe(value);
			else expect(sent().variables.title).toBe(value);
		},
	);

	test('is sent without the line break at its end', async () => {
		if (!name) return;
		expect((await run(parameters, ' Hello \r\n')).error).toBeUndefined();
		expect(sent()[name]).toBe('Hello');
	});
});

test.each([[['a\r\nBcc: eve@example.com']], [{ a: { b: 'x\ny' } }], [{ 'x\ny': 1 }]])(
	'the subject gets no line break from within %j',
	async (value) => {
		const variablesJson = JSON.stringify({ title: value });
		const parameters = { ...inline, variablesInput: 'json', variablesJson };
		const { error } = await run(parameters, 'About {{title}}');
		expect(error?.message).toMatch(/^The variable “title” of the subject .*a line break/);
		expect(service.requests).toEqual([]);
	},
);

test('a variable that is not in the subject may have lines', async () => {
	const { error } = await run({ ...filled('Hello'), html: '{{title}}' }, 'one\ntwo');
	expect(error).toBeUndefined();
	expect(sent().variables.title).toBe('one\ntwo');
});

/** Each address: its name in errors, and a node where it is given. */
const addresses: Array<[string, INodeParameters]> = [
	['To', { ...template, to: given }],
	['Reply To', additional('replyTo')],
	['Contact', { ...update, contact: { __rl: true, mode: 'email', value: given } }],
	['Email', automaticUpdate(byId)],
];

describe.each(addresses)('%s', (displayName, parameters) => {
	test.each([
		['a\0da@example.com', 'has the control character U+0000 at character 2'],
		['ada@example.com\0', 'has the control character U+0000 at character 16'],
		['ada@example.com\r\nBcc: eve@example.com', 'has a line break at character 16'],
		['ada\u200b@example.com', 'has the invisible character U+200B at character 4'],
		['ada@exam\u00adple.com', 'has the invisible character U+00AD at character 9'],
		['a\u2066da@example.com', 'has the invisible character U+2066 at character 2'],
		['\u202emoc.elpmaxe@ada', 'has the invisible character U+202E at character 1'],
		['ada@example.com\u202d', 'has the invisible character U+202D at character 16'],
		['ada@example.com\ud83d', 'has half a character (U+D83D) at character 16'],
		['Ada <ada@example.com>', 'is not an email address'],
		['<ada@example.com>', 'is not an email address'],
		['"ada"@example.com', 'is not an email address'],
		['ada@example.com (Ada)', 'is not an email address'],
		['ada@[127.0.0.1]', 'is not an email address'],
		['=?utf-8?q?eve=40example.com=3e?=@example.com', 'is not an email address'],
		['ada\uff20eve.com@example.com', 'is more than one address'],
		['ada@example.com\uff0ceve@example.com', 'is more than one address'],
		['ada@example.com,eve@example.com', 'is more than one address'],
		['ada@example.com;eve', 'is more than one address'],
		['ada@example.com eve@example.com', 'is more than one address'],
	])('%j is refused before any request', async (value, problem) => {
		const { error } = await run(parameters, value);
		expect(error?.message).toBe(`${displayName} ${problem}`);
		expect(service.requests).toEqual([]);
	});
});

test.each([
	['\u200b\u202a ada@example.com\u202c\ufeff\u00a0\n', 'ada@example.com'],
	['ada%eve.com@example.com', 'ada%eve.com@example.com'],
	['ada%0d%0aBcc@example.com', 'ada%0d%0aBcc@example.com'],
	['jürgen@exämple.de', 'jürgen@exämple.de'],
	['info@نامه\u200cای.example', 'info@نامه\u200cای.example'],
])('%j is the one recipient %j', async (value, address) => {
	expect((await run({ ...template, to: given }, value)).error).toBeUndefined();
	expect(sent().to).toBe(address);
});

test.each(['\u202e7c9a1d52-6b1f-4f0e-9b1d-0c2f5a7e4d33', '..', '%2e%2e', 'a/b', '', '?', '.'])(
	'the path to a contact is never made of %j',
	async (value) => {
		await run({ ...update, contact: { __rl: true, mode: 'id', value: given } }, value);
		const id = '7c9a1d52-6b1f-4f0e-9b1d-0c2f5a7e4d33';
		const paths = service.requests.map((request) => request.split(' ')[1]);
		expect(paths).toEqual(value.endsWith(id) ? [`/api/v1/contacts/${id}`] : []);
	},
);
