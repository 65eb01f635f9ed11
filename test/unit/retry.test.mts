import { describe, expect, test } from '@jest/globals';
import { computeRetryDelay, RetryQuota } from '../../nodes/CrmWorkspace/client/failure';
import { answered, lost, unsent } from '../support/simulated/attempts.mts';

const state = { attempt: 1, isIdempotent: true, waitLeftMs: 600_000 };

describe('the delay before a retry', () => {
	test.each<[string, object, object, number, number | undefined]>([
		['exponential backoff with full jitter', answered(503), {}, 0.5, 250],
		['twice as long each time', answered(503), { attempt: 4 }, 0.5, 2000],
		['none after the fifth attempt', answered(503), { attempt: 5 }, 0.5, undefined],
		['nor if it says when', answered(503, { retryAfterMs: 5000 }), { attempt: 5 }, 0, undefined],
		['as long as the service asks', answered(503, { retryAfterMs: 5000 }), {}, 0.5, 5000],
		[
			'none if the service asks for too long',
			answered(429, { retryAfterMs: 600_001 }),
			{},
			0,
			undefined,
		],
		['a 429 costs no attempt', answered(429), { attempt: 9 }, 0, 0],
		['none for a 4xx', answered(422), {}, 0, undefined],
		['none for a 501', answered(501), {}, 0, undefined],
		['a broken connection', lost, {}, 0, 0],
		[
			'no retry of a send without a key after 503',
			answered(503),
			{ isIdempotent: false },
			0,
			undefined,
		],
		['nor after a broken connection', lost, { isIdempotent: false }, 0, undefined],
		['but after no connection', unsent, { isIdempotent: false }, 0, 0],
		['and after a 429', answered(429), { isIdempotent: false }, 0, 0],
	])('%s', (_what, failed, more, random, delayMs) => {
		expect(computeRetryDelay(failed as never, { ...state, ...more }, random)).toBe(delayMs);
	});
});

describe('the retry quota of a run', () => {
	const failing = (times: number, quota = new RetryQuota()) => {
		for (let time = 0; time < times; time++) quota.record(false, time * 1000);
		return quota;
	};

	test('allows retries until a hundred attempts have failed', () => {
		expect(failing(99).allowsRetry).toBe(true);
		expect(failing(100).allowsRetry).toBe(false);
	});

	test('holds while one of seven attempts fails', () => {
		const quota = new RetryQuota();
		for (let attempt = 0; attempt < 10_000; attempt++) quota.record(attempt % 7 !== 0, attempt);
		expect(quota.allowsRetry).toBe(true);
	});

	test('ends a run after five minutes without a success', () => {
		expect(failing(300).isOutage(299_000)).toBe(false);
		expect(failing(300).isOutage(300_000)).toBe(true);
		const quota = failing(300);
		quota.record(true, 300_000);
		expect(quota.isOutage(300_000)).toBe(false);
		// A slow request alone has its five attempts, however long they take.
		expect(failing(5).isOutage(3_600_000)).toBe(false);
	});
});
