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
const statusesOf = (answers: Array<{ status: number }>) => answers.map(({ status }) => status);

/** The status or the resulting value of accountId, after an update with null and with empty text. */
async function clearedBy() {
	const results = [];
	for (const accountId of [null, '']) {
		await change({ accountId: unknownId });
		const { status, body } = await update({ accountId });
		results.push(status === 200 ? body.data.accountId : status);
	}
	return results;
}

/** How many of six requests per minute are accepted at once, after 50 s, and after 10 s more. */
async function accepted() {
	await control('PATCH', '/rate', { requestsPerMinute: 6 });
	const accepts = async (requests: number) => {
		const all = Array.from({ length: requests }, () => call('GET', '/widgets'));
		return statusesOf(await Promise.all(all)).filter((status) => status === 200).length;
	};
	const first = await accepts(1);
	await pass(50);
	const second = await accepts(20);
	await pass(10);
	return [first, second, await accepts(20)];
}

/** What shows the difference between the values of each variant, and what each value shows. */
const differences: Record<VariantName, [show: () => Promise<unknown>, Record<string, unknown>]> = {
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
		async () => {
			const to = ['fail', 'reject', 'bounce'].map((name) => `${name}@example.com`);
			for (const one of to) await send({ to: one, idempotencyKey: one });
			await pass(10);
			const codes = to.map((one) => codeOf({ to: one, idempotencyKey: one }));
			return (await Promise.all(codes)).map(Boolean);
		},
		{
			failed: [true, false, false],
			failedOrRejected: [true, true, false],
			failedRejectedOrBounced: [true, true, true],
		},
	],
	failedAndDifferent: [
		async () => {
			const failing = { to: 'fail@example.com', idempotencyKey };
			await send(failing);
			return await codeOf({ ...failing, subject: 'Different' });
		},
		{
			IDEMPOTENT_REPLAY: 'IDEMPOTENT_REPLAY',
			IDEMPOTENCY_KEY_REUSED: 'IDEMPOTENCY_KEY_REUSED',
		},
	],
	omittedFields: [
		async () => (await update({ phone: '1' })).body.data.lastName,
		{ kept: 'Lovelace', blanked: null },
	],
	clearingValue: [
		clearedBy,
		{ nullOrEmpty: [null, null], null: [null, 400], empty: [400, null], neither: [400, 400] },
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
	listOrder: [
		async () => {
			const contacts = [1, 2, 3, 4, 5].map((number) => ({
				firstName: String(number),
				createdAt: `2026-01-0${number}T00:00:00.000Z`,
				updatedAt: `2026-02-0${(number * 2) % 5}T00:00:00.000Z`,
			}));
			await control('PUT', '/contacts', { contacts });
			return (await page()).data.map(({ firstName }: any) => firstName).join('');
		},
		{
			createdAscending: '12345',
			createdDescending: '54321',
			updatedDescending: '24135',
			unspecified: expect.stringMatching(/^(?!12345|54321|24135)[1-5]{5}$/),
		},
	],
	searchCovers: [
		async () => {
			const contacts = [{ firstName: 'Zoë', email: 'someone@example.com', notes: 'wombat' }, {}];
			await control('PUT', '/contacts', { contacts });
			const searches = ['ZOË', 'someone@', 'wombat'].map(encodeURIComponent);
			const pages = await Promise.all(searches.map((search) => page(`?search=${search}`)));
			return pages.map(({ data }) => data.length);
		},
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
			html: expect.stringMatching(/^<!DOCTYPE html>[^]*ROUTE_NOT_FOUND/),
			empty: '',
		},
	],
	refusals: [
		async () =>
			statusesOf([
				await call('GET', '/widgets', undefined, { key: null }),
				await send({ to: 'nobody' }),
				await send({ html: '{{name}}' }),
				await send({ contactId: unknownId }),
				await send({ channelId: unknownId }),
				await call('PUT', `/contacts/${unknownId}`, {}),
				await update({ email: 'grace.hopper@example.com' }),
				await send({ html: 'x'.repeat(262_145) }),
				await send({ to: 'fail@example.com' }),
			]),
		{
			usual: [401, 400, 400, 404, 404, 404, 409, 413, 502],
			other: [403, 422, 422, 400, 422, 400, 422, 400, 422],
		},
	],
	limiter: [accepted, { fixedWindow: [1, 5, 6], slidingWindow: [1, 5, 1], tokenBucket: [1, 6, 1] }],
	rateLimitAnswer: [
		async () => {
			await control('PATCH', '/rate', { requestsPerMinute: 1 });
			await call('GET', '/widgets');
			return String((await call('GET', '/widgets')).headers['retry-after']).replace(/\d/g, '9');
		},
		{
			retryAfterSeconds: '99',
			retryAfterDate: expect.stringMatching(/^\w{3}, 99 \w{3} 9999 99:99:99 GMT$/),
			bare: 'undefined',
		},
	],
	service: [
		async () => {
			const sent = await send({ idempotencyKey });
			const none = await call('GET', '/contacts?search=nobody');
			return [
				...statusesOf([sent, await update({}), none]),
				...[sent.body.data.status, 'object' in sent.body.data, 'requestId' in sent.body],
				...[none.body.meta.pagination.totalPages, none.headers['x-ratelimit-limit']],
			];
		},
		{
			usual: [200, 200, 200, 'queued', false, false, 0, undefined],
			odd: [202, 202, 202, 'arrived', true, true, 1, '60'],
		},
	],
};

// Interface: OPEN-2, OPEN-5, OPEN-7, OPEN-8, OPEN-9, OPEN-11, OPEN-14, OPEN-15, OPEN-16, OPEN-17,
// OPEN-18, LIST-7, LIST-11, LIST-14, LIMIT-1, MESSAGE-15.
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
