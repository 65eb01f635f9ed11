import { yieldToEventLoop } from '../transport/clock';

export type ItemOutcome<Result> = { result: Result } | { error: unknown };

export type ItemEnd<Result> = { itemIndex: number } & ItemOutcome<Result>;

interface PoolOptions {
	concurrency: number;
	/** Whether nothing further is begun after an item has failed; what is under way finishes. */
	stopsOnError: boolean;
	onStop?: () => void;
}

/**
 * Performs groups of items, begun in order; the items of a group are done one after another, in the
 * order that `perform` chooses. Even if none of them waits for anything, they do not block the event
 * loop. What `perform` throws is the end of all items of the group that it has not told of.
 * @param groups emptied, so that what is done is not held any longer
 * @returns how each of `count` items ended, in their order; undefined for one that was never begun
 */
export async function runPool<Item extends { itemIndex: number }, Result>(
	count: number,
	groups: Item[][],
	{ concurrency, stopsOnError, onStop }: PoolOptions,
	perform: (group: Item[]) => AsyncIterable<ItemEnd<Result>>,
): Promise<Array<ItemOutcome<Result> | undefined>> {
	const outcomes = new Array<ItemOutcome<Result> | undefined>(count).fill(undefined);
	let isStopped = false;

	function end({ itemIndex, ...outcome }: ItemEnd<Result>): void {
		outcomes[itemIndex] = outcome;
		if (!stopsOnError || isStopped || !('error' in outcome)) return;
		isStopped = true;
		onStop?.();
	}

	async function performOne(group: Item[]): Promise<void> {
		try {
			for await (const ended of perform(group)) {
				end(ended);
				await yieldToEventLoop();
				if (isStopped) return;
			}
		} catch (error) {
			for (const { itemIndex } of group) if (!outcomes[itemIndex]) end({ itemIndex, error });
			await yieldToEventLoop();
		}
	}

	groups.reverse();
	async function work(): Promise<void> {
		for (let group = groups.pop(); group; group = isStopped ? undefined : groups.pop()) {
			await performOne(group);
		}
	}

	await Promise.all(Array.from({ length: Math.min(concurrency, groups.length) }, work));
	return outcomes;
}
