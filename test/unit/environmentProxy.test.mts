import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { CrmWorkspaceCredential } from '../../nodes/CrmWorkspace/transport/credential';

type Module = typeof import('../../nodes/CrmWorkspace/transport/environmentProxy');

/** As it is when n8n starts: it remembers what it found. */
let proxies: Module;

async function load(): Promise<Module> {
	jest.resetModules();
	return await import('../../nodes/CrmWorkspace/transport/environmentProxy');
}

beforeEach(async () => {
	proxies = await load();
});

const credential = (baseUrl: string): CrmWorkspaceCredential => ({
	baseUrl,
	mode: 'test',
	apiKey: 'sk_test_4f1c9d7e2a',
	authHeader: 'authorization',
	requestsPerMinute: 60,
});

const here = credential('http://127.0.0.1:8787/api/v1');
const pastProxy = { proxy: { protocol: 'http', host: '127.0.0.1', port: 8787 } };

/** What a client throws, made of the port that was asked. */
type Thrown = (port: number) => unknown;

/** A client that remembers what it was asked for, and throws. */
function client(thrown: Thrown = () => undefined) {
	const asked: Array<{ url: string; timeout: number }> = [];
	const connect = async (url: string, timeout: number) => {
		asked.push({ url, timeout });
		throw thrown(Number(new URL(url).port));
	};
	return { asked, connect };
}

const refused: Thrown = (port) => ({ code: 'ECONNREFUSED', port });

describe('a service on this machine is called directly', () => {
	test.each<[string, Thrown]>([
		['by the port itself', refused],
		['so, in an error of n8n’s client', (port) => ({ code: 'X', cause: refused(port) })],
		[
			'by each address of the host',
			(port) => ({ code: 'ECONNREFUSED', errors: [{ code: 'EPERM' }, refused(port)] }),
		],
		[
			'so, in an error of n8n’s client, too',
			(port) => ({ cause: { errors: [refused(port), refused(port)] } }),
		],
	])('where a connection to a port without anybody is refused %s', async (_by, thrown) => {
		await proxies.lookForProxy(here, client(thrown).connect);
		expect(proxies.pastProxies(here)).toEqual({});
	});
});

describe('a service on this machine is called past a proxy', () => {
	test.each<[string, Thrown]>([
		['refused by another port', (port) => ({ code: 'ECONNREFUSED', port: port + 1 })],
		['not refused', (port) => ({ code: 'ETIMEDOUT', port })],
		['refused by a port that is not told', () => ({ code: 'ECONNREFUSED' })],
		['answered with an error', () => ({ response: { status: 502 } })],
		[
			'refused by other ports only',
			(port) => ({ errors: [{ code: 'ECONNREFUSED', port: port + 1 }] }),
		],
	])('where the connection to a port without anybody is %s', async (_how, thrown) => {
		await proxies.lookForProxy(here, client(thrown).connect);
		expect(proxies.pastProxies(here)).toEqual(pastProxy);
	});

	test('where somebody answered for a port without anybody', async () => {
		await proxies.lookForProxy(here, async () => 'an answer');
		expect(proxies.pastProxies(here)).toEqual(pastProxy);
	});

	test('as long as nobody has looked', () => {
		expect(proxies.pastProxies(here)).toEqual(pastProxy);
	});

	test('under a name under which nobody has looked', async () => {
		await proxies.lookForProxy(here, client(refused).connect);
		expect(proxies.pastProxies(credential('http://localhost'))).toEqual({
			proxy: { protocol: 'http', host: 'localhost', port: 80 },
		});
	});
});

describe('the look', () => {
	test('is one short request without a key to a port where nothing listens', async () => {
		const { asked, connect } = client(refused);
		await proxies.lookForProxy(here, connect);
		expect(asked).toEqual([
			{
				url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:(4|6|8|10|12|14|16)\/$/),
				timeout: 500,
			},
		]);
	});

	test.each([
		[0, 4],
		[0.5, 10],
		[0.999, 16],
	])('goes to any of these ports: at %d to %d', async (random, port) => {
		jest.spyOn(Math, 'random').mockReturnValue(random);
		const { lookForProxy } = await load();
		jest.restoreAllMocks();
		const { asked, connect } = client(refused);
		await lookForProxy(here, connect);
		expect(asked[0].url).toBe(`http://127.0.0.1:${port}/`);
	});

	test('is made once under each name, and all wait for it', async () => {
		const { asked, connect } = client(refused);
		const looks = [here, here, credential('http://127.0.0.1:9999')];
		await Promise.all(
			looks.map(async (one) => {
				await proxies.lookForProxy(one, connect);
				expect(proxies.pastProxies(one)).toEqual({});
			}),
		);
		expect(asked).toHaveLength(1);
		await proxies.lookForProxy(credential('http://localhost:8787'), connect);
		expect(asked).toHaveLength(2);
	});

	test.each(['https://127.0.0.1:8787/api/v1', 'http://crm.example.com', 'https://crm.example.com'])(
		'is not made for %s: that is elsewhere, or encrypted',
		async (baseUrl) => {
			const { asked, connect } = client(refused);
			await proxies.lookForProxy(credential(baseUrl), connect);
			expect(asked).toEqual([]);
			expect(proxies.pastProxies(credential(baseUrl))).toEqual({});
		},
	);
});
