import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { listContacts, sendMessage } from '../../nodes/CrmWorkspace/service/crmWorkspace';
import type { Connection } from '../../nodes/CrmWorkspace/transport/connection';
import { RequestFailure } from '../../nodes/CrmWorkspace/transport/failure';
import { connectionTo, ended, endingsOf, type Answer } from '../support/simulated/connections.mts';

/** What one request of a run has learned, those after it know. */

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] }));
afterEach(() => void jest.useRealTimers());

const minute = 60_000;

const list = async (connection: Connection) =>
	await listContacts(connection, { page: 1, limit: 1 });

const atOnce = async (connection: Connection, count: number) =>
	await endingsOf(Array.from({ length: count }, async () => await list(connection)));

/** Makes so many requests, five at a time, whatever comes of them. */
async function inTurns(connection: Connection, count: number): Promise<any[]> {
	const errors: any[] = [];
	let begun = 0;
	const worker = async () => {
		while (begun++ < count) await list(connection).catch((error) => errors.push(error));
	};
	await Promise.all(Array.from({ length: 5 }, worker));
	return errors;
}

/** Answers that speak of the key. */
const finalAnswers: Array<[string, Answer]> = [
	['401', { status: 401 }],
	[
		'403 with the code INVALID_API_KEY',
		{ status: 403, body: { error: { code: 'INVALID_API_KEY' } } },
	],
	['403 in words', { status: 403, body: { message: 'Your API key has been revoked' } }],
];

describe.each([60, 1])(
	'once the service has refused the key, at %i requests a minute',
	(perMinute) => {
		test.each(finalAnswers)(
			'those that wait for a permit end at once (%s)',
			async (_what, finalAnswer) => {
				const { connection, asked } = connectionTo(() => ({ ...finalAnswer, after: 300 }), {
					requestsPerMinute: perMinute,
				});
				const begunAt = performance.now();
				const endings = await ended(atOnce(connection, 200), 10 * minute).finally(() =>
					connection.close(),
				);
				for (const { error } of endings) {
					expect(error).toBeInstanceOf(RequestFailure);
					expect(error.details.statusCode).toBe(finalAnswer.status);
				}
				// Those that were under way when the first answer came.
				expect(asked.filter(({ at }) => at >= begunAt + 300).length).toBe(0);
				expect(Math.max(...endings.map(({ at }) => at - begunAt))).toBeLessThan(1000);
			},
		);
	},
);

test.each(finalAnswers)(
	'%s: no request of the run is made after it',
	async (_what, finalAnswer) => {
		const { connection, asked } = connectionTo(() => finalAnswer, { requestsPerMinute: 100_000 });
		const errors = await ended(inTurns(connection, 1000));
		expect(errors.map(({ details }) => details.statusCode)).toEqual(
			Array.from({ length: 1000 }, () => finalAnswer.status),
		);
		expect(asked.length).toBeLessThanOrEqual(5);
		connection.close();
	},
);

test.each<[string, Answer]>([
	['403 about something else', { status: 403, body: { message: 'This contact is locked' } }],
	['403 without a word', { status: 403 }],
	['404', { status: 404, body: { message: 'Not found' } }],
	['422', { status: 422, body: { message: 'The key of this record is too long' } }],
])('%s is said of one request: the others are made', async (_what, answer) => {
	const { connection, asked } = connectionTo(() => answer, { requestsPerMinute: 100_000 });
	await ended(inTurns(connection, 100));
	expect(asked).toHaveLength(100);
	connection.close();
});

test('another run asks again: the key may have been mended at the service', async () => {
	let isRefused = true;
	const { connection, another } = connectionTo(() => (isRefused ? { status: 401 } : {}));
	await expect(ended(list(connection))).rejects.toThrow(RequestFailure);
	connection.close();
	isRefused = false;
	const next = another();
	await expect(ended(list(next))).resolves.toMatchObject({ records: [] });
	next.close();
});

test.each([
	['a broken connection', 'ECONNRESET'],
	['a timeout', 'ETIMEDOUT'],
])('what was in doubt by %s is still in doubt when the key is refused', async (_what, fault) => {
	const answer = (_index: number, _page: number, to?: string): Answer =>
		to === 'ada@example.com' ? { fault } : { status: 401, after: 800 };
	const { connection, asked } = connectionTo(answer, { requestsPerMinute: 2 });
	const begunAt = performance.now();
	const send = async (to: string) => await sendMessage(connection, { to, idempotencyKey: to });
	const sent = endingsOf([send('ada@example.com'), send('grace@example.com')]);
	const [ada, grace] = await ended(sent, 10 * minute).finally(() => connection.close());
	expect(grace.error.details).toMatchObject({ statusCode: 401 });
	expect(grace.error.details.earlier).toBeUndefined();
	expect(ada.error.details).toMatchObject({ statusCode: 401, earlier: { networkCode: fault } });
	expect(ada.at - begunAt).toBeLessThan(2000);
	expect(asked).toHaveLength(2);
});

describe('a port that refuses connections', () => {
	const refused = { fault: 'ECONNREFUSED' };

	test('ends a run after a minute, however many items it has', async () => {
		const { connection, asked } = connectionTo(() => refused);
		const begunAt = performance.now();
		const errors = await ended(inTurns(connection, 10_000), 10 * minute).finally(() =>
			connection.close(),
		);
		expect(errors).toHaveLength(10_000);
		for (const { details } of errors) expect(details.networkCode).toBe('ECONNREFUSED');
		expect(performance.now() - begunAt).toBeGreaterThanOrEqual(minute);
		expect(performance.now() - begunAt).toBeLessThan(1.5 * minute);
		// In a minute each of five has time for some twenty times five.
		expect(asked.length).toBeLessThan(1500);
	});

	test('and opens again in less costs the items that were under way, and none after them', async () => {
		const [from, until] = [10_000, 30_000];
		const begunAt = performance.now();
		const at = () => performance.now() - begunAt;
		const { connection } = connectionTo(
			() => (at() > from && at() < until ? refused : { after: 100 }),
			{ requestsPerMinute: 60 },
		);
		const errors = await ended(inTurns(connection, 300), 60 * minute).finally(() =>
			connection.close(),
		);
		// As many as with any other fault that passes: five attempts take some four seconds.
		expect(errors.length).toBeLessThan(100);
		expect(errors.every(({ details }) => details.attempts === 5)).toBe(true);
	});

	test.each([
		['announced', 1000],
		['not announced', 0],
	])(
		'takes no permit: a run after it has its sixty requests at once (%s)',
		async (_how, announced) => {
			let isListening = false;
			const { connection, asked, another } = connectionTo(() => (isListening ? {} : refused));
			connection.announce(announced);
			await ended(inTurns(connection, 1000), 10 * minute).finally(() => connection.close());
			isListening = true;
			const before = asked.length;
			const next = another();
			next.announce(announced && 60);
			const listed = atOnce(next, 60);
			await jest.advanceTimersByTimeAsync(1000);
			next.close();
			expect(asked.length - before).toBe(60);
			expect((await listed).filter(({ error }) => error)).toHaveLength(0);
		},
	);
});
