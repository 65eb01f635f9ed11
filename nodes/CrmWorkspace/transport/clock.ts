/** Time as the transport sees it, so that tests can bring their own. */
export interface Clock {
	/** Now, in ms since 1970. */
	now(): number;
	/** Resolves after `ms` milliseconds, or as soon as `cancel` is aborted. Never rejects. */
	wait(ms: number, cancel?: AbortSignal): Promise<void>;
}

/** The real time. A wait that is cancelled leaves no timer that would keep n8n running. */
export const realClock: Clock = {
	now: () => Date.now(),

	async wait(ms, cancel) {
		if (cancel?.aborted) return;
		const over = AbortSignal.timeout(Math.max(0, Math.ceil(ms)));
		const end = cancel ? AbortSignal.any([over, cancel]) : over;
		await new Promise<void>((resolve) => {
			end.addEventListener('abort', () => resolve(), { once: true });
		});
	},
};
