/** Time as the transport sees it, so that tests can bring their own. */
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
		// n8n's linter forbids setTimeout, and its `sleep` can't be cancelled.
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
