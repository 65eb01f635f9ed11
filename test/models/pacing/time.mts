import type { Clock } from '../../../nodes/CrmWorkspace/transport/pacing/clock';
import { after, currentTime } from '../lists/time.mts';

/** In ms. */
export const minute = 60_000;

/** In ms. */
export const hour = 60 * minute;

/** Lets so many ms pass, or those until `cancel` is aborted. */
export async function pass(ms: number, cancel?: AbortSignal): Promise<void> {
	if (cancel?.aborted) return;
	await new Promise<void>((resolve) => {
		const end = () => {
			cancel?.removeEventListener('abort', end);
			resolve();
		};
		after(ms, end);
		cancel?.addEventListener('abort', end);
	});
}

/** How far apart the clocks of two machines may be, in ms. */
const skew = 500;

/** The clock of a process: when it began and how wrong its machine's time is, nobody else knows. */
export function clockOfProcess(): Clock {
	const origin = currentTime() - Math.random() * hour;
	const wrong = (Math.random() - 0.5) * skew;
	return {
		now: () => currentTime() - origin,
		date: () => currentTime() + wrong,
		// Real timers take that at least.
		wait: async (ms, cancel) => await pass(Math.max(1, ms), cancel),
	};
}
