import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { FailedAttempt } from '../../nodes/CrmWorkspace/transport/errors/failure';
import type { Attempt } from '../../nodes/CrmWorkspace/transport/http/answer';
import {
	decide,
	maxAttempts,
	retry,
	waitingBudget,
	type Outcome,
	type RequestWithRetries,
	type RetryState,
} from '../../nodes/CrmWorkspace/transport/retry';
import { answered, lost, unsent } from '../support/simulated/attempts.mts';
import { fakeClock } from '../support/simulated/fakeClock.mts';

const minute = 60_000;
const half = 0.5;

const first: RetryState = {
	attempt: 1,
	isRepeatable: true,
	waitingSpent: 0,
	timeLeft: Infinity,
};

describe('whether a request is made again', () => {
	test.each<[string, FailedAttempt, boolean, boolean]>([
		// what came of it; again where that is harmless, and where it is not?
		['bad request', answered(400), false, false],
		['refused key', answered(401), false, false],
		['forbidden', answered(403), false, false],
		['unknown record', answered(404), false, false],
		['conflict', answered(409), false, false],
		['too large', answered(413), false, false],
		['unprocessable', answered(422), false, false],
		['redirect', answered(302), false, false],
		['not implemented', answered(501), false, false],
		['another body than was asked for', { kind: 'unexpected', statusCode: 200 }, false, false],
		['a garbled body', { kind: 'garbled', statusCode: 200 }, true, false],
		['request timeout', answered(408), true, false],
		['server error', answered(500), true, false],
		['bad gateway', answered(502), true, false],
		['unavailable', answered(503), true, false],
		['unavailable until told', answered(503, { askedWait: 1000 }), true, false],
		['gateway timeout', answered(504), true, false],
		['no answer in time', { kind: 'timedOut' }, true, false],
		['a broken connection', lost, true, false],
		['an unknown network fault', { kind: 'silent' }, true, false],
		['rate limit', answered(429), true, true],
		['connection refused', unsent, true, true],
		['name not found', { kind: 'unresolved' }, true, true],
		['certificate', { kind: 'untrusted' }, false, false],
		['no TLS', { kind: 'insecure' }, false, false],
		['TLS that broke', { kind: 'severed' }, false, false],
		['no HTTP', { kind: 'noHttp' }, false, false],
		['endless answer', { kind: 'tooLarge' }, false, false],
		['a refusal of n8n', { kind: 'ofN8n' }, false, false],
	])('%s', (_what, failed, repeatable, without) => {
		expect(decide(failed, first, half).isRepeated).toBe(repeatable);
		expect(decide(failed, { ...first, isRepeatable: false }, half).isRepeated).toBe(without);
	});

	test('five times in all', () => {
		const again = (attempt: number) =>
			decide(answered(503), { ...first, attempt }, half).isRepeated;
		expect([1, 4, 5, 6].map(again)).toEqual([true, true, false, false]);
	});

	test.each([
		['a refusal by the rate limit', answered(429)],
		['a 503 that says when to come back', answered(503, { askedWait: 1000 })],
	])('after %s, which costs no attempt, as long as waiting goes on', (_what, failed) => {
		const last = { ...first, attempt: maxAttempts };
		expect(decide(failed, last, half)).toEqual({ isRepeated: true, after: 4000 });
	});

	describe('within the time that waiting may take', () => {
		const askedWait = minute;
		const limited = answered(429, { askedWait });

		test.each<[string, FailedAttempt, Partial<RetryState>, object]>([
			[
				'just within it',
				limited,
				{ waitingSpent: waitingBudget - askedWait },
				{ isRepeated: true },
			],
			[
				'beyond it, by what the service asks for',
				limited,
				{ waitingSpent: waitingBudget - askedWait + 1 },
				{ isRepeated: false, isAskedWaitTooLong: true },
			],
			[
				'beyond it, by a year',
				answered(429, { askedWait: 365 * 1440 * minute }),
				{},
				{ isRepeated: false, isAskedWaitTooLong: true },
			],
			['just in the time that is left', limited, { timeLeft: askedWait }, { isRepeated: true }],
			[
				'after the time that is left',
				limited,
				{ timeLeft: askedWait - 1 },
				{ isRepeated: false, isAskedWaitTooLong: true },
			],
			[
				'beyond it, by the pause alone',
				answered(503),
				{ waitingSpent: waitingBudget, timeLeft: Infinity },
				{ isRepeated: false, isAskedWaitTooLong: false },
			],
			[
				'after the time that is left, by the pause alone',
				answered(503, { askedWait: 100 }),
				{ timeLeft: 200 },
				{ isRepeated: false, isAskedWaitTooLong: false },
			],
		])('%s', (_when, failed, standing, decision) => {
			expect(decide(failed, { ...first, ...standing }, half)).toMatchObject(decision);
		});
	});
});

describe('when it is made again', () => {
	const after = (attempt: number, random: number, failed = answered(503)) => {
		const decision = decide(failed, { ...first, attempt }, random);
		return decision.isRepeated ? decision.after : undefined;
	};

	test('the time doubles, with full jitter', () => {
		const attempts = [1, 2, 3, 4];
		expect(attempts.map((attempt) => after(attempt, 1))).toEqual([500, 1000, 2000, 4000]);
		expect(attempts.map((attempt) => after(attempt, half))).toEqual([250, 500, 1000, 2000]);
		expect(attempts.map((attempt) => after(attempt, 0))).toEqual([0, 0, 0, 0]);
	});

	test('not before the service asks for it', () => {
		expect(after(1, half, answered(503, { askedWait: 7000 }))).toBe(7000);
		expect(after(1, half, answered(429, { askedWait: 7000 }))).toBe(7000);
		expect(after(4, 1, answered(503, { askedWait: 10 }))).toBe(4000);
	});
});

describe('a request that is retried', () => {
	beforeEach(() => {
		jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
		jest.spyOn(Math, 'random').mockReturnValue(half);
	});
	afterEach(() => {
		jest.restoreAllMocks();
		jest.useRealTimers();
	});

	/** What an attempt comes to, after so many ms; undefined for none at all. */
	interface Made {
		made?: Attempt<string> | FailedAttempt;
		took?: number;
	}

	/**
	 * Retries a request.
	 * @param course what its attempts come to, the last one again and again
	 * @returns what came of it, when its attempts began, and what was told of repeats, all in ms
	 */
	async function retried(course: Made[], more: Partial<RequestWithRetries<string>> = {}) {
		const began = fakeClock.now();
		const begun: number[] = [];
		const repeated: FailedAttempt[] = [];
		const { signal } = new AbortController();
		const ended = retry<string>({
			makeAttempt: async () => {
				const { made, took = 0 } = course[Math.min(begun.length, course.length - 1)];
				begun.push(fakeClock.now() - began);
				if (took > 0) await fakeClock.wait(took);
				return made && 'kind' in made ? { failed: made } : made;
			},
			isRepeatable: true,
			throttledFor: () => 0,
			onRepeat: (failed) => repeated.push(failed),
			clock: fakeClock,
			deadline: Infinity,
			end: signal,
			...more,
		});
		let outcome: Outcome<string> | undefined;
		void ended.then((told) => (outcome = told));
		do await jest.advanceTimersToNextTimerAsync();
		while (!outcome && jest.getTimerCount() > 0);
		return { outcome, begun, repeated };
	}

	test('brings its result at once, or after passing faults', async () => {
		expect(await retried([{ made: { result: 'x' } }])).toEqual({
			outcome: { result: 'x' },
			begun: [0],
			repeated: [],
		});
		const course = [{ made: lost }, { made: answered(502) }, { made: { result: 'x' } }];
		expect(await retried(course)).toEqual({
			outcome: { result: 'x' },
			begun: [0, 250, 750],
			repeated: [lost, answered(502)],
		});
	});

	test('gives up after five attempts, and tells what it has been through', async () => {
		const { outcome, begun, repeated } = await retried([{ made: answered(503) }]);
		expect(outcome).toEqual({
			givenUp: {
				failed: answered(503),
				earlier: answered(503),
				attempts: 5,
				sinceFirstFailure: 3750,
				isAskedWaitTooLong: undefined,
			},
		});
		expect(begun).toEqual([0, 250, 750, 1750, 3750]);
		expect(repeated).toHaveLength(4);
	});

	test('gives up at once where another attempt could do harm', async () => {
		const { outcome, begun } = await retried([{ made: lost }], { isRepeatable: false });
		expect(outcome).toEqual({ givenUp: { failed: lost, attempts: 1, sinceFirstFailure: 0 } });
		expect(begun).toEqual([0]);
	});

	describe('knows the last attempt before that may have arrived', () => {
		test.each<[string, FailedAttempt[], FailedAttempt | undefined]>([
			['none', [unsent, unsent, answered(400)], undefined],
			['a refusal is none', [answered(429), answered(400)], undefined],
			['one', [unsent, lost, unsent, answered(400)], lost],
			['the last of several', [lost, answered(500), answered(400)], answered(500)],
			['and not the one that was given up', [answered(400)], undefined],
		])('%s', async (_which, course, earlier) => {
			const { outcome } = await retried(course.map((made) => ({ made })));
			expect(outcome).toHaveProperty('givenUp.failed', answered(400));
			const { givenUp } = outcome as { givenUp: { earlier?: FailedAttempt } };
			expect(givenUp.earlier).toEqual(earlier);
		});
	});

	test('is refused by the rate limit without costing an attempt', async () => {
		const limited = { made: answered(429, { askedWait: 1000 }) };
		const course = [...Array.from({ length: 20 }, () => limited), { made: answered(503) }];
		const { outcome, begun } = await retried(course);
		expect(begun.slice(0, 21)).toEqual(Array.from({ length: 21 }, (_, index) => index * 1000));
		expect(begun).toHaveLength(25);
		expect(outcome).toMatchObject({ givenUp: { attempts: 25, sinceFirstFailure: 23_750 } });
	});

	test('is given up when the service has let nothing through for as long as it may wait', async () => {
		const throttledFor = () => fakeClock.now() - began;
		const began = fakeClock.now();
		const limited = answered(429, { askedWait: minute });
		const { outcome, begun } = await retried([{ made: limited }], { throttledFor });
		expect(begun).toHaveLength(waitingBudget / minute + 1);
		expect(outcome).toMatchObject({
			givenUp: { failed: limited, isAskedWaitTooLong: true, sinceFirstFailure: waitingBudget },
		});
	});

	test('counts its own pauses, and not how long its attempts take', async () => {
		const took = 9 * minute;
		const { outcome, begun } = await retried([{ made: answered(503), took }]);
		expect(begun).toHaveLength(5);
		expect(outcome).toMatchObject({ givenUp: { attempts: 5, sinceFirstFailure: 4 * took + 3750 } });
	});

	test('counts no pause that the rate limit has asked for', async () => {
		const { begun } = await retried([
			{ made: answered(502, { askedWait: 8 * minute }) },
			{ made: answered(429, { askedWait: 8 * minute }) },
			{ made: answered(502, { askedWait: 2 * minute }) },
		]);
		expect(begun.map((at) => at / minute)).toEqual([0, 8, 16, 18]);
	});

	test('begins no attempt after its deadline', async () => {
		const deadline = fakeClock.now() + 700;
		const { outcome, begun } = await retried([{ made: answered(503) }], { deadline });
		expect(begun).toEqual([0, 250]);
		expect(outcome).toMatchObject({ givenUp: { attempts: 2, isAskedWaitTooLong: false } });
	});

	describe('that is ended', () => {
		test('before its first attempt has nothing to tell', async () => {
			expect(await retried([{}])).toEqual({
				outcome: { ended: { attempts: 0, sinceFirstFailure: 0 } },
				begun: [0],
				repeated: [],
			});
		});

		test('between two attempts does not wait any longer, and tells of the one before', async () => {
			const stop = new AbortController();
			setTimeout(() => stop.abort(), 5000);
			const limited = answered(503, { askedWait: minute });
			const { outcome, begun } = await retried([{ made: lost }, { made: limited }, {}], {
				end: stop.signal,
			});
			expect(begun).toEqual([0, 250, 5000]);
			expect(outcome).toEqual({
				ended: { failed: limited, earlier: limited, attempts: 2, sinceFirstFailure: 5000 },
			});
		});

		test('knows of no earlier attempt where none may have arrived', async () => {
			const { outcome } = await retried([{ made: unsent }, {}]);
			expect(outcome).toEqual({ ended: { failed: unsent, attempts: 1, sinceFirstFailure: 250 } });
		});
	});
});
