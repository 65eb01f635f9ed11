import { everythingOf, forgetLogged, logged } from '../support/keys/everythingOf.mts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { oneRequestEach, unknownContact } from '../support/engine/oneRequestEach.mts';
import { chooseContact } from '../support/engine/chooseContact.mts';
import { runNode } from '../support/engine/runNode.mts';
import { testCredential } from '../support/engine/testCredential.mts';
import { longestPieceIn } from '../support/keys/keySpellings.mts';
import { Polled } from '../support/engine/polledNode.mts';
import { httpAnswer, startRawServer, type RawServer } from '../support/sandbox/rawServer.mts';

/** What leaves the node as its own words: errors, hints, and what n8n stores and logs of them. */

const key = 'sk_test_Kq7-Zx+4/1f=c9D7e2~a';

const stops: Array<() => Promise<void>> = [];
afterEach(async () => {
	for (const stop of stops.splice(0)) await stop();
});

interface Options {
	status?: number;
	headers?: Record<string, string>;
}

async function serve(body: unknown, options: Options = {}): Promise<RawServer> {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	const server = await startRawServer((socket) => socket.end(httpAnswer(text, options)));
	stops.push(server.stop);
	return server;
}

const credentialFor = ({ baseUrl }: RawServer) => ({
	mode: 'test' as const,
	authHeader: 'authorization' as const,
	baseUrl,
	apiKey: key,
	requestsPerMinute: 100_000,
});

/** Runs the node until it stops, and once more so that it goes on. */
async function run(
	server: RawServer,
	parameters: INodeParameters,
	{ items = [{}] }: { items?: IDataObject[] } = {},
) {
	const credential = credentialFor(server);
	const stopped = await runNode({ parameters, items, credential });
	const settings = { onError: 'continueRegularOutput' as const };
	const onward = await runNode({ parameters, items, credential, settings });
	return { stopped, onward };
}

const { 'Send Transactional Email': send, List: list } = oneRequestEach;

describe('the key that the service repeats is in no error, in nothing that n8n stores of it, and in no log:', () => {
	/** Where the key is in an answer, the operation that gets it, and the answer. */
	type Place = [string, INodeParameters, unknown, Options?];

	/** What is left of the key after such an answer. */
	async function leak([, parameters, body, options = {}]: Place) {
		const server = await serve(body, options);
		forgetLogged();
		const { stopped, onward } = await run(server, parameters);
		expect(stopped.error?.message).toMatch(/\w/);
		expect(onward.json[0].error).toMatch(/\w/);
		return longestPieceIn(everythingOf(stopped) + everythingOf(onward) + logged(), key);
	}

	const hex = (sign: string) => sign.charCodeAt(0).toString(16);
	const escaped = key.replace(/./g, (sign) => `\\u00${hex(sign)}`);
	const spellings = [
		key.toUpperCase(),
		key.replace(/./g, (sign) => `%${hex(sign)}`),
		escaped,
		escaped.replaceAll('\\', '\\\\'),
		key.replaceAll('_', '\\_'),
	];
	const rejected = (more: object) => ({ data: { id: '1', status: 'rejected', ...more } });
	const location = `https://x.example/${key}`;
	const longWait = { 'retry-after': '86400' };

	test.each<Place>([
		['in a message', send, { error: { message: key } }, { status: 400 }],
		['among other words', send, { message: `Not ${key}, please` }, { status: 400 }],
		['in any spelling', send, { message: spellings.join() }, { status: 400 }],
		['in a code', send, { code: key, message: 'No' }, { status: 400 }],
		['by field', send, { errors: { [key]: ['is wrong'] } }, { status: 422 }],
		['in a plain text', send, `Unknown key ${key}`, { status: 401 }],
		['in JSON within a text', send, { message: `{"auth":"${key}"}` }, { status: 400 }],
		['in a conflict', send, { code: 'IDEMPOTENT_REPLAY', message: key }, { status: 409 }],
		['in the title of a page', list, `<title>${key}</title>`, { status: 403 }],
		['in a page that says success', list, `<title>${key}</title>`],
		['in an error that says success', send, { error: { message: key } }],
		['in the address of a redirect', list, '', { status: 302, headers: { location } }],
		['beside a long wait', send, key, { status: 429, headers: longWait }],
		['in the reason of a rejection', send, rejected({ errorReason: key })],
		['in the error of a rejection', send, rejected({ error: `No: ${key}` })],
		['in an error with fields', send, rejected({ error: { [key]: key } })],
		['in what may be a rejection', send, { data: { id: '1', error: key } }],
	])('%s', async (...place) => {
		expect(await leak(place)).toBe('');
	});

	test.each<[string, number, (before: string) => unknown, Options]>([
		['a message', 500, (before) => ({ message: before + key }), { status: 400 }],
		['a code', 100, (before) => ({ code: before + key }), { status: 400 }],
		['a plain text', 500, (before) => before + key, { status: 400 }],
		['a title', 500, (before) => `<title>${before}${key}</title>`, { status: 400 }],
		['a text that says success', 500, (before) => before + key, {}],
		['a reason', 500, (before) => rejected({ errorReason: before + key }), {}],
		['a long body', 10_000, (before) => before + key, { status: 400 }],
	])('not by half where %s is cut', async (what, longest, bodyAfter, options) => {
		const sign = longest > 500 ? ' ' : 'x';
		for (const left of [5, 14, 20, 27]) {
			const body = bodyAfter(sign.repeat(longest - left));
			expect(await leak([what, send, body, options])).toBe('');
		}
	});

	test.each([0, 490])(
		'in a value that the service stored, after %i other characters',
		async (count) => {
			const before = 'x'.repeat(count);
			const server = await serve({ data: { id: unknownContact, jobTitle: before + key } });
			const { stopped } = await run(server, oneRequestEach['Update Contact']);
			const hints = stopped.hints.map(({ message }) => message).join();
			expect(hints).toContain("'Job Title' “Analyst” became");
			expect(longestPieceIn(hints, key)).toBe('');
		},
	);

	test('what stands beside it can be read', async () => {
		const server = await serve({ message: `Invalid: say "${key}" now` }, { status: 400 });
		const { stopped } = await run(server, send);
		expect(stopped.error?.description).toContain('Invalid: say "[API key]" now');
	});
});

test.each([
	['of the other mode', key.replace('test', 'live')],
	['with quotes', `"${key}"`],
])('a key %s is refused, and is in no error and no log', async (_what, apiKey) => {
	forgetLogged();
	const credential = { ...credentialFor(await serve('')), apiKey };
	const result = await runNode({ parameters: send, credential });
	expect(result.error?.message).toMatch(/^'API Key' in the credential is/);
	expect(longestPieceIn(everythingOf(result) + logged(), key)).toBe('');
});

describe('the key is not in what the editor shows:', () => {
	test.each<[string, (server: RawServer) => Promise<unknown>]>([
		['the list of contacts', async ({ baseUrl }) => await chooseContact(baseUrl, key)],
		['the test of the credential', async (server) => await testCredential(credentialFor(server))],
		[
			'a poll',
			async (server) => {
				const parameters = { events: ['contactCreated'] };
				return await new Polled({ credential: credentialFor(server), parameters }).poll();
			},
		],
	])('%s', async (_what, show) => {
		const server = await serve({ message: `Not ${key}` }, { status: 400 });
		const shown = await show(server).catch((thrown: unknown) => thrown);
		const all = inspect(shown, { depth: 9, showHidden: true });
		expect(all).toContain('[API key]');
		expect(longestPieceIn(all, key)).toBe('');
	});
});

test('hints are the only way to show or log anything', () => {
	const folder = 'nodes/CrmWorkspace';
	const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
		file.endsWith('.ts'),
	);
	const ways = /addExecutionHints|sendMessageToUI|\blogger\b|\bconsole\b|setMetadata|customData/;
	const users = files.filter((file) => ways.test(readFileSync(join(folder, file), 'utf8')));
	expect(users).toEqual(['n8n/errors.ts']);
});

describe('foreign text is bounded and plain', () => {
	const address = 'http://127.0.0.1:9/x.png';
	const hostile = `<img src=${address}><a href="${address}">x</a>\n`;
	const huge = hostile + 'A_B'.repeat(20_000);

	test.each<[string, INodeParameters, unknown, object]>([
		['a code', send, { code: huge }, { status: 400 }],
		['a message', send, { message: huge }, { status: 400 }],
		['a text', send, huge, { status: 400 }],
		['a text that says success', send, huge, {}],
		['a title', list, `<title>${huge.replaceAll('<', '')}</title>`, { status: 400 }],
		['the name of a field', send, { [huge]: ['is wrong'] }, { status: 422 }],
		['a location', list, '', { status: 302, headers: { location: address + '<b>'.repeat(2000) } }],
		['a reason', send, { data: { status: huge, errorReason: huge, error: huge } }, {}],
		['a reason that is an object', send, { data: { error: { [huge]: huge } } }, {}],
	])('%s', async (_what, parameters, body, options) => {
		const { stopped, onward } = await run(await serve(body, options), parameters);
		const { message, description, context } = stopped.error!;
		for (const text of [message, description ?? '', onward.json[0].error as string]) {
			expect(text).not.toMatch(/[<>\n]/);
			expect(text.length).toBeLessThan(2500);
		}
		expect(JSON.stringify([context, stopped.error!.stack]).length).toBeLessThan(10_000);
	});

	test('contacts to choose from', async () => {
		const contacts = [{ id: '<b>\n' }, { id: '2', company: hostile + huge }];
		const { baseUrl } = await serve({
			data: contacts,
			meta: { pagination: { page: 1, limit: 50, totalCount: 2, totalPages: 1 } },
		});
		const { results } = await chooseContact(baseUrl, key);
		expect(results.map(({ value }) => value)).toEqual(['<b>\n', '2']);
		expect(results[0].name).toBe('‹b›');
		expect(results[1].name).not.toMatch(/[<>\n]/);
		expect(results[1].name.length).toBeLessThan(200);
	});
});
