import { describe, expect, test } from '@jest/globals';
import {
	toArticles,
	toMessage,
	toPage,
	toRecord,
} from '../../nodes/CrmWorkspace/service/responses';
import type { HttpResponse } from '../../nodes/CrmWorkspace/transport/http';

const record = { id: '1' };

/** An answer with a body. */
const answer = (body: unknown, more: Partial<HttpResponse> = {}): HttpResponse => ({
	statusCode: 200,
	headers: {},
	body,
	durationMs: 0,
	...more,
});
const withTotal = (totalCount: unknown) => ({
	data: [record],
	meta: { pagination: { totalCount } },
});

describe('a record', () => {
	// Interface: UPDATE-6, OPEN-8.
	test.each<[unknown, object]>([
		[{ data: record }, record],
		[record, record],
		[[record], record],
		[{ data: [record] }, record],
		[{ data: [record, record] }, {}],
		[{ data: [] }, {}],
		[{ data: null }, {}],
		[{ data: 'OK' }, {}],
		['OK', {}],
		[null, {}],
		[undefined, {}],
	])('of %j', (body, expected) => {
		expect(toRecord({ body })).toEqual(expected);
	});
});

describe('a message', () => {
	const refused = 'Insufficient credit';

	// Interface: SEND-26, OPEN-8.
	test.each<[unknown, object]>([
		[{ data: { id: '1', status: 'queued' } }, { id: '1', status: 'queued' }],
		[{ data: [{ id: '1' }] }, { id: '1' }],
		[{ id: '1' }, { id: '1' }],
		[[{ id: '1' }], { id: '1' }],
		[{ data: { status: 'queued' } }, { status: 'queued' }],
		[{ data: { messageId: 'm' } }, { messageId: 'm' }],
		[{ data: { idempotencyKey: 'k' } }, { idempotencyKey: 'k' }],
		[{ data: { to: 'ada@example.com' } }, { to: 'ada@example.com' }],
		[{ data: { sentAt: '2026-01-15T12:00:00Z' } }, { sentAt: '2026-01-15T12:00:00Z' }],
		[{ data: { errorReason: refused } }, { errorReason: refused }],
		[{ data: { status: 'failed', error: refused } }, { status: 'failed', error: refused }],
		[{ success: true, data: { id: '1' } }, { id: '1' }],
		[
			{ ok: 'yes', id: '1' },
			{ ok: 'yes', id: '1' },
		],
		[{ status: 'success', data: { id: '1' } }, { id: '1' }],
		[{ error: null, errors: [], data: { id: '1' } }, { id: '1' }],
	])('is in %j', (body, message) => {
		expect(toMessage(answer(body))).toEqual(message);
	});

	test.each<[string, HttpResponse]>([
		['an empty body', answer(undefined)],
		['an empty body with 202', answer(undefined, { statusCode: 202 })],
		['no content', answer(undefined, { statusCode: 204 })],
		['no content, with a body anyway', answer('x', { statusCode: 204 })],
	])('was taken, and nothing more is known, by %s', (_what, taken) => {
		expect(toMessage(taken)).toEqual({});
	});

	test.each([
		'Hello',
		'OK',
		'',
		null,
		true,
		7,
		{},
		[],
		{ message: 'Unauthorized' },
		{ status: 'ok' },
		{ status: 'error', message: 'Template not found' },
		{ status: 200 },
		{ error: 'x' },
		{ errors: [{ message: 'x' }] },
		{ statusCode: 500, message: 'Internal', data: null },
		{ data: {} },
		{ data: [] },
		{ data: [{ id: '1' }, { id: '2' }] },
		{ data: false },
		{ data: null },
		{ data: null, status: 'queued' },
		{ data: null, id: '1' },
		{ data: 'queued' },
		{ data: { status: 7 } },
		{ data: { id: null, sentAt: null } },
		{ data: { id: '' } },
		{ data: { error: { message: 'x' } } },
		{ data: { send: null }, errors: [{ message: 'x' }] },
		[{ status: 'queued' }],
		{ success: false },
		{ success: false, data: { id: '1' } },
		{ success: 'false', id: '1' },
		{ success: 'No', data: { status: 'queued' } },
		{ ok: false, id: '1' },
	])('is not in %j, and a success would be a lie', (body) => {
		expect(toMessage(answer(body))).toBeUndefined();
	});
});

describe('a page', () => {
	// Interface: LIST-6.
	test.each<[unknown, number | undefined]>([
		[250, 250],
		[1, 1],
		['250', 250],
		['', undefined],
		['many', undefined],
		[-1, undefined],
		[1.5, undefined],
		[null, undefined],
		[undefined, undefined],
	])('whose totalCount is %j', (totalCount, expected) => {
		const page = toPage(answer(withTotal(totalCount)));
		expect(page).toMatchObject({ records: [record] });
		expect(page?.totalCount).toBe(expected);
	});

	// Interface: LIST-6, LIST-7.
	test.each<[object, object]>([
		[
			{ totalCount: 3, totalPages: 2 },
			{ totalCount: 3, totalPages: 2 },
		],
		[
			{ totalCount: 2, totalPages: 1 },
			{ totalCount: 2, totalPages: 1 },
		],
		[
			{ totalCount: 2, totalPages: 3 },
			{ totalCount: 2, totalPages: 3 },
		],
		[{ totalCount: 1, totalPages: 1 }, {}],
		[{ totalCount: 0, totalPages: 0 }, {}],
		[{ totalPages: 3 }, { totalPages: 3 }],
		[{ totalPages: 0 }, {}],
	])('of two records is not believed where it counts fewer: %j', (pagination, expected) => {
		const body = { data: [record, record], meta: { pagination } };
		const { totalCount, totalPages } = toPage(answer(body))!;
		expect({ totalCount, totalPages }).toEqual(expected);
	});

	test('of nothing is believed that there is nothing', () => {
		const meta = { pagination: { totalCount: 0, totalPages: 0 } };
		expect(toPage(answer({ data: [], meta }))).toMatchObject({ totalCount: 0, totalPages: 0 });
	});

	// Interface: WHOLE-2.
	test.each([
		{ data: [record] },
		{ data: [record], meta: null },
		{ data: [record], meta: [] },
		[record],
	])('without its meta: %j', (body) => {
		expect(toPage(answer(body))).toMatchObject({ records: [record] });
		expect(toPage(answer(body))?.totalCount).toBeUndefined();
	});

	// Interface: OPEN-10.
	test('may hold what is no record', () => {
		const { records } = toPage(answer({ data: [record, 'Billing', null, ['a']] }))!;
		expect(records).toEqual([record, { value: 'Billing' }, { value: null }, { value: ['a'] }]);
	});

	test.each([{}, { data: {} }, { data: null }, { data: 'OK' }, 'OK', null, undefined])(
		'is not to be found in %j',
		(body) => {
			expect(toPage(answer(body))).toBeUndefined();
		},
	);

	test('that has no content is empty', () => {
		expect(toPage(answer(undefined, { statusCode: 204 }))).toEqual({ records: [] });
	});

	test('tells since when it is so, by the clock of the service', () => {
		const headers = { date: 'Thu, 15 Jan 2026 12:00:10 GMT' };
		const asked = Date.UTC(2026, 0, 15, 12, 0, 8);
		expect(toPage(answer([], { headers, durationMs: 1500 }))).toMatchObject({ asOf: asked });
		expect(toPage(answer([], { headers, durationMs: 2000 }))).toMatchObject({ asOf: asked });
		expect(toPage(answer([], { durationMs: 1500 }))).toMatchObject({ asOf: undefined });
	});
});

describe('the answer to a search of articles', () => {
	// Interface: ARTICLE-2, ARTICLE-3.
	test('has a shape of its own', () => {
		const body = { data: { articles: [record, 'Title'], totalCount: '12' } };
		const expected = { records: [record, { value: 'Title' }], totalCount: 12 };
		expect(toArticles(answer(body))).toEqual(expected);
	});

	test('is taken, too, in the shape of the other lists', () => {
		expect(toArticles(answer(withTotal(3)))).toMatchObject({ records: [record], totalCount: 3 });
		expect(toArticles(answer(undefined, { statusCode: 204 }))).toMatchObject({ records: [] });
	});

	test.each([{}, { data: { articles: record } }, { data: { totalCount: 3 } }, null, 'OK'])(
		'is not to be found in %j',
		(body) => {
			expect(toArticles(answer(body))).toBeUndefined();
		},
	);
});
