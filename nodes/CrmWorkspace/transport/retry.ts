import { isThrottled, isTransient, mayHaveBegun, type FailedAttempt } from './errors/failure';
import type { Attempt } from './http/answer';
import type { Clock } from './pacing/clock';

/** How often a request is made; refusals by the rate limit do not count. */
export const maxAttempts = 5;

/** How long retries may make a request wait, in ms. */
export const waitingBudget = 10 * 60_000;

/** The longest pause before the second attempt, in ms; before each further one, twice as long. */
const firstBackoff = 500;

/** What decides on a further attempt, besides the failure of the last one. */
export interface RetryState {
	/** Which attempt it was, from 1; refusals by the rate limit left out. */
	attempt: number;
	/** Whether the service does the work only once however often it is asked. */
	isRepeatable: boolean;
	/**
	 * How much of `waitingBudget` is spent, in ms: on the pauses between its attempts; after a refusal
	 * by the rate limit, on the time in which the service has let nothing of this process through.
	 */
	waitingSpent: number;
	/** To begin in, in ms. */
	timeLeft: number;
}

/**
 * What to do next: to wait `after` ms and ask again, or to give up, perhaps because the service asks
 * to wait for longer than the request may.
 */
type Decision =
	| { isRepeated: true; after: number }
	| { isRepeated: false; isAskedWaitTooLong?: boolean };

/**
 * Whether a request that failed is made again, and when.
 * @param random a number from 0 to below 1
 */
export function decide(failed: FailedAttempt, state: RetryState, random: number): Decision {
	const { attempt, isRepeatable, waitingSpent, timeLeft } = state;
	if (!isTransient(failed)) return { isRepeated: false };
	// Without an idempotency key the service would do the work twice, unless it cannot have begun.
	if (!isRepeatable && mayHaveBegun(failed)) return { isRepeated: false };
	if (!isThrottled(failed) && attempt >= maxAttempts) return { isRepeated: false };

	// Exponential with full jitter: clients that failed together do not come back together.
	const backoff = random * firstBackoff * 2 ** (attempt - 1);
	const { askedWait = 0 } = failed;
	const isTooLong = (after: number) => after > Math.min(waitingBudget - waitingSpent, timeLeft);
	const after = Math.max(askedWait, backoff);
	if (!isTooLong(after)) return { isRepeated: true, after };
	return { isRepeated: false, isAskedWaitTooLong: askedWait > 0 && isTooLong(askedWait) };
}

/** What a request has been through. */
export interface RequestHistory {
	/** Why its last attempt failed; absent if it made none. */
	failed?: FailedAttempt;
	/** The last one of the attempts that may have reached the service before, if any did. */
	earlier?: FailedAttempt;
	attempts: number;
	/** In ms. */
	sinceFirstFailure: number;
	/** Whether the service asks to wait for longer than the request may. */
	isAskedWaitTooLong?: boolean;
}

/**
 * What came of a request: its result, or what it has been through when `decide` gave it up, or when
 * it was ended while it waited.
 */
export type Outcome<Result> =
	| { result: Result }
	| { givenUp: RequestHistory & { failed: FailedAttempt } }
	| { ended: RequestHistory };

/** A request that is to be made, with what its run knows. */
export interface RequestWithRetries<Result> {
	/** Makes an attempt; undefined if there was none, because `end` was aborted. */
	makeAttempt: () => Promise<Attempt<Result> | undefined>;
	/** Whether the service does the work only once however often it is asked. */
	isRepeatable: boolean;
	/** For how long the service has throttled the run and let nothing of the process through, in ms. */
	throttledFor: () => number;
	/** Told of each attempt after which another one is due, and of the pause before that, in ms. */
	onRepeat: (failed: FailedAttempt, pause: number) => void;
	clock: Clock;
	/** Until when an attempt may begin, by the clock, in ms. */
	deadline: number;
	/** Ends every pause between two attempts. */
	end: AbortSignal;
}

/**
 * Makes attempts until one has a result, or until there is no further one. A refusal by the rate
 * limit says nothing of the request itself, so it costs waiting and no attempt. For all else the
 * budget counts the pauses that are chosen here, and not what a permit takes.
 */
export async function retry<Result>(request: RequestWithRetries<Result>): Promise<Outcome<Result>> {
	const { clock, isRepeatable } = request;
	const history: RequestHistory = { attempts: 0, sinceFirstFailure: 0 };
	let attempt = 1;
	let paused = 0;
	let firstFailureAt: number | undefined;
	for (;;) {
		const made = await request.makeAttempt();
		if (made && 'result' in made) return made;
		const now = clock.now();
		history.sinceFirstFailure = now - (firstFailureAt ??= now);
		if (!made) return { ended: history };

		const { failed } = made;
		Object.assign(history, { failed, attempts: history.attempts + 1 });
		const waitingSpent = isThrottled(failed) ? request.throttledFor() : paused;
		const timeLeft = request.deadline - now;
		const decision = decide(
			failed,
			{ attempt, isRepeatable, waitingSpent, timeLeft },
			Math.random(),
		);
		if (!decision.isRepeated) {
			return { givenUp: { ...history, failed, isAskedWaitTooLong: decision.isAskedWaitTooLong } };
		}
		request.onRepeat(failed, decision.after);
		if (mayHaveBegun(failed)) history.earlier = failed;
		if (!isThrottled(failed)) {
			attempt++;
			paused += decision.after;
		}
		await clock.wait(decision.after, request.end);
	}
}
