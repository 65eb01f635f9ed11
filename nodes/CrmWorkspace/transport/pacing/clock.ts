/** Time as the transport sees it, so that tests can bring their own. */
export interface Clock {
	/** A moment in ms, to be compared with others of this clock: setting the time does not move it. */
	now(): number;
	/** The date and time, in ms since 1970. */
	date(): number;
	/** Resolves after `ms` milliseconds, or as soon as `cancel` is aborted. Never rejects. */
	wait(ms: number, cancel?: AbortSignal): Promise<void>;
}

/** The real time. A wait that is cancelled leaves no timer that would keep n8n running. */
export const realClock: Clock = {
	now: () => performance.now(),

	date: () => Date.now(),

	async wait(ms, cancel) {
		if (cancel?.aborted) return;
		const over = AbortSignal.timeout(Math.max(0, Math.ceil(ms)));
		// Each is listened to by itself: Node.js 20 forgets a timeout that is only part of another signal.
		const ends = cancel ? [over, cancel] : [over];
		let end = () => {};
		await new Promise<void>((resolve) => {
			end = resolve;
			for (const one of ends) one.addEventListener('abort', end);
		});
		for (const one of ends) one.removeEventListener('abort', end);
	},
};
