import { describe, expect, test } from '@jest/globals';
import { request } from 'undici';
import { collections } from '../support/sandbox/collections.mts';
import { inlineMessage, useService } from './service.mts';

const service = useService();

/** Each operation, with a body of which it makes something. */
const operations = [
	{ method: 'POST', path: '/transactional/send', body: inlineMessage },
	{ method: 'PUT', path: '/contacts/{id}', body: {} },
	...Object.values(collections).map(({ path }) => ({ method: 'GET', path, body: undefined })),
];

async function pathOf(path: string): Promise<string> {
	const [{ id }] = await service.contacts();
	return path.replace('{id}', id);
}

describe('the operations', () => {
	// Interface: HTTP-1, HTTP-2, HTTP-5, SEND-1, UPDATE-1, LIST-12, WORK-2.
	test.each(operations)('$method $path answers in JSON', async ({ method, path, body }) => {
		const answer = await service.call(method, await pathOf(path), body);
		expect(answer.status).toBe(200);
		expect(answer.headers['content-type']).toMatch(/^application\/json\b/);
		expect(answer.body).toMatchObject({ data: expect.anything() });
	});

	// Interface: HTTP-2, HTTP-3.
	test.each(operations)('$method $path is below the version only', async ({ method, path }) => {
		const { baseUrl, testKey } = service.sandbox;
		expect(new URL(baseUrl).pathname).toBe('/api/v1');
		const url = new URL(await pathOf(path), baseUrl);
		const headers = { authorization: `Bearer ${testKey}` };
		expect((await request(url, { method, headers } as object)).statusCode).toBe(404);
	});

	// Interface: SEND-4.
	test('a message is sent to someone who has complained of one, too', async () => {
		const to = 'complain@example.com';
		await service.send({ to });
		await service.control('POST', '/clock', { advance: 60_000 });
		await service.send({ to });
		expect(await service.inbox()).toHaveLength(2);
	});
});
