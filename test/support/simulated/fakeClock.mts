import type { Clock } from '../../../nodes/CrmWorkspace/common/tasks';

/** The time of jest's fake timers. */
export const fakeClock: Clock = {
	now: () => performance.now(),
	wait: async (ms, cancel) =>
		await new Promise((resolve) => {
			const timer = setTimeout(resolve, ms);
			cancel?.addEventListener('abort', () => {
				clearTimeout(timer);
				resolve();
			});
		}),
};
