import '../support/keys/everythingOf.mts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { CrmWorkspaceTrigger } from '../../nodes/CrmWorkspace/CrmWorkspaceTrigger.node';
import { oneRequestEach, requestOf, unknownContact } from '../support/engine/oneRequestEach.mts';
import { runNode, type NodeRun } from '../support/engine/runNode.mts';
import { automaticUpdate, byId, manualUpdate } from '../support/engine/updates.mts';
import {
	emptyList,
	httpAnswer,
	startRawServer,
	type RawServer,
} from '../support/sandbox/rawServer.mts';

/** What leaves the node, and what of a response comes out. */

const apiKey = 'sk_test_4f1c9d7e2a';
const names = Object.keys(oneRequestEach) as Array<keyof typeof oneRequestEach>;

let server: RawServer;
let answer: object | undefined;
beforeAll(async () => {
	// Enough for a list as well as for a send and an update.
	server = await startRawServer((socket, request) => {
		const contact = { id: unknownContact };
		const isArticles = request.includes('/articles/');
		const list = isArticles ? { data: { articles: [], totalCount: 0 } } : emptyList;
		const usual = request.startsWith('GET') ? list : { data: contact };
		socket.end(httpAnswer(JSON.stringify(answer ?? usual)));
	});
});
afterAll(async () => await server.stop());
beforeEach(() => {
	server.requests.length = 0;
	answer = undefined;
});

const run = async (parameters: INodeParameters, { credential, ...more }: Partial<NodeRun> = {}) =>
	await runNode({
		parameters,
		credential: { baseUrl: server.baseUrl, apiKey, requestsPerMinute: 100_000, ...credential },
		...more,
	});

/** The only request that came. */
function request() {
	expect(server.requests).toHaveLength(1);
	const [head, body] = server.requests[0].split('\r\n\r\n');
	const [line, ...headers] = head.split('\r\n');
	return { line, headers, body: body && (JSON.parse(body) as IDataObject) };
}

describe.each(names)('%s', (name) => {
	// Interface: HTTP-2, HTTP-3, HTTP-5, AUTH-1, AUTH-2, OPEN-12, OPEN-19.
	test('goes to its path below the Base URL, with the key in one header', async () => {
		const longKey = `sk_test_${'0123456789abcdef'.repeat(20)}A-b.c_d~e/f+g=`;
		const baseUrl = `${new URL(server.baseUrl).origin}/api/v2`;
		const { error } = await run(oneRequestEach[name], { credential: { baseUrl, apiKey: longKey } });
		expect(error).toBeUndefined();
		const { line, headers } = request();
		const [method, path] = requestOf[name].split(' ');
		expect(line.split(/[ ?]/).slice(0, 2)).toEqual([method, `/api/v2${path}`]);
		const carrying = headers.filter((header) => header.includes(longKey));
		expect(carrying).toEqual([expect.stringContaining(`Bearer ${longKey}`)]);
	});
});

// Interface: HTTP-1, HTTP-4.
test('a body is JSON', async () => {
	await run(oneRequestEach['Send Transactional Email']);
	expect(request().headers.join('\n')).toMatch(/^content-type: application\/json\b/im);
});

// Interface: OPEN-13.
test('the trigger asks: it waits for no event of the service', () => {
	const { description, ...trigger } = new CrmWorkspaceTrigger();
	expect(description.polling).toBe(true);
	expect(description).not.toHaveProperty('webhooks');
	expect(trigger).not.toHaveProperty('webhook');
});

describe('records', () => {
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

	// Interface: UPDATE-1, UPDATE-2, UPDATE-3, UPDATE-6, CONTACT-3, CONTACT-4, CONTACT-5, CONTACT-6,
	// CONTACT-7, CONTACT-8, CONTACT-9, CONTACT-10, CONTACT-11, CONTACT-12, CONTACT-13, CONTACT-14.
	test('an update has the ten fields that can be set, and gives out the contact as it is', async () => {
		answer = { data: contact };
		const parameters = { ...automaticUpdate(byId), simplify: false };
		const { json } = await run(parameters, { items: [contact] });
		expect(request().line).toContain(`PUT /api/v1/contacts/${id} `);
		expect(request().body).toEqual(settable);
		expect(json).toEqual([{ ...contact, _result: 'updated' }]);
	});

	// Interface: LIST-2, LIST-3, CONTACT-15, CONTACT-16.
	test('a contact of a list comes out as the service shows it', async () => {
		const pagination = { page: 1, limit: 10, totalCount: 1, totalPages: 1 };
		answer = { data: [contact], meta: { pagination } };
		const { json } = await run({ ...oneRequestEach.List, simplify: false });
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
		answer = { data: message };
		const { json } = await run({
			...oneRequestEach['Send Transactional Email'],
			...{ idempotency: 'custom', idempotencyKey: 'k', simplify: false },
			options: { onRejected: 'output' },
		});
		expect(json).toEqual([{ ...message, _result: 'sent' }]);
	});
});

test('a field that one of two items has is in no hint, whichever of them it is', async () => {
	const parameters = await manualUpdate(byId, { phone: '={{ $json.phone }}', notes: 'Called' });
	const items = ['+49', ''].map((phone) => ({ id: unknownContact, phone }));
	for (const both of [items, items.toReversed()]) {
		const { error, hints } = await run(parameters, { items: both });
		expect(error).toBeUndefined();
		expect(hints.map(({ message }) => message).join()).not.toContain('has a value for');
	}
});
