import { currentTime, hour, minute, pass } from '../harness/clock.mts';
import type { Limiter } from '../harness/limiters.mts';
import { Process } from './process.mts';
import type { Latency } from '../harness/leastTime.mts';
import { LimitedService } from '../harness/limitedService.mts';

/** Requests per minute. */
export const allowance = 60;

/** Processes that share a key and know nothing of one another. */
export interface Crowd {
	limiter: Limiter;
	latency: Latency;
	/** Whether a refusal says when to come back. */
	tellsWait: boolean;
	processes: number;
	/** Executions of each process. */
	executions: number;
	/** Requests of each execution. */
	requests: number;
	/** Whether they have worked in the evening, and begin at the same moment after the night. */
	isBurst?: boolean;
	/** How much later than the one before it each process begins, in ms; all in a minute by default. */
	lag?: number;
	/** When the last process ends, however much it has to do, in ms from the beginning. */
	lastEndsAt?: number;
	/** What the credential says of the number of processes. */
	declared?: number;
}

/** A process and its work; moments in ms. */
export interface Member {
	process: Process;
	begunAt: number;
	endedAt: number;
}

/** What came of a crowd's work; moments in ms. */
export interface Came {
	service: LimitedService;
	members: Member[];
	begunAt: number;
	endedAt: number;
	failed: number;
}

/** Has a crowd do its work. */
export async function workAsCrowd(crowd: Crowd): Promise<Came> {
	const { processes, isBurst, declared = 1 } = crowd;
	const service = new LimitedService({ ...crowd, allowance });
	const settings = { requestsPerMinute: allowance, processes: declared };
	const all = Array.from({ length: processes }, () => new Process(service, settings));
	if (isBurst) await spendNight(all, service);
	const begunAt = currentTime();
	const members = await Promise.all(all.map((process, index) => workOf(process, index, crowd)));
	const failed = all.reduce((sum, one) => sum + one.failed, 0);
	return { service, members, begunAt, endedAt: currentTime(), failed };
}

/** The least done by a process from a moment on, to the most done, when the first had done its work. */
export function fairnessOf(members: Member[], from: number): number {
	const until = Math.min(...members.map(({ endedAt }) => endedAt));
	const done = members.map((member) => doneBetween(member, from, until));
	return Math.min(...done) / Math.max(...done);
}

/** How many requests of a process succeeded after one moment and until another. */
export function doneBetween({ process }: Member, from: number, until: number): number {
	return process.successes.filter((at) => at > from && at <= until).length;
}

/** The longest time without a success of a process that had work, in ms. */
export function longestDrought({ process, begunAt, endedAt }: Member): number {
	const moments = [begunAt, ...process.successes, endedAt];
	return Math.max(...moments.slice(1).map((at, index) => at - moments[index]));
}

async function workOf(process: Process, index: number, crowd: Crowd): Promise<Member> {
	const { processes, executions, requests, isBurst, lag, lastEndsAt } = crowd;
	const isLast = index === processes - 1;
	const until = isLast && lastEndsAt ? currentTime() + lastEndsAt : undefined;
	if (lag) await pass(index * lag);
	const begunAt = currentTime();
	const working = Array.from({ length: executions }, async () => {
		if (!isBurst) await pass(Math.random() * minute);
		await process.execution().work({ requests, until });
	});
	await Promise.all(working);
	return { process, begunAt, endedAt: currentTime() };
}

/** Some work in each process, and a long night after it. */
async function spendNight(all: Process[], service: LimitedService): Promise<void> {
	await Promise.all(all.map((process) => process.execution().work({ requests: 20 })));
	await pass(10 * hour);
	service.forget();
	for (const process of all) process.forget();
}
