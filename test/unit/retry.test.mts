import { describe, expect, test } from '@jest/globals';
import { computeRetryDelay, RetryQuota } from '../../nodes/CrmWorkspace/client/failure';
import { answered, lost, unsent } from '../support/simulated/attempts.mts';

const state = { attempt: 1, isIdempotent: true, waitLeftMs: 600_000 };

const once = { isIdempotent: false };
const asks = answered(503, { retryAfterMs: 5000 });
const asksTooMuch = answered(429, { retryAfterMs: 600_001 });

test.each<[string, object, object, number, number | undefined]>([
	['half a second at most, after a 503', answered(503), {}, 0.5, 250],
	['twice as long each time', answered(503), { attempt: 4 }, 0.5, 2000],
	['no time after the fifth attempt', answered(503), { attempt: 5 }, 0.5, undefined],
	['no time after the fifth, if the service asks for one', asks, { attempt: 5 }, 0, undefined],
	['as long as the service asks', asks, {}, 0.5, 5000],
	['no time if the service asks for too much', asksTooMuch, {}, 0, undefined],
	['a wait after any 429', answered(429), { attempt: 9 }, 0, 0],
	['no time after a 4xx', answered(422), {}, 0, undefined],
	['no time after a 501', answered(501), {}, 0, undefined],
	['a wait after a broken connection', lost, {}, 0, 0],
	['no time after a send without a key and a 503', answered(503), once, 0, undefined],
	['no time after a send without a key and a 408', answered(408), once, 0, undefined],
	['no time after a send without a key and a broken connection', lost, once, 0, undefined],
	['a wait after a send without a key and no connection', unsent, once, 0, 0],
	['a wait after a send without a key and a 429', answered(429), once, 0, 0],
])('a retry waits: %s', (_what, failed, more, random, delayMs) => {
	expect(computeRetryDelay(failed as never, { ...state, ...more }, random)).toBe(delayMs);
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

	test('allows retries while one of seven attempts fails', () => {
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
