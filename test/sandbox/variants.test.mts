import { expect, test } from '@jest/globals';

import { variantDefinitions, variantNames, type VariantName } from '../../sandbox/variants.mts';
import { unknownId, useService } from './service.mts';

const beginning = { contacts: 130, requestsPerMinute: 60 };
const service = useService(beginning);
const { call, control, send } = service;

const idempotencyKey = 'k';
const ada = async () => (await service.contacts())[0];
const update = async (fields: object) => call('PUT', `/contacts/${(await ada()).id}`, fields);
const change = async (fields: object) => control('PATCH', `/contacts/${(await ada()).id}`, fields);
const page = async (query = '') => (await call('GET', `/contacts${query}`)).body;
const articles = (query: string) => call('GET', `/knowledge-base/articles/search${query}`);
const pass = (seconds: number) => control('POST', '/clock', { advance: seconds * 1000 });
const codeOf = async (fields: object) => (await send(fields)).body.error?.code;

/** The status or the resulting value of accountId, after an update with null and with empty text. */
async function clearedBy(): Promise<unknown[]> {
	const results = [];
	for (const accountId of [null, '']) {
		await change({ accountId: unknownId });
		const { status, body } = await update({ accountId });
		results.push(status === 200 ? body.data.accountId : status);
	}
	return results;
}

/** Whether originals that failed, were rejected or bounced count as failed. */
async function countedAsFailed(): Promise<unknown[]> {
	const sends = ['fail', 'reject', 'bounce'].map((name) => ({
		to: `${name}@example.com`,
		idempotencyKey: name,
	}));
	for (const fields of sends) await send(fields);
	await pass(10);
	return [await codeOf(sends[0]), await codeOf(sends[1]), await codeOf(sends[2])].map(Boolean);
}

/** The places of five contacts in a list. */
async function order(): Promise<string> {
	const contacts = [1, 2, 3, 4, 5].map((number) => ({
		firstName: String(number),
		createdAt: `2026-01-0${number}T00:00:00.000Z`,
		updatedAt: `2026-02-0${(number * 2) % 5}T00:00:00.000Z`,
	}));
	await control('PUT', '/contacts', { contacts });
	return (await page()).data.map(({ firstName }: any) => firstName).join('');
}

/** How many contacts a search finds by a part of name, email and notes. */
async function found(): Promise<number[]> {
	const contacts = [{ firstName: 'Zoë', email: 'someone@example.com', notes: 'wombat' }, {}];
	await control('PUT', '/contacts', { contacts });
	const searches = ['ZOË', 'someone@', 'wombat'].map(encodeURIComponent);
	const pages = await Promise.all(searches.map((search) => page(`?search=${search}`)));
	return pages.map(({ data }) => data.length);
}

async function statusesOfRefusals(): Promise<number[]> {
	const email = 'grace.hopper@example.com';
	const refused = [
		await call('GET', '/widgets', undefined, { key: null }),
		await send({ to: 'nobody' }),
		await send({ html: '{{name}}' }),
		await send({ contactId: unknownId }),
		await send({ channelId: unknownId }),
		await call('PUT', `/contacts/${unknownId}`, {}),
		await update({ email }),
		await send({ html: 'x'.repeat(262_145) }),
		await send({ to: 'fail@example.com' }),
	];
	await control('PATCH', '/rate', { requestsPerMinute: 1 });
	await call('GET', '/widgets');
	return [...refused, await call('GET', '/widgets')].map(({ status }) => status);
}

/** How many of six requests per minute are accepted at once, after 50 s, and after 10 s more. */
async function accepted(): Promise<number[]> {
	await control('PATCH', '/rate', { requestsPerMinute: 6 });
	const counts = [];
	for (const [requests, secondsBefore] of [
		[1, 0],
		[20, 50],
		[20, 10],
	]) {
		await pass(secondsBefore);
		const all = Array.from({ length: requests }, () => call('GET', '/widgets'));
		counts.push((await Promise.all(all)).filter(({ status }) => status === 200).length);
	}
	return counts;
}

async function throttled(): Promise<string> {
	await control('PATCH', '/rate', { requestsPerMinute: 1 });
	await call('GET', '/widgets');
	return String((await call('GET', '/widgets')).headers['retry-after']).replace(/\d/g, '9');
}

async function peculiarities(): Promise<unknown> {
	const message = (await send({ idempotencyKey })).body;
	const list = await call('GET', '/contacts?search=nobody');
	return {
		status: message.data.status,
		fields: ['object' in message.data, 'requestId' in message],
		list: [list.status, list.body.meta.pagination.totalPages],
		limit: list.headers['x-ratelimit-limit'],
	};
}

/** What shows the difference between the values of each variant, and what each value shows. */
const differences: Record<VariantName, [show: () => Promise<unknown>, Record<string, unknown>]> = {
	sendStatus: [
		async () => {
			const { status, body } = await send();
			return [status, typeof body, (await service.inbox()).length];
		},
		{ 200: [200, 'object', 1], 204: [204, 'string', 1] },
	],
	replayedMessage: [
		async () => {
			await send({ idempotencyKey });
			await pass(10);
			return (await send({ idempotencyKey })).body.data.status;
		},
		{ current: 'delivered', asAnswered: 'queued' },
	],
	sendFailureAnswer: [
		async () => {
			const { status, body } = await send({ to: 'fail@example.com' });
			return [status, body.data?.status];
		},
		{ error: [502, undefined], message: [200, 'failed'] },
	],
	originalsThatFailed: [
		countedAsFailed,
		{
			failed: [true, false, false],
			failedOrRejected: [true, true, false],
			failedRejectedOrBounced: [true, true, true],
		},
	],
	failedAndDifferent: [
		async () => {
			await send({ to: 'fail@example.com', idempotencyKey });
			return await codeOf({ to: 'fail@example.com', idempotencyKey, subject: 'Different' });
		},
		{
			IDEMPOTENT_REPLAY: 'IDEMPOTENT_REPLAY',
			IDEMPOTENCY_KEY_REUSED: 'IDEMPOTENCY_KEY_REUSED',
		},
	],
	updateStatus: [async () => (await update({})).status, { 200: 200, 204: 204 }],
	updateAnswer: [
		async () => {
			const { data = {} } = (await update({ phone: '1' })).body;
			return [Object.keys(data).length, data.phone];
		},
		{ record: [14, '1'], changedFields: [3, '1'], emptyObject: [0, undefined] },
	],
	omittedFields: [
		async () => (await update({ phone: '1' })).body.data.lastName,
		{ kept: 'Lovelace', blanked: null },
	],
	clearingValue: [
		clearedBy,
		{
			nullOrEmpty: [null, null],
			null: [null, 400],
			empty: [400, null],
			neither: [400, 400],
		},
	],
	nullInUpdate: [clearedBy, { value: [null, null], omitted: [unknownId, null] }],
	missingValues: [
		async () => {
			await change({ notes: null, tags: null });
			const { notes, tags } = (await update({})).body.data;
			return [notes, tags, (await send()).body.data.sentAt];
		},
		{ null: [null, null, null], absent: [], empty: ['', [], ''] },
	],
	listedContacts: [
		async () => Object.keys((await page()).data[0]).length,
		{ whole: 14, short: 12 },
	],
	listOrder: [
		order,
		{
			createdAscending: '12345',
			createdDescending: '54321',
			updatedDescending: '24135',
			unspecified: expect.stringMatching(/^(?!12345|54321|24135)[1-5]{5}$/),
		},
	],
	listCounts: [
		async () => (await page()).meta?.pagination,
		{
			both: { page: 1, limit: 20, totalCount: 130, totalPages: 7 },
			totalCount: { page: 1, limit: 20, totalCount: 130 },
			neither: undefined,
		},
	],
	pageSizeMaximum: [
		async () => (await page('?limit=100')).meta.pagination.limit,
		{ 100: 100, 50: 50, 7: 7 },
	],
	pagePastEnd: [
		async () => [
			(await call('GET', '/contacts?page=7')).status,
			(await call('GET', '/contacts?page=8')).status,
		],
		{ empty: [200, 200], 404: [200, 404] },
	],
	searchCovers: [
		found,
		{
			namesAndEmail: [1, 1, 0],
			everyField: [1, 1, 1],
			nothingOfEmail: [1, 0, 1],
			ignored: [2, 2, 2],
		},
	],
	articleSearchParameter: [
		async () => {
			await service.variants({ articleSearchWithoutTerm: 'nothing' });
			const names = ['q', 'search', 'query', 'term'];
			const answers = await Promise.all(names.map((name) => articles(`?${name}=billing`)));
			return names.filter((_, index) => answers[index].body.data.totalCount === 8);
		},
		{ q: ['q'], search: ['search'], query: ['query'], term: ['term'] },
	],
	articleSearchWithoutTerm: [
		async () => {
			const { status, body } = await articles('?another=billing');
			return body.data?.totalCount ?? status;
		},
		{ everything: 40, nothing: 0, rejected: 400 },
	],
	articleLimitMaximum: [
		async () => (await articles('?limit=40')).body.data.articles.length,
		{ none: 40, 25: 25 },
	],
	clockOffset: [
		async () => {
			const { createdAt } = (await send()).body.data;
			const { date } = (await call('GET', '/widgets')).headers;
			const hoursAhead = (time: unknown) =>
				Math.round((Date.parse(String(time)) - Date.now()) / 3_600_000) || 0;
			return [hoursAhead(createdAt), hoursAhead(date)];
		},
		{ 0: [0, 0], 3600: [1, 1], '-3600': [-1, -1] },
	],
	timestamps: [
		async () => {
			const widget = { id: '1', createdAt: '2026-01-31T23:30:00.750Z', dueAt: 'never' };
			await control('PUT', '/records/widgets', { records: [widget] });
			const { createdAt, dueAt } = (await call('GET', '/widgets')).body.data[0];
			return [createdAt, dueAt];
		},
		{
			milliseconds: ['2026-01-31T23:30:00.750Z', 'never'],
			seconds: ['2026-01-31T23:30:00Z', 'never'],
			absent: [undefined, 'never'],
		},
	],
	errorBody: [
		async () => (await call('GET', '/nothing')).body,
		{
			nested: { error: { code: 'ROUTE_NOT_FOUND', message: expect.any(String) } },
			flat: { code: 'ROUTE_NOT_FOUND', message: expect.any(String) },
			array: { errors: [{ code: 'ROUTE_NOT_FOUND', message: expect.any(String) }] },
			html: expect.stringMatching(/^<!DOCTYPE html>[^]*ROUTE_NOT_FOUND/),
			empty: '',
		},
	],
	// Two codes are the same under each value.
	errorCodes: [
		async () => {
			await send({ idempotencyKey });
			return [await codeOf({ to: 'nobody' }), await codeOf({ idempotencyKey, subject: 'Other' })];
		},
		{
			upperCase: ['VALIDATION_ERROR', 'IDEMPOTENCY_KEY_REUSED'],
			lowerCase: ['validation_error', 'IDEMPOTENCY_KEY_REUSED'],
			absent: [undefined, 'IDEMPOTENCY_KEY_REUSED'],
		},
	],
	refusals: [
		statusesOfRefusals,
		{
			usual: [401, 400, 400, 404, 404, 404, 409, 413, 502, 429],
			other: [403, 422, 422, 400, 422, 400, 422, 400, 422, 503],
		},
	],
	limiter: [accepted, { fixedWindow: [1, 5, 6], slidingWindow: [1, 5, 1], tokenBucket: [1, 6, 1] }],
	rateLimitAnswer: [
		throttled,
		{
			retryAfterSeconds: '99',
			retryAfterDate: expect.stringMatching(/^\w{3}, 99 \w{3} 9999 99:99:99 GMT$/),
			bare: 'undefined',
		},
	],
	service: [
		peculiarities,
		{
			usual: {
				status: 'queued',
				fields: [false, false],
				list: [200, 0],
				limit: undefined,
			},
			odd: { status: 'arrived', fields: [true, true], list: [206, 1], limit: '60' },
		},
	],
};

// Interface: OPEN-2, OPEN-5, OPEN-6, OPEN-7, OPEN-8, OPEN-9, OPEN-11, OPEN-14, OPEN-15, OPEN-16,
// OPEN-17, OPEN-18, LIST-5, LIST-7, LIST-11, LIST-13, LIST-14, LIMIT-1, ERROR-3, MESSAGE-15.
test.each(variantNames)('each value of %s makes a difference', async (name) => {
	const [show, expected] = differences[name];
	const { allowed } = variantDefinitions[name];
	expect(new Set(Object.keys(expected))).toEqual(new Set(allowed.map(String)));
	expect((await control('GET', '/variants'))[name]).toBe(allowed[0]);
	for (const value of allowed) {
		const variants = { [name]: value };
		await control('POST', '/reset', { ...beginning, variants });
		expect([value, await show()]).toEqual([value, expected[String(value)]]);
	}
});

test('variants that do not exist are rejected, with the known ones', async () => {
	await expect(control('PATCH', '/variants', { toString: 1 })).rejects.toThrow('sendStatus');
	const rejected = control('POST', '/reset', { variants: { updateStatus: 500 } });
	await expect(rejected).rejects.toThrow(/updateStatus.*Allowed: 200, 204/);
});
