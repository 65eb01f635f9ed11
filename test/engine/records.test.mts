import { expect, test } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { oneRequestEach, unknownContact } from '../support/engine/oneRequestEach.mts';
import { runNode } from '../support/engine/runNode.mts';
import { httpAnswer, startRawServer } from '../support/sandbox/rawServer.mts';
import { automaticUpdate, byId } from '../support/engine/updates.mts';

/** Runs the node against a server that gives one answer; what came out, and what was asked. */
async function served(answer: object, parameters: INodeParameters, items: IDataObject[] = [{}]) {
	const server = await startRawServer((socket) => socket.end(httpAnswer(JSON.stringify(answer))));
	try {
		const { baseUrl, requests } = server;
		const credential = { baseUrl, apiKey: 'sk_test_4f1c9d7e2a', requestsPerMinute: 100_000 };
		const result = await runNode({ parameters, items, credential });
		expect(result.error).toBeUndefined();
		const [head, body] = requests[0].split('\r\n\r\n');
		return { json: result.json, head, body: body && JSON.parse(body) };
	} finally {
		await server.stop();
	}
}

const id = unknownContact;
const settable = {
	firstName: 'Ada',
	lastName: 'Lovelace',
	email: 'ada@example.com',
	phone: '+44 20 7946 0000',
	company: 'Engines Ltd',
	jobTitle: 'Analyst',
	accountId: '22222222-2222-4222-8222-222222222222',
	source: 'partner',
	tags: ['vip', 'new'],
	notes: 'Wrote the first program',
};
const contact = {
	id,
	companyId: '11111111-1111-4111-8111-111111111111',
	...settable,
	createdAt: '2026-01-31T08:00:00.000Z',
	updatedAt: '2026-02-01T08:00:00.000Z',
};

// Interface: UPDATE-1, UPDATE-2, UPDATE-3, CONTACT-4, CONTACT-5, CONTACT-6, CONTACT-7, CONTACT-8,
// CONTACT-9, CONTACT-10, CONTACT-11, CONTACT-12, CONTACT-13, CONTACT-14.
test('an update has the ten fields that can be set, and no other', async () => {
	const { head, body } = await served({ data: {} }, automaticUpdate(byId), [contact]);
	expect(head).toContain(`PUT /api/v1/contacts/${id} `);
	expect(body).toEqual(settable);
});

// Interface: UPDATE-4.
test.each(Object.entries(settable))('an update may have nothing but %s', async (name, value) => {
	const { body } = await served({ data: {} }, automaticUpdate(byId), [{ id, [name]: value }]);
	expect(body).toEqual({ [name]: value });
});

// Interface: UPDATE-6, CONTACT-3, CONTACT-4, CONTACT-5, CONTACT-6, CONTACT-7, CONTACT-8, CONTACT-9,
// CONTACT-10, CONTACT-11, CONTACT-12, CONTACT-13, CONTACT-14, CONTACT-15, CONTACT-16.
test('a contact that was updated comes out as the service shows it', async () => {
	const parameters = { ...automaticUpdate(byId), simplify: false };
	const { json } = await served({ data: contact }, parameters, [{ id, notes: 'x' }]);
	expect(json).toEqual([{ ...contact, _result: 'updated' }]);
});

// Interface: LIST-2, LIST-3, CONTACT-3, CONTACT-4, CONTACT-5, CONTACT-6, CONTACT-7, CONTACT-8,
// CONTACT-9, CONTACT-10, CONTACT-11, CONTACT-12, CONTACT-13, CONTACT-14, CONTACT-15, CONTACT-16.
test('a contact of a list comes out as the service shows it', async () => {
	const meta = { pagination: { page: 1, limit: 10, totalCount: 1, totalPages: 1 } };
	const { json } = await served(
		{ data: [contact], meta },
		{ ...oneRequestEach.List, simplify: false },
	);
	expect(json).toEqual([contact]);
});

// Interface: SEND-26, MESSAGE-1, MESSAGE-2, MESSAGE-3, MESSAGE-4, MESSAGE-5, MESSAGE-6, MESSAGE-7,
// MESSAGE-8, MESSAGE-9, MESSAGE-11, MESSAGE-12, MESSAGE-13, MESSAGE-14, MESSAGE-15, MESSAGE-16,
// MESSAGE-17, MESSAGE-18, MESSAGE-19, MESSAGE-20, MESSAGE-21, MESSAGE-22, OPEN-2, OPEN-3, OPEN-4.
test('a message comes out as the service shows it, with whatever status, bounce and source', async () => {
	const message = {
		id,
		status: 'parked',
		to: 'ada@example.com',
		subject: 'Hello Ada',
		templateSlug: 'welcome',
		from: 'care@example.com',
		fromName: 'Care',
		replyTo: 'reply@example.com',
		messageId: '<1@provider.example>',
		idempotencyKey: 'k',
		source: 'batch',
		attemptCount: 3,
		error: '452 try later',
		errorReason: 'mailbox full',
		bounceType: 'Transient',
		createdAt: '2026-01-31T08:00:00.000Z',
		sentAt: '2026-01-31T08:00:01.000Z',
		deliveredAt: '2026-01-31T08:00:02.000Z',
		bouncedAt: '2026-01-31T08:00:03.000Z',
		complainedAt: '2026-01-31T08:00:04.000Z',
	};
	const { json } = await served(
		{ data: message },
		{
			...oneRequestEach['Send Transactional Email'],
			idempotency: 'custom',
			idempotencyKey: 'k',
			simplify: false,
			options: { onRejected: 'output' },
		},
	);
	expect(json).toEqual([{ ...message, _result: 'sent' }]);
});
