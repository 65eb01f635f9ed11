import { yieldToEventLoop } from '../transport/eventLoop';

/** How each task of a pool ended, in the order of the tasks; undefined when it was not begun. */
export type Outcome<Result> = { result: Result } | { error: unknown } | undefined;

/** What a task gives that cannot be done yet: it is begun again when all others have been. */
export const notYet = Symbol('not yet');

/** How a pool does its tasks. */
export interface PoolOptions {
	/** How many tasks are under way at most. */
	concurrency: number;
	/** Whether a task that fails lets no further one begin; those under way finish. */
	stopOnError: boolean;
	/** Called when that happens. */
	onStop?: () => void;
}

/** Does `count` tasks, begun in order. However quick they are, they do not block the event loop. */
export async function runPool<Result>(
	count: number,
	{ concurrency, stopOnError, onStop }: PoolOptions,
	task: (index: number) => Promise<Result | typeof notYet>,
): Promise<Array<Outcome<Result>>> {
	const outcomes = new Array<Outcome<Result>>(count).fill(undefined);
	const queue = outcomes.map((_, index) => index);
	let next = 0;
	let stopped = false;

	async function work(): Promise<void> {
		while (next < queue.length && !stopped) {
			const index = queue[next++];
			try {
				const result = await task(index);
				if (result === notYet) queue.push(index);
				else outcomes[index] = { result };
			} catch (error) {
				outcomes[index] = { error };
				if (stopOnError && !stopped) onStop?.();
				stopped ||= stopOnError;
			}
			await yieldToEventLoop();
		}
	}

	await Promise.all(Array.from({ length: Math.min(concurrency, count) }, work));
	return outcomes;
}
