import { computed } from './cpuTime.mts';

/** What the thread itself computed, in ms: what other processes took from it does not count. */
interface Computed {
	/** The most between two turns of the event loop. */
	longest: number;
	total: number;
}

/** Watches the event loop while some work is done. */
export async function watchEventLoop<Result>(
	work: () => Promise<Result>,
): Promise<Computed & { result: Result }> {
	const begun = computed();
	let last = begun;
	let longest = 0;
	const turn = () => {
		const now = computed();
		longest = Math.max(longest, now - last);
		last = now;
	};
	const timer = setInterval(turn, 1);
	try {
		const result = await work();
		turn();
		return { result, longest, total: computed() - begun };
	} finally {
		clearInterval(timer);
	}
}
