import { yieldToEventLoop } from '../transport/eventLoop';

/** How each item ended, in the order of the items; undefined for one that was never begun. */
export type ItemOutcome<Result> = { result: Result } | { error: unknown } | undefined;

/** What `perform` returns for an item that has to wait: it is begun again after all others. */
export const notYet = Symbol('not yet');

/** How a pool works through its items. */
export interface PoolOptions {
	/** How many items are worked on at the same time at most. */
	concurrency: number;
	/** Whether no further item is begun after one has failed; those under way finish. */
	stopOnError: boolean;
	/** Called when that happens. */
	onStop?: () => void;
}

/**
 * Calls `perform` for each of `count` items, begun in order. Even if none of them waits for
 * anything, they do not block the event loop.
 */
export async function runPool<Result>(
	count: number,
	{ concurrency, stopOnError, onStop }: PoolOptions,
	perform: (index: number) => Promise<Result | typeof notYet>,
): Promise<Array<ItemOutcome<Result>>> {
	const outcomes = new Array<ItemOutcome<Result>>(count).fill(undefined);
	const queue = outcomes.map((_, index) => index);
	let next = 0;
	let stopped = false;

	async function work(): Promise<void> {
		while (next < queue.length && !stopped) {
			const index = queue[next++];
			try {
				const result = await perform(index);
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
