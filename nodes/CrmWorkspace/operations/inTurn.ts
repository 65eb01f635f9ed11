const lastWorks = new WeakMap<object, Map<string, Promise<unknown>>>();

/**
 * Runs tasks with the same owner and name one at a time, over all runs of the process, in the order
 * in which they were asked for. One that fails doesn't keep the next from beginning.
 */
export async function inTurn<Result>(
	owner: object,
	name: string,
	work: () => Promise<Result>,
): Promise<Result> {
	const lastByName = lastWorks.get(owner) ?? new Map<string, Promise<unknown>>();
	lastWorks.set(owner, lastByName);
	const result = (lastByName.get(name) ?? Promise.resolve()).then(work);
	const ended = result.catch(() => undefined);
	lastByName.set(name, ended);
	try {
		return await result;
	} finally {
		if (lastByName.get(name) === ended) lastByName.delete(name);
	}
}
