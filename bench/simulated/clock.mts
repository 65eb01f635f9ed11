/**
 * Simulated time of the whole process: it stands still while anything is ready to run, and then jumps
 * to the end of the next wait.
 */
interface Timer {
	until: number;
	end(): void;
	ref(): void;
	unref(): void;
	hasRef(): boolean;
}

const immediately = setImmediate;
let now = Date.UTC(2030, 0, 1);

/** The one that ends next is the last. */
const timers: Timer[] = [];

/** In ms since 1970. */
export function currentTime(): number {
	return now;
}

/** Replaces clocks and timers. To be called before n8n is loaded. */
export function simulateTime(): void {
	Date.now = currentTime;
	performance.now = currentTime;
	const setTimer = (end: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) =>
		after(ms, () => end(...given));
	const clearTimer = (timer: Timer) => {
		if (timers.includes(timer)) timers.splice(timers.indexOf(timer), 1);
	};
	Object.assign(globalThis, { setTimeout: setTimer, clearTimeout: clearTimer });
	AbortSignal.timeout = (ms) => {
		const controller = new AbortController();
		after(ms, () => controller.abort(new DOMException('The wait is over', 'TimeoutError')));
		return controller.signal;
	};
}

/** Waits so many ms of simulated time. */
export async function pass(ms: number): Promise<void> {
	await new Promise<void>((resolve) => after(ms, resolve));
}

/** Lets time pass until something is done. */
export async function passUntilDone<T>(doing: Promise<T>): Promise<T> {
	let isDone = false;
	const settled = doing.finally(() => (isDone = true));
	settled.catch(() => {});
	for (;;) {
		await new Promise<void>((resolve) => immediately(resolve));
		if (isDone) return await settled;
		const next = timers.pop();
		now = Math.max(now, next?.until ?? 0);
		next?.end();
	}
}

function after(ms: number, end: () => void): Timer {
	const until = now + Math.max(0, Math.ceil(ms));
	const timer = { until, end, ref() {}, unref() {}, hasRef: () => true };
	let at = timers.length;
	while (at > 0 && timers[at - 1].until <= until) at--;
	timers.splice(at, 0, timer);
	return timer;
}
