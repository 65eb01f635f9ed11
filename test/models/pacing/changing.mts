import { minute } from '../harness/clock.mts';
import { limiters, type Limiter } from '../harness/limiters.mts';
import type { Cell, Figures } from './judge.mts';
import {
	allowance,
	doneBetween,
	fairnessOf,
	workAsCrowd,
	type Crowd,
	type Came,
} from './crowd.mts';
import { leastTime } from '../harness/leastTime.mts';

/** How soon the others take what a process leaves, and give what one needs, in ms. */
const settling = { leaves: 5 * minute, comes: 10 * minute };

/** Processes that begin minutes apart, and those that go on when one of them is done. */
export function changingCells(): Cell[] {
	const cells: Cell[] = [];
	for (const processes of [2, 4, 8]) {
		for (const limiter of Object.keys(limiters) as Limiter[]) {
			for (const tellsWait of [true, false]) {
				const crowd = { limiter, latency: { most: 100 }, tellsWait, processes, executions: 1 };
				const name = `${processes} ${limiter} ${tellsWait ? 'told' : 'untold'}`;
				// The first have enough to do to be there when the last have found their shares.
				const requests = 400 + 2400 / processes;
				const come = { ...crowd, lag: (15 * minute) / (processes - 1), requests };
				cells.push({ name: `come ${name}`, play: async () => await measure(come) });
				const leave = { ...crowd, lastEndsAt: 20 * minute, requests: 3600 / (processes - 1) };
				cells.push({ name: `leave ${name}`, play: async () => await measure(leave) });
			}
		}
	}
	return cells;
}

async function measure(crowd: Crowd): Promise<Figures> {
	const came = await workAsCrowd(crowd);
	const { service, members, begunAt, endedAt, failed } = came;
	const took = endedAt - begunAt;
	const requests = members.reduce((sum, { process }) => sum + process.successes.length, 0);
	return {
		minutes: { value: took / minute },
		'of bound': { value: took / leastTime(requests, allowance, crowd.latency), atMost: 1.35 },
		failed: { value: failed, atMost: 0 },
		'fairness when settled': {
			value: crowd.lag ? fairnessWhenAllWork(came) : 1,
			atLeast: 0.1,
		},
		'in use when one has left': {
			value: crowd.lastEndsAt ? useWhenOneHasLeft(came) : 1,
			atLeast: 0.8,
		},
		'429 %': { value: (100 * service.refused) / service.requests, atMost: 10 },
	};
}

/** From some time after the last has begun. */
function fairnessWhenAllWork({ members }: Came): number {
	const lastBegunAt = Math.max(...members.map(({ begunAt }) => begunAt));
	return fairnessOf(members, lastBegunAt + settling.comes);
}

/** Which part of the allowance those that stay use, from some time after the last has left. */
function useWhenOneHasLeft({ members }: Came): number {
	const stay = members.slice(0, -1);
	const from = members.at(-1)!.endedAt + settling.leaves;
	const until = Math.min(...stay.map(({ endedAt }) => endedAt));
	const done = stay.reduce((sum, member) => sum + doneBetween(member, from, until), 0);
	return done / ((allowance * (until - from)) / minute);
}
