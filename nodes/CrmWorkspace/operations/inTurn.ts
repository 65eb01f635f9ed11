const lastWork = new WeakMap<object, Promise<unknown>>();

/**
 * Does works with the same key one after another, over all runs of the process, in the order in which
 * they were asked for. One that fails doesn't keep the next from beginning.
 */
export async function inTurn<Result>(key: object, work: () => Promise<Result>): Promise<Result> {
	const result = (lastWork.get(key) ?? Promise.resolve()).then(work);
	lastWork.set(
		key,
		result.catch(() => undefined),
	);
	return await result;
}
