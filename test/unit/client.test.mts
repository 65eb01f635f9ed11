import { expect, test } from '@jest/globals';
import { HttpClient } from '../../nodes/CrmWorkspace/client/client';
import type { RawResponse, Send } from '../../nodes/CrmWorkspace/client/request';

const answer = (statusCode: number, body: unknown): RawResponse => ({
	statusCode,
	headers: {},
	text: JSON.stringify(body),
});

test('the client needs nothing but something that sends', async () => {
	const answers = [answer(503, {}), answer(200, { data: 'done' })];
	const sent: unknown[] = [];
	const send: Send = async (request) => {
		sent.push(request);
		return answers.shift()!;
	};
	const target = { host: 'example.com', mode: 'test' as const };
	const limits = { requestsPerMinute: 100, timeoutMs: 1000 };
	const who = { apiKey: 'secret', account: 'alone', execution: '1', target };
	const client = new HttpClient({ send, ...who, ...limits });
	const purpose = { undone: 'Not done', unknown: 'Perhaps done' };
	const request = { method: 'GET', path: '/x', purpose, isIdempotent: true } as const;
	const read = ({ body }: { body: unknown }) => (body as { data: string }).data;
	await expect(client.request({ ...request, read })).resolves.toBe('done');
	expect(sent).toMatchObject([request, request]);
	client.close();
});
