import { everythingOf, logged } from '../support/keySearch.mts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { CredentialTestContext } from 'n8n-core';
import { afterEach, describe, expect, test } from '@jest/globals';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	ILoadOptionsFunctions,
	INodeParameters,
} from 'n8n-workflow';
import { CrmWorkspace } from '../../nodes/CrmWorkspace/CrmWorkspace.node';
import { oneRequestEach } from '../support/attempts.mts';
import { runNode } from '../support/engine.mts';
import { httpAnswer, startRawServer, type RawServer } from '../support/rawServer.mts';
import { automaticUpdate, byId } from '../support/updates.mts';

const key = 'sk_test_Kq7-Zx+4/1f=c9D7e2~a';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const hexOf = (one: string) => one.charCodeAt(0).toString(16);
const each = (spelling: (one: string) => string) => [...key].map(spelling).join('');

/** The ways in which a service, or what stands before it, may repeat a key. */
const forms: Record<string, string> = {
	plain: key,
	'encoded for an address': encodeURIComponent(key),
	'encoded for an address, letter by letter': each((one) => `%${hexOf(one)}`),
	'in base64': base64(key),
	'in base64, one off': base64(`x${key}`),
	'in base64, as a user and a password': base64(`user:${key}`),
	'in base64 for addresses': Buffer.from(`user:${key}:x`).toString('base64url'),
	'escaped once more': each((one) => `\\u00${hexOf(one)}`),
};

/** What of each form tells the secret: its characters beyond the prefix that every key has. */
const tellTales = Object.entries(forms).map(([name, form]) =>
	name.startsWith('in base64') ? form.slice(14, -6) : form.slice(form.length / 2, -1),
);

function expectNoKey(text: string): void {
	expect(tellTales.filter((part) => text.includes(part))).toEqual([]);
}

const stops: Array<() => Promise<void>> = [];
afterEach(async () => {
	for (const stop of stops.splice(0)) await stop();
});

async function serve(
	body: unknown,
	options: { status?: number; headers?: Record<string, string> } = {},
): Promise<RawServer> {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	const server = await startRawServer((socket) => socket.end(httpAnswer(text, options)));
	stops.push(server.stop);
	return server;
}

const credentialFor = ({ baseUrl }: RawServer, apiKey = key) => ({
	mode: 'test' as const,
	authHeader: 'authorization' as const,
	baseUrl,
	apiKey,
	requestsPerMinute: 100_000,
});

/** Runs the node until it stops, and once more so that it goes on; neither may tell the key. */
async function run(server: RawServer, parameters: INodeParameters, items: IDataObject[] = [{}]) {
	const credential = credentialFor(server);
	const stopped = await runNode({ parameters, items, credential });
	const settings = { onError: 'continueRegularOutput' as const };
	const onward = await runNode({ parameters, items, credential, settings });
	return { stopped, onward };
}

const { 'Send Transactional Email': send, List: list } = oneRequestEach;
const whole = { ...send, simplify: false };
const handedOn = { ...whole, options: { onRejected: 'output' } };

describe.each(Object.entries(forms))('beside the key, %s,', (_form, form) => {
	const neighbours: Array<[string, string]> = [
		['say "', '" now'],
		[JSON.stringify({ authorization: 'Bearer ' }).slice(0, -2), JSON.stringify({ n: '\n"' })],
		['', '\n"quoted"'],
		['C:/', '\\dir'],
	];

	test.each(neighbours)('%j and %j stay what they are', async (before, after) => {
		const text = before + form + after;
		const isWhole = (left: unknown) =>
			typeof left === 'string' && left.startsWith(before) && left.endsWith(after.trim());

		const listed = await run(await serve({ data: [{ id: '1', firstName: text }], meta: {} }), list);
		expect(listed.stopped.error).toBeUndefined();
		expect(listed.stopped.json[0].firstName).toContain('[API key]');
		expect(isWhole(listed.stopped.json[0].firstName)).toBe(true);

		const sent = await run(await serve({ data: { id: '1', status: 'sent', text } }), whole);
		expect(sent.stopped.error).toBeUndefined();

		const refusing = await serve({ message: 'Invalid', errors: [text] }, { status: 400 });
		const refused = await run(refusing, send);
		expect(everythingOf(refused.onward)).toContain('Invalid');
		expect(everythingOf(refused.onward)).not.toContain('"errors');
	});
});

describe.each(Object.entries(forms))('the key that the service repeats, %s,', (_form, form) => {
	test.each<[string, INodeParameters, unknown, object]>([
		['in the reason of a rejection', send, { data: { status: 'rejected', errorReason: form } }, {}],
		['in the status', send, { data: { status: `rejected`, error: { [form]: form } } }, {}],
		['in a record', whole, { data: { id: '1', headers: { authorization: `Basic ${form}` } } }, {}],
		['in the name of a field', whole, { data: { id: '1', [form]: 1 } }, {}],
		['in a record handed on', handedOn, { data: { status: 'rejected', error: form } }, {}],
		['in a list', list, { data: [{ id: '1', firstName: [form] }], meta: {} }, {}],
		['in an error', send, { error: { code: form, message: form } }, { status: 400 }],
		['in an error by field', send, { errors: { [form]: ['is wrong'] } }, { status: 422 }],
		['in an error of text', send, form, { status: 400 }],
		['in a page', list, `<html><title>${form}</title>`, { status: 403 }],
		[
			'in an address',
			list,
			'',
			{ status: 302, headers: { location: `https://x.example/${form}` } },
		],
		// The cuts: 500 characters of words, 100 of a code, and what is read of a body.
		['where words are cut', send, { message: 'x'.repeat(480) + form }, { status: 400 }],
		['where a code is cut', send, { code: 'x'.repeat(80) + form }, { status: 400 }],
		['where the reading ends', send, `${' '.repeat(64 * 1024 - 20)}${form}`, { status: 400 }],
	])('%s is taken out', async (_where, parameters, body, options) => {
		const server = await serve(body, options);
		const { stopped, onward } = await run(server, parameters);
		expectNoKey(everythingOf(stopped) + everythingOf(onward) + logged());
		expect(everythingOf(onward)).toMatch(/\[API key\]|No reason|no reason|rejected/);
		expect(server.requests.length).toBeGreaterThan(1);
	});

	test('in the name of a column is not in the hint', async () => {
		const server = await serve({ data: { id: '1' } });
		const items = [{ id: 'a1c5b1f6-8a40-4d0f-b9f4-0c8f3a2b1d00', notes: 'x', [form]: 'x' }];
		const { stopped } = await run(server, automaticUpdate(byId), items);
		expect(stopped.hints[0].message).toContain('[API key]');
		expectNoKey(JSON.stringify(stopped.hints));
	});

	test('in the fields of an input item is not in its error item', async () => {
		const server = await serve('no', { status: 400 });
		const { onward } = await run(server, send, [{ note: form, [form]: [{ deep: form }] }]);
		expect(onward.json[0].note).toContain('[API key]');
		expectNoKey(JSON.stringify(onward.outputs));
	});

	test('is in neither the list of contacts nor its error', async () => {
		const search = new CrmWorkspace().methods.listSearch.searchContacts;
		for (const [body, options] of [
			[{ data: [{ id: form, firstName: form }] }, {}],
			[{ message: form }, { status: 400 }],
		] as const) {
			const server = await serve(body, options);
			const found = await search
				.call(searching(server))
				.catch((error: unknown) => inspect(error, { depth: 9, showHidden: true }));
			expect(JSON.stringify(found)).toContain('[API key]');
			expectNoKey(JSON.stringify(found));
		}
	});

	test('is not in what the test of the credential says', async () => {
		const { baseUrl } = await serve({ message: form }, { status: 400 });
		const data = { ...credentialFor({ baseUrl } as RawServer) } as object;
		const result = await new CrmWorkspace().methods.credentialTest.testCredential.call(
			new CredentialTestContext(),
			{
				id: '1',
				name: 'CRM',
				type: 'crmWorkspaceApi',
				data: data as ICredentialDataDecryptedObject,
			},
		);
		expect(result.message).toContain('[API key]');
		expectNoKey(result.message);
	});
});

/** What n8n gives a method that fills a list of the editor. */
function searching(server: RawServer): ILoadOptionsFunctions {
	const credential = credentialFor(server);
	return {
		getCredentials: async () => credential,
		getNode: () => ({ name: 'CRM', parameters: {} }),
		helpers: {
			async httpRequestWithAuthentication() {
				const answer = await fetch(`${server.baseUrl}/contacts`);
				const headers = Object.fromEntries(answer.headers);
				return { statusCode: answer.status, headers, body: answer.body };
			},
		},
	} as unknown as ILoadOptionsFunctions;
}

test('nothing is added to an execution, logged or shown but by the one way out', () => {
	const folder = 'nodes/CrmWorkspace';
	const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
		file.endsWith('.ts'),
	);
	const ways = /addExecutionHints|sendMessageToUI|\blogger\b|\bconsole\b|setMetadata|customData/;
	const users = files.filter((file) => ways.test(readFileSync(join(folder, file), 'utf8')));
	expect(users).toEqual(['operations/index.ts']);
});

describe('foreign text is bounded and plain', () => {
	const address = 'http://127.0.0.1:9/x.png';
	const hostile = `<img src=${address}><a href="${address}">x</a>![x](${address})\u202e\n&#60;`;
	const huge = hostile + 'A_B'.repeat(20_000);

	test.each<[string, INodeParameters, unknown, object]>([
		['a code', send, { code: huge }, { status: 400 }],
		['a message', send, { message: huge }, { status: 400 }],
		['a text', send, huge, { status: 400 }],
		['a code in a text', send, `x ${'A_B'.repeat(20_000)}`, { status: 400 }],
		['a title', list, `<title>${huge.replaceAll('<', '')}</title>`, { status: 400 }],
		['the name of a field', send, { [huge]: ['is wrong'] }, { status: 422 }],
		['a location', list, '', { status: 302, headers: { location: address + '<b>'.repeat(2000) } }],
		['a reason', send, { data: { status: huge, errorReason: huge, error: huge } }, {}],
		['a reason that is an object', send, { data: { error: { [huge]: huge } } }, {}],
	])('%s', async (_what, parameters, body, options) => {
		const { stopped, onward } = await run(await serve(body, options), parameters);
		const { message, description, context } = stopped.error!;
		for (const text of [message, description ?? '', onward.json[0].error as string]) {
			expect(text).not.toMatch(/[<>\n\u202e]|\]\(|&#/);
			expect(text.length).toBeLessThan(2500);
		}
		expect(JSON.stringify([context, stopped.error!.stack]).length).toBeLessThan(10_000);
	});

	test('contacts to choose from', async () => {
		const contacts = [{ id: '<b>\n' }, { id: huge }, { id: '2', company: hostile }];
		const search = new CrmWorkspace().methods.listSearch.searchContacts;
		const { results } = await search.call(searching(await serve({ data: contacts })));
		expect(results.map(({ value }) => value)).toEqual(['<b>\n', '2']);
		expect(results[0].name).toBe('‹b›');
		expect(results[1].name).not.toMatch(/[<>\n\u202e]|\]\(|&#/);
	});

	test('names of columns', async () => {
		const columns = Array.from({ length: 50 }, (_, index) => [`${index}${huge}`, 'x']);
		const row = { id: 'a1c5b1f6-8a40-4d0f-b9f4-0c8f3a2b1d00', notes: 'x' };
		const server = await serve({ data: { id: '1' } });
		const items = [{ ...row, ...Object.fromEntries(columns) }];
		const { stopped } = await run(server, automaticUpdate(byId), items);
		const [{ message }] = stopped.hints;
		expect(message).toMatch(/: id, 0‹img src=.* and 41 more$/);
		expect(message).not.toMatch(/[<>\n\u202e]|\]\(|&#/);
		expect(message.length).toBeLessThan(2001);
	});
});

describe('an answer that is nested without measure', () => {
	const nest = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
	const bomb = nest(20_000);

	test.each<[string, INodeParameters, string, object]>([
		['as a list', list, `{"data":${bomb}}`, {}],
		['as a field of a contact', list, `{"data":[{"updatedAt":${bomb}}]}`, {}],
		['as a message', send, `{"data":{"id":"1","error":${bomb}}}`, {}],
		['as an updated contact', oneRequestEach['Update Contact'], `{"data":{"tags":${bomb}}}`, {}],
		['as an error', send, `{"error":${bomb}}`, { status: 400 }],
		['as an error that says success', send, `{"error":${bomb}}`, {}],
	])('%s ends in words', async (_what, parameters, body, options) => {
		const { stopped, onward } = await run(await serve(body, options), parameters);
		const text = `${stopped.error?.message} ${stopped.error?.description}`;
		expect(text).toMatch(/nested more than 100 levels deep|The service gave no reason/);
		expect(onward.json[0].error).toContain(stopped.error!.message);
	});

	test('of a depth that records have, comes out as it is', async () => {
		const server = await serve(`{"data":[{"id":"1","tags":${nest(90)}}]}`);
		const { stopped } = await run(server, list);
		expect(JSON.stringify(stopped.json[0].tags)).toBe(nest(90));
	});
});

test('a record whose fields are named like the methods of objects comes out as it is', async () => {
	const odd = { toString: 1, valueOf: 1 };
	const record = {
		id: '1',
		updatedAt: odd,
		createdAt: odd,
		email: odd,
		status: odd,
		hasOwnProperty: 1,
	};
	const server = await serve({ data: [record, record] });
	const parameters = { ...list, returnAll: true, simplify: false };
	const { stopped } = await run(server, parameters);
	expect(stopped.error).toBeUndefined();
	expect(stopped.json).toEqual([record, record]);
});
