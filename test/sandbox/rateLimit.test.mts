import { describe, expect, test } from '@jest/globals';

import { useService, type ServiceAnswer } from './service.mts';

const service = useService();
const { call, control, variants } = service;

const ask = () => call('GET', '/widgets');
const pass = (milliseconds: number) => control('POST', '/clock', { advance: milliseconds });

async function askTimes(times: number): Promise<ServiceAnswer[]> {
	return await Promise.all(Array.from({ length: times }, ask));
}

const admitted = async (times: number) =>
	(await askTimes(times)).filter(({ status }) => status === 200).length;

describe('Limits', () => {
	// Interface: LIMIT-1, LIMIT-2.
	test('a key has 60 requests a minute, and all operations count', async () => {
		expect(await admitted(60)).toBe(60);
		for (const [method, path] of [
			['GET', '/contacts'],
			['POST', '/transactional/send'],
			['PUT', '/contacts/00000000-0000-4000-8000-000000000000'],
		]) {
			expect((await call(method, path, method === 'GET' ? undefined : {})).status).toBe(429);
		}
	});

	test('a refused request does no work', async () => {
		await control('PATCH', '/rate', { requestsPerMinute: 1 });
		await service.send();
		expect((await service.send()).status).toBe(429);
		expect(await service.inbox()).toHaveLength(1);
	});

	test('limiter fixedWindow: the whole allowance is back a minute after the first request', async () => {
		await control('PATCH', '/rate', { requestsPerMinute: 10 });
		expect(await admitted(1)).toBe(1);
		await pass(50_000);
		expect(await admitted(20)).toBe(9);
		await pass(10_000);
		expect(await admitted(20)).toBe(10);
	});

	// Interface: LIMIT-1.
	test('limiter slidingWindow: each request comes back a minute after it was made', async () => {
		await variants({ limiter: 'slidingWindow' });
		await control('PATCH', '/rate', { requestsPerMinute: 10 });
		expect(await admitted(1)).toBe(1);
		await pass(50_000);
		expect(await admitted(20)).toBe(9);
		await pass(10_000);
		expect(await admitted(20)).toBe(1);
	});

	test('limiter tokenBucket: requests come back one by one', async () => {
		await variants({ limiter: 'tokenBucket' });
		await control('PATCH', '/rate', { requestsPerMinute: 10 });
		expect(await admitted(20)).toBe(10);
		await pass(12_000);
		expect(await admitted(20)).toBe(2);
	});

	test.each(['fixedWindow', 'slidingWindow', 'tokenBucket'])(
		'limiter %s: anyone who waits as told gets through',
		async (limiter) => {
			await variants({ limiter });
			await control('PATCH', '/rate', { requestsPerMinute: 10 });
			const refused = (await askTimes(11)).find(({ status }) => status === 429)!;
			await pass(Number(refused.headers['retry-after']) * 1000);
			expect((await ask()).status).toBe(200);
		},
	);

	const wholeSeconds = (seconds: number) => {
		expect(Number.isInteger(seconds)).toBe(true);
		expect(seconds).toBeGreaterThan(0);
		expect(seconds).toBeLessThanOrEqual(62);
	};

	// Interface: OPEN-18.
	test.each([
		['retryAfterSeconds', 'retry-after', Number],
		['retryAfterDate', 'retry-after', secondsUntilDate],
		['resetHeader', 'x-ratelimit-reset', secondsUntilUnixTime],
		['resetSeconds', 'ratelimit-reset', Number],
	])(
		'rateLimitAnswer %s: the response when the rate limit is exceeded',
		async (variant, name, read) => {
			await variants({ rateLimitAnswer: variant });
			await control('PATCH', '/rate', { requestsPerMinute: 1 });
			await ask();
			const { headers } = await ask();
			wholeSeconds(Math.ceil(read(String(headers[name]))));
		},
	);

	// Interface: OPEN-18.
	test('rateLimitAnswer bare: no header tells when to come back', async () => {
		await variants({ rateLimitAnswer: 'bare' });
		await control('PATCH', '/rate', { requestsPerMinute: 1 });
		await ask();
		const { headers, body } = await ask();
		expect(Object.keys(headers).filter((name) => /retry|rate/.test(name))).toEqual([]);
		expect(body.error.code).toBe('RATE_LIMITED');
	});

	// Interface: OPEN-18.
	test('rateLimitStatus: the limit may be answered with 503', async () => {
		await variants({ rateLimitStatus: 503 });
		await control('PATCH', '/rate', { requestsPerMinute: 1 });
		await ask();
		expect((await ask()).status).toBe(503);
	});

	// Interface: OPEN-18.
	test('rateLimitHeaders: every answer may say what is left', async () => {
		await variants({ rateLimitHeaders: 'present' });
		await ask();
		const { headers } = await ask();
		expect(headers).toMatchObject({ 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '58' });
	});
});

function secondsUntilDate(date: string): number {
	expect(date).toMatch(/^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} .* GMT$/);
	return (Date.parse(date) - Date.now()) / 1000;
}

function secondsUntilUnixTime(seconds: string): number {
	return Number(seconds) - Date.now() / 1000;
}
