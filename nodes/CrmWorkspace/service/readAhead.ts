import { realClock } from '../transport/clock';

/** How many requests go out before the first of them is answered. */
const firstWidth = 3;

/**
 * Does tasks up to `concurrency` at a time and gives what came of each, in their order. Nothing
 * further is begun while the caller looks at a result, nor after it has stopped asking: then it
 * is waited for those under way, but not after a failure, which is to be heard of at once. It
 * begins with fewer at a time, because the first results may show that there is no sense in going
 * on.
 * @throws what a task throws, in its turn
 */
export async function* readAhead<Task, Result>(
	tasks: Task[],
	concurrency: number,
	perform: (task: Task) => Promise<Result>,
): AsyncGenerator<{ task: Task; result: Result }> {
	const underWay: Array<Promise<Result>> = [];
	let begun = 0;
	try {
		for (const [index, task] of tasks.entries()) {
			const width = index === 0 ? Math.min(firstWidth, concurrency) : concurrency;
			for (; begun < Math.min(tasks.length, index + width); begun++) {
				const promise = perform(tasks[begun]);
				// One that fails before its turn comes must not count as unhandled.
				promise.catch(() => undefined);
				underWay.push(promise);
			}
			// What was begun just now goes out before the next result is looked at, not after all of them.
			if (index > 0) await realClock.wait(0);
			yield { task, result: await underWay.shift()!.catch(giveUpOthers) };
		}
	} finally {
		await Promise.allSettled(underWay);
	}

	function giveUpOthers(error: unknown): never {
		underWay.length = 0;
		throw error;
	}
}
