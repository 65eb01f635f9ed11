import { expect, test } from '@jest/globals';
import {
	sendMessage,
	toContact,
	toPage,
	updateContact,
} from '../../nodes/CrmWorkspace/api/endpoints';
import type { Client, Request } from '../../nodes/CrmWorkspace/client/request';

const date = 'Thu, 15 Jan 2026 12:02:00 GMT';

/** A client of a service that answers 200 with a body, and the paths that it was asked for. */
function clientOf(body: unknown, sinceMs = 0) {
	const paths: string[] = [];
	const request = async (asked: Request<unknown>) => {
		paths.push(asked.path);
		return asked.read({ headers: { date }, body, durationMs: 0 }, sinceMs);
	};
	return { client: { request } as unknown as Client, paths };
}

// Interface: KEY-2, MESSAGE-17.
test.each([
	['a minute before its first attempt', 'k', 30_000, undefined, true],
	['between its first attempt and its last one', 'k', 120_000, undefined, false],
	['before, and there was no key to know it by', undefined, 30_000, undefined, false],
	['before its sender began', 'k', 0, 60_000, true],
	['after its sender began', 'k', 0, 120_000, false],
])('a message that was made %s', async (_when, idempotencyKey, sinceMs, agoMs, wasSentBefore) => {
	const data = { id: '1', createdAt: '2026-01-15T12:00:30Z' };
	const message = { to: 'ada@example.com', idempotencyKey };
	const began = agoMs && Date.now() - agoMs;
	const sent = await sendMessage(clientOf({ data }, sinceMs).client, message, began);
	expect(sent).toEqual({ message: data, wasSentBefore });
});

test('an ID with ../ or ? stays within the path of an update', async () => {
	const { client, paths } = clientOf({});
	await updateContact(client, { id: '../x?y=1' }, {});
	expect(paths).toEqual(['/contacts/..%2Fx%3Fy%3D1']);
});

// Interface: CONTACT-3.
test('a contact has its ID in any case', () => {
	const data = { id: '1A', notes: 'x' };
	expect(toContact({ headers: {}, body: { data }, durationMs: 0 }, '1a')).toEqual(data);
});

test('a page is as the list was when it was requested, by the clock of the service', () => {
	const body = { data: [], meta: { pagination: { totalCount: 0, totalPages: 0 } } };
	const asOf = Date.UTC(2026, 0, 15, 12, 1, 58);
	expect(toPage({ headers: { date }, body, durationMs: 1500 })).toMatchObject({ asOf });
	expect(toPage({ headers: { date }, body, durationMs: 2000 })).toMatchObject({ asOf });
	expect(toPage({ headers: {}, body, durationMs: 1500 })?.asOf).toBeUndefined();
});
