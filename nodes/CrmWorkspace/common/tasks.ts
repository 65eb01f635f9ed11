/** Time, and work that takes turns. */

/** Time as it passes for the client, so that tests can bring their own. */
export interface Clock {
	/** A monotonic time in ms. */
	now(): number;
	/** Resolves after `ms` or as soon as `cancel` is aborted. Never rejects. */
	wait(ms: number, cancel?: AbortSignal): Promise<void>;
}

export const realClock: Clock = {
	now: () => performance.now(),

	async wait(ms, cancel) {
		if (cancel?.aborted) return;
		// n8n's linter forbids setTimeout, and before n8n 2 its `sleep` can't be cancelled.
		const timeout = AbortSignal.timeout(Math.max(0, Math.ceil(ms)));
		await new Promise<void>((resolve) => {
			const end = () => {
				timeout.removeEventListener('abort', end);
				cancel?.removeEventListener('abort', end);
				resolve();
			};
			timeout.addEventListener('abort', end);
			cancel?.addEventListener('abort', end);
		});
	},
};

let lastBreakAt = 0;

/** To be awaited between the steps of long work: lets n8n do everything else every 20 ms. */
export async function yieldToEventLoop(): Promise<void> {
	if (performance.now() - lastBreakAt < 20) return;
	await realClock.wait(0);
	lastBreakAt = performance.now();
}

/** Does work once for all who ask for it by the same name. Work that has failed is done again. */
export class Once {
	private readonly works = new Map<string, Promise<unknown>>();

	/** Whether the work is under way or done. */
	has(name: string): boolean {
		return this.works.has(name);
	}

	/** @throws whatever the work throws */
	async do<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
		const doing = (this.works.get(name) as Promise<Result> | undefined) ?? work();
		this.works.set(name, doing);
		return await doing.catch((error: unknown) => {
			if (this.works.get(name) === doing) this.works.delete(name);
			throw error;
		});
	}
}

const lastWorks = new WeakMap<object, Map<string, Promise<unknown>>>();

/**
 * A mutex: runs work with the same owner and name one at a time, over all runs of the process, in the
 * order in which it was asked for. Work that fails doesn't keep the next from beginning.
 */
export async function runExclusive<Result>(
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
