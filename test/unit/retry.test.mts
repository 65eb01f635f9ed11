import { describe, expect, test } from '@jest/globals';
import type { FailedAttempt } from '../../nodes/CrmWorkspace/transport/failure';
import { mayHaveBegun } from '../../nodes/CrmWorkspace/transport/meaning';
import { decide, maxAttempts, waitingBudget } from '../../nodes/CrmWorkspace/transport/retry';

const first = { attempt: 1, isRepeatable: true, waited: 0, patience: waitingBudget };
const half = 0.5;
const ofDatabase: FailedAttempt = { raised: { message: 'refused', isTransient: true } };

describe('whether a request is made again', () => {
	test.each<[string, FailedAttempt, boolean, boolean]>([
		// what came of it, with a key or without: again?
		['bad request', { statusCode: 400 }, false, false],
		['refused key', { statusCode: 401 }, false, false],
		['forbidden', { statusCode: 403 }, false, false],
		['unknown record', { statusCode: 404 }, false, false],
		['conflict', { statusCode: 409 }, false, false],
		['too large', { statusCode: 413 }, false, false],
		['unprocessable', { statusCode: 422 }, false, false],
		['redirect', { statusCode: 302 }, false, false],
		['not implemented', { statusCode: 501 }, false, false],
		['an error with status 200', { statusCode: 200, code: 'QUOTA' }, false, false],
		['another body than was asked for', { statusCode: 200, unreadable: 'JSON' }, false, false],
		['a garbled body', { statusCode: 200, unreadable: 'a web page', isGarbled: true }, true, false],
		['request timeout', { statusCode: 408 }, true, false],
		['server error', { statusCode: 500 }, true, false],
		['bad gateway', { statusCode: 502 }, true, false],
		['unavailable', { statusCode: 503 }, true, false],
		['unavailable until told', { statusCode: 503, askedWait: 1000 }, true, false],
		['gateway timeout', { statusCode: 504 }, true, false],
		['no answer in time', { networkCode: 'ETIMEDOUT' }, true, false],
		['a broken connection', { networkCode: 'ECONNRESET' }, true, false],
		['an unknown network fault', { networkCode: 'EWHATEVER' }, true, false],
		['rate limit', { statusCode: 429 }, true, true],
		['connection refused', { networkCode: 'ECONNREFUSED' }, true, true],
		['name not found', { networkCode: 'ENOTFOUND' }, true, true],
		['name service busy', { networkCode: 'EAI_AGAIN' }, true, true],
		['certificate', { networkCode: 'CERT_HAS_EXPIRED' }, false, false],
		['self-signed', { networkCode: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, false, false],
		['no TLS', { networkCode: 'EPROTO' }, false, false],
		['no HTTP', { networkCode: 'HPE_INVALID_CONSTANT' }, false, false],
		['endless answer', { networkCode: 'too large' }, false, false],
		['a refusal of n8n', { raised: { message: 'blocked', isTransient: false } }, false, false],
		["n8n's database is away", ofDatabase, true, true],
	])('%s', (_what, failed, repeatable, without) => {
		expect(decide(failed, first, half).again).toBe(repeatable);
		expect(decide(failed, { ...first, isRepeatable: false }, half).again).toBe(without);
	});

	test('five times at most', () => {
		const failed = { statusCode: 503 };
		expect(decide(failed, { ...first, attempt: maxAttempts - 1 }, half).again).toBe(true);
		expect(decide(failed, { ...first, attempt: maxAttempts }, half).again).toBe(false);
	});

	test('a refusal by the rate limit costs waiting, not an attempt', () => {
		const decision = decide({ statusCode: 429 }, { ...first, attempt: maxAttempts }, half);
		expect(decision).toMatchObject({ again: true, countsAsAttempt: false });
		expect(decide({ statusCode: 503 }, first, half)).toMatchObject({ countsAsAttempt: true });
	});

	test('nor does a 503 that says when to come back', () => {
		const failed = { statusCode: 503, askedWait: 1000 };
		const decision = decide(failed, { ...first, attempt: maxAttempts }, half);
		expect(decision).toEqual({ again: true, after: 4000, countsAsAttempt: false });
	});

	test('not beyond the time that waiting may take', () => {
		const askedWait = 60_000;
		const failed = { statusCode: 429, askedWait };
		const waited = waitingBudget - askedWait;
		expect(decide(failed, { ...first, waited }, half).again).toBe(true);
		expect(decide(failed, { ...first, waited: waited + 1 }, half).again).toBe(false);
		expect(decide({ ...failed, askedWait: 365 * 86_400_000 }, first, half).again).toBe(false);
		expect(decide(failed, { ...first, patience: askedWait - 1 }, half).again).toBe(false);
	});
});

describe("while n8n's own database is away", () => {
	/** When it is tried, in ms after the first time; every try comes to nothing. */
	function triedAt(random: number, patience = waitingBudget): number[] {
		const moments = [0];
		for (;;) {
			const standing = { ...first, attempt: moments.length, waited: moments.at(-1)!, patience };
			const decision = decide(ofDatabase, { ...standing, isRepeatable: false }, random);
			if (!decision.again) return moments;
			moments.push(standing.waited + decision.after);
		}
	}

	test.each([0.1, half, 0.999])('half a minute is survived, with room to spare: %d', (random) => {
		const last = triedAt(random).at(-1)!;
		expect(last).toBeGreaterThan(50_000);
		expect(last).toBeLessThanOrEqual(60_000);
	});

	test('it is noticed within five seconds that it is back, and hardly asked meanwhile', () => {
		const moments = triedAt(0.999);
		const pauses = moments.slice(1).map((moment, index) => moment - moments[index]);
		expect(Math.max(...pauses)).toBeLessThan(5000);
		expect(triedAt(half).length).toBeLessThan(30);
	});

	test('whoever has less patience is not kept', () => {
		expect(triedAt(half, 3000).at(-1)).toBeLessThanOrEqual(3000);
	});
});

describe('when it is made again', () => {
	const after = (attempt: number, random: number, failed: FailedAttempt = { statusCode: 503 }) => {
		const decision = decide(failed, { ...first, attempt }, random);
		return decision.again ? decision.after : undefined;
	};

	test('the time doubles, with full jitter', () => {
		expect([1, 2, 3, 4].map((attempt) => after(attempt, 1))).toEqual([500, 1000, 2000, 4000]);
		expect([1, 2, 3, 4].map((attempt) => after(attempt, 0))).toEqual([0, 0, 0, 0]);
	});

	test('not before the service asks for it', () => {
		expect(after(1, half, { statusCode: 503, askedWait: 7000 })).toBe(7000);
		expect(after(1, half, { statusCode: 429, askedWait: 7000 })).toBe(7000);
		expect(after(4, 1, { statusCode: 503, askedWait: 10 })).toBe(4000);
	});
});

test.each<[FailedAttempt, boolean]>([
	[{ statusCode: 200, unreadable: 'nothing' }, true],
	[{ statusCode: 302 }, false],
	[{ statusCode: 408 }, true],
	[{ statusCode: 422 }, false],
	[{ statusCode: 429 }, false],
	[{ statusCode: 500 }, true],
	[{ statusCode: 503, askedWait: 1000 }, true],
	[{ networkCode: 'ECONNREFUSED' }, false],
	[{ networkCode: 'ERR_TLS_CERT_ALTNAME_INVALID' }, false],
	[{ networkCode: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED' }, true],
	[{ networkCode: 'ETIMEDOUT' }, true],
	[{ networkCode: 'unknown' }, true],
	[{ raised: { message: 'blocked', isTransient: false } }, false],
	[ofDatabase, false],
])('whether the work may have begun after %j: %s', (failed, expected) => {
	expect(mayHaveBegun(failed)).toBe(expected);
});
