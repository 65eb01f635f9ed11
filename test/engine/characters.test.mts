import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { oneRequestEach, unknownContact } from '../support/engine/oneRequestEach.mts';
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
const update = oneRequestEach['Update Contact'];

/** What goes into the head of a message: its name in errors, and a node where it is given. */
const heads: Array<[string, INodeParameters, string]> = [
	['Subject', inline, 'subject'],
	['Subject', additional('subject'), 'subject'],
	['From Name', additional('fromName'), 'fromName'],
];

describe.each(heads)('%s (%#)', (displayName, parameters, name) => {
	test.each(['Hello\r\nBcc: eve@example.com', 'Hello\u2028Bcc: eve@example.com', 'Hel\0lo'])(
		'with %j is refused before any request',
		async (value) => {
			const { error } = await run(parameters, value);
			expect(error).toMatchObject({
				name: 'NodeOperationError',
				message: `'${displayName}' has a line break or control character`,
				description: expect.stringContaining('single line'),
				context: { itemIndex: 0 },
			});
			expect(service.requests).toEqual([]);
		},
	);

	test.each(['👩\u200d🔬 co\u00adoperate', 'نامه\u200cای', 'a \u2067שלום\u2069!', 'a\tb'])(
		'with %j is sent',
		async (value) => {
			expect((await run(parameters, value)).error).toBeUndefined();
			expect(sent()[name]).toBe(value);
		},
	);

	test('is sent without the line break at its end', async () => {
		expect((await run(parameters, ' Hello \r\n')).error).toBeUndefined();
		expect(sent()[name]).toBe('Hello');
	});
});

test('a variable may have lines', async () => {
	const variables = { variable: [{ name: 'title', value: given }] };
	const { error } = await run({ ...template, variables }, 'one\ntwo');
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

test.each(addresses)('an address of two in %s is refused', async (displayName, parameters) => {
	const { error } = await run(parameters, 'ada@example.com\r\nBcc: eve@example.com');
	expect(error?.message).toBe(`'${displayName}' has an invisible character`);
	expect(service.requests).toEqual([]);
});

test.each([
	['a\0da@example.com', 'has an invisible character'],
	['ada\u200b@example.com', 'has an invisible character'],
	['ada@exam\u00adple.com', 'has an invisible character'],
	['a\u2066da@example.com', 'has an invisible character'],
	['ada@example.com\ud83d', 'has an invisible character'],
	['Ada <ada@example.com>', "isn't an email address"],
	['<ada@example.com>', "isn't an email address"],
	['"ada"@example.com', "isn't an email address"],
	['ada@example.com (Ada)', "isn't an email address"],
	['ada@[127.0.0.1]', "isn't an email address"],
	['ada@example.com,eve@example.com', 'is more than one address'],
	['ada@example.com;eve', 'is more than one address'],
	['ada@example.com eve@example.com', 'is more than one address'],
])('the address %j is refused before any request', async (value, problem) => {
	const { error } = await run({ ...template, to: given }, value);
	expect(error?.message).toContain(`'To' ${problem}`);
	expect(service.requests).toEqual([]);
});

test.each([
	['\u200b ada@example.com\ufeff\u00a0\n', 'ada@example.com'],
	['\u202aada@example.com\u202c\0', 'ada@example.com'],
	['ada%eve.com@example.com', 'ada%eve.com@example.com'],
	['ada%0d%0aBcc@example.com', 'ada%0d%0aBcc@example.com'],
	['jürgen@exämple.de', 'jürgen@exämple.de'],
	['info@نامه\u200cای.example', 'info@نامه\u200cای.example'],
])('%j is the one recipient %j', async (value, address) => {
	expect((await run({ ...template, to: given }, value)).error).toBeUndefined();
	expect(sent().to).toBe(address);
});

test.each([`\u202e.${unknownContact}`, '..', '%2e%2e', 'a/b', '', '?', '.'])(
	'the path to a contact is never made of %j',
	async (value) => {
		const { error } = await run(
			{ ...update, contact: { __rl: true, mode: 'id', value: given } },
			value,
		);
		expect(error?.message).toMatch(/^'Contact' (isn't a UUID: .*|is empty)$/);
		expect(service.requests).toEqual([]);
	},
);
