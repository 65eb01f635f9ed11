import { describe, expect, test } from '@jest/globals';
import {
	toArticles,
	toContact,
	toMessage,
	toPage,
	toRecords,
} from '../../nodes/CrmWorkspace/api/endpoints';
import type { HttpResponse } from '../../nodes/CrmWorkspace/client/request';

const record = { id: '1' };

const respond = (body: unknown, more: Partial<HttpResponse> = {}): HttpResponse => ({
	headers: {},
	body,
	durationMs: 0,
	...more,
});

const nothing = [null, true, 7, 'OK', {}, [], { data: null }, { data: 'OK' }, { error: 'x' }];

describe('a message', () => {
	// Interface: SEND-26, MESSAGE-1.
	test.each<[object, object]>([
		[{ data: { id: '1', status: 'queued' } }, { id: '1', status: 'queued' }],
		[{ data: { messageId: 'm' } }, { messageId: 'm' }],
		[{ data: { errorReason: 'No credit' } }, { errorReason: 'No credit' }],
		[
			{ requestId: 7, data: { id: '1', links: {} } },
			{ id: '1', links: {} },
		],
	])('is in %j', (body, message) => {
		expect(toMessage(respond(body))).toEqual(message);
	});

	test.each([
		...nothing,
		record,
		[record],
		{ data: [record] },
		{ data: {} },
		{ data: { id: '' } },
		{ data: { id: null, sentAt: null } },
		{ data: { ok: true } },
		{ status: 'error', message: 'Template not found' },
	])('is not in %j', (body) => {
		expect(toMessage(respond(body))).toBeUndefined();
	});
});

describe('an updated contact', () => {
	// Interface: UPDATE-6, CONTACT-3.
	test.each([
		['with its ID', '1a'],
		['with its ID in another case', '1A'],
	])('is the one that was asked for, %s', (_how, id) => {
		expect(toContact(respond({ data: { id, notes: 'x' } }), '1a')).toEqual({ id, notes: 'x' });
	});

	test.each([
		...nothing,
		record,
		[record],
		{ data: [record] },
		{ data: { notes: 'x' } },
		{ data: { id: '2' } },
		{ data: { id: 1 } },
		{ success: false },
	])('is not in %j', (body) => {
		expect(toContact(respond(body), '1')).toBeUndefined();
	});
});

describe('a page of contacts', () => {
	const page = (data: unknown, totalCount: unknown, totalPages: unknown) => ({
		data,
		meta: { pagination: { page: 1, limit: 100, totalCount, totalPages } },
	});

	// Interface: LIST-2, LIST-6, LIST-7.
	test.each([
		[[record], 250, 3],
		[[record], 1, 1],
		[[], 0, 0],
		[[], 0, 1],
	])('has %j, and counts %d records on %d pages', (data, totalCount, totalPages) => {
		const read = toPage(respond(page(data, totalCount, totalPages)));
		expect(read).toMatchObject({ records: data, totalCount, totalPages });
	});

	test.each([
		...nothing,
		[record],
		{ data: [record] },
		{ data: [record], meta: null },
		{ data: [record], meta: [] },
		page([record], undefined, 1),
		page([record], 1, undefined),
		page([record], '1', 1),
		page([record], 1.5, 1),
		page([record], -1, 1),
		page([record], 1, 2),
		page([{ name: 'x' }], 1, 1),
		page([{ id: 1 }], 1, 1),
		page([record, null], 2, 1),
		page({ 0: record }, 1, 1),
	])('is not in %j', (body) => {
		expect(toPage(respond(body))).toBeUndefined();
	});

	test('is as the list was when it was asked for, by the clock of the service', () => {
		const body = page([], 0, 0);
		const headers = { date: 'Thu, 15 Jan 2026 12:00:10 GMT' };
		const asOf = Date.UTC(2026, 0, 15, 12, 0, 8);
		expect(toPage(respond(body, { headers, durationMs: 1500 }))).toMatchObject({ asOf });
		expect(toPage(respond(body, { headers, durationMs: 2000 }))).toMatchObject({ asOf });
		expect(toPage(respond(body, { durationMs: 1500 }))?.asOf).toBeUndefined();
	});
});

describe('a list without pages', () => {
	// Interface: WHOLE-1, WHOLE-2.
	test.each([[[]], [[record]], [[{ name: 'x' }]]])('has %j', (data) => {
		expect(toRecords(respond({ data }))).toEqual(data);
	});

	test.each([...nothing, [record], { data: record }, { data: [record, 'Billing'] }])(
		'is not in %j',
		(body) => {
			expect(toRecords(respond(body))).toBeUndefined();
		},
	);
});

describe('a search of articles', () => {
	// Interface: ARTICLE-2, ARTICLE-3.
	test('has a shape of its own', () => {
		const body = { data: { articles: [record], totalCount: 12 } };
		expect(toArticles(respond(body))).toEqual({ records: [record], totalCount: 12 });
	});

	test.each([
		...nothing,
		{ data: [record] },
		{ data: { articles: record, totalCount: 1 } },
		{ data: { articles: [record] } },
		{ data: { articles: ['Title'], totalCount: 1 } },
		{ data: { totalCount: 3 } },
	])('is not in %j', (body) => {
		expect(toArticles(respond(body))).toBeUndefined();
	});
});
