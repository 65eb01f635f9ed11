import { yieldToEventLoop } from '../transport/clock';

export type ItemOutcome<Result> = { result: Result } | { error: unknown };

interface PoolOptions {
	/** Number of lanes that are worked on at the same time. */
	concurrency: number;
	/** Called when an item fails: those under way finish, and no further one begins. */
	stop?: () => void;
}

/**
 * Performs items, begun in order. The items of a lane are performed one after another by one worker,
 * so that none of them waits for another while it takes up concurrency. Even if no item waits for
 * anything, they don't block the event loop.
 * @param lanes emptied, so that what an item has prepared is released once it is done
 * @returns how each of `count` items ended, in their order; undefined for one that never began
 */
export async function runPool<Item extends { itemIndex: number }, Result>(
	count: number,
	lanes: Item[][],
	{ concurrency, stop }: PoolOptions,
	perform: (item: Item) => Promise<Result>,
): Promise<Array<ItemOutcome<Result> | undefined>> {
	const outcomes = new Array<ItemOutcome<Result> | undefined>(count).fill(undefined);
	let isStopped = false;

	async function performOne(item: Item): Promise<void> {
		try {
			outcomes[item.itemIndex] = { result: await perform(item) };
		} catch (error) {
			outcomes[item.itemIndex] = { error };
			isStopped = stop !== undefined;
			stop?.();
		}
		// n8n stores a stopped execution soon: the run has to have failed by then.
		if (!isStopped) await yieldToEventLoop();
	}

	lanes.reverse();
	async function work(): Promise<void> {
		for (let lane = lanes.pop(); lane && !isStopped; lane = lanes.pop()) {
			lane.reverse();
			for (let item = lane.pop(); item && !isStopped; item = lane.pop()) await performOne(item);
		}
	}

	await Promise.all(Array.from({ length: Math.min(concurrency, lanes.length) }, work));
	return outcomes;
}
