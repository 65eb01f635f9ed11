import { expect, test } from '@jest/globals';
import { sendMessage, updateContact } from '../../nodes/CrmWorkspace/api/endpoints';
import type { Client, Request } from '../../nodes/CrmWorkspace/client/request';

const id = '7c9a1d52-6b1f-4f0e-9b1d-0c2f5a7e4d33';

/** What is asked of the service, which answers 200 with a body. */
async function asked<Result>(
	call: (connection: Client) => Promise<Result>,
	body: unknown = { data: { id } },
	{ headers = {}, since = 0 } = {},
) {
	const requests: Array<Request<unknown>> = [];
	const connection = {
		request: async (request: Request<unknown>) => {
			requests.push(request);
			return request.read({ headers, body, durationMs: 0 }, since);
		},
	};
	const result = await call(connection as unknown as Client);
	const [request] = requests;
	const { method, path, query, isIdempotent } = request;
	return { result, line: { method, path, query, body: request.body, isIdempotent } };
}

test('a send with a key is one that may be repeated', async () => {
	const message = { to: 'ada@example.com', templateSlug: 'welcome', idempotencyKey: 'k' };
	const answer = { data: { id, status: 'queued' } };
	const { line, result } = await asked((to) => sendMessage(to, message), answer);
	expect(line).toEqual({
		method: 'POST',
		path: '/transactional/send',
		body: message,
		isIdempotent: true,
	});
	expect(result).toEqual({ message: answer.data, wasSentBefore: false });
});

// Interface: KEY-2, MESSAGE-17.
test.each([
	['a minute before its first attempt', 'k', 30_000, true],
	['between its first attempt and its last one', 'k', 120_000, false],
	['before, and there was no key to know it by', undefined, 30_000, false],
])('a message that was made %s', async (_when, idempotencyKey, since, wasSentBefore) => {
	const headers = { date: 'Thu, 15 Jan 2026 12:02:00 GMT' };
	const data = { id, createdAt: '2026-01-15T12:00:30Z' };
	const send = (to: Client) => sendMessage(to, { to: 'ada@example.com', idempotencyKey });
	const { result } = await asked(send, { data }, { headers, since });
	expect(result).toEqual({ message: data, wasSentBefore });
});

// Interface: KEY-2, MESSAGE-17.
test.each([
	['before its sender began', 60_000, true],
	['after it', 120_000, false],
])('a message that was made %s', async (_when, ago, wasSentBefore) => {
	const headers = { date: 'Thu, 15 Jan 2026 12:02:00 GMT' };
	const data = { id, createdAt: '2026-01-15T12:00:30Z' };
	const message = { to: 'ada@example.com', idempotencyKey: 'k' };
	const send = async (to: Client) => await sendMessage(to, message, Date.now() - ago);
	const { result } = await asked(send, { data }, { headers });
	expect(result).toEqual({ message: data, wasSentBefore });
});

test('a send without a key is none that may be repeated', async () => {
	const message = { to: 'ada@example.com', html: '<p>Hi</p>', subject: 'Hi' };
	const { line } = await asked((to) => sendMessage(to, message));
	expect(line).toMatchObject({ body: message, isIdempotent: false });
});

test('an ID leads nowhere but to a contact', async () => {
	const { line } = await asked((to) => updateContact(to, { id: '../x?y=1' }, {}));
	expect(line.path).toBe('/contacts/..%2Fx%3Fy%3D1');
});
