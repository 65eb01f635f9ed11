/**
 * The time of the whole process, in which computing takes none: the clock stands still while
 * anything is ready to run, and then jumps to the wait that ends next.
 */

/** In ms. */
export const minute = 60_000;

/** In ms. */
export const hour = 60 * minute;

const immediately = setImmediate;

/** How many rounds of the event loop may bring nothing before a run counts as stuck. */
const patience = 10_000;

let now = Date.UTC(2030, 0, 1);

interface Wait {
	until: number;
	end(): void;
}

/** Those that end next stand last. */
const waits: Wait[] = [];

/** In ms since 1970. */
export function currentTime(): number {
	return now;
}

/**
 * Time then passes in `passUntilDone` alone. What Jest shares among the files of a worker is replaced
 * in this one, not changed.
 */
export function fakeTime(): void {
	Date.now = () => now;
	globalThis.performance = Object.create(performance, { now: { value: () => now } });
	const timeout = (ms: number) => {
		const controller = new AbortController();
		after(ms, () => controller.abort(new DOMException('The wait is over', 'TimeoutError')));
		return controller.signal;
	};
	globalThis.AbortSignal = new Proxy(AbortSignal, {
		get: (target, name) => (name === 'timeout' ? timeout : Reflect.get(target, name)),
	});
	globalThis.setTimeout = ((end: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
		const wait = after(ms, () => end(...given));
		return { wait, ref() {}, unref() {}, hasRef: () => true };
	}) as unknown as typeof setTimeout;
	globalThis.clearTimeout = ((timer?: { wait: Wait }) => {
		if (timer && waits.includes(timer.wait)) waits.splice(waits.indexOf(timer.wait), 1);
	}) as unknown as typeof clearTimeout;
}

/** Calls `end` when `ms` have passed; those that end at the same time in the order of the calls. */
function after(ms: number, end: () => void): Wait {
	const wait = { until: now + Math.max(0, Math.ceil(ms)), end };
	let at = waits.length;
	while (at > 0 && waits[at - 1].until <= wait.until) at--;
	waits.splice(at, 0, wait);
	return wait;
}

/** Ends the next wait, if there is one. */
function endNext(): boolean {
	const next = waits.pop();
	if (!next) return false;
	now = Math.max(now, next.until);
	next.end();
	return true;
}

/** Waits until so many ms have passed, or until `cancel` is aborted. */
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

let ending: Error | undefined;

/** Ends what is played with an error, also from within the node, which would catch it. */
export function endPlay(error: Error): void {
	ending ??= error;
}

/**
 * Lets time pass until something is done.
 * @throws Error of `endPlay`, or when nothing is waited for any more and it is not done
 */
export async function passUntilDone<T>(doing: Promise<T>): Promise<T> {
	let isDone = false;
	ending = undefined;
	const settled = doing.finally(() => (isDone = true));
	settled.catch(() => {});
	for (let idle = 0; !isDone; ) {
		await new Promise<void>((resolve) => immediately(resolve));
		if (isDone || ending) break;
		idle = endNext() ? 0 : idle + 1;
		if (idle > patience) throw new Error('It waits for something that never comes');
	}
	if (ending) throw ending;
	return await settled;
}

/**
 * Ends all waits and moves on, so that nothing of what was is remembered as recent.
 * @param ms how far, at least
 * @param within the ms of the second in which time then stands
 */
export function leapOn(ms: number, within: number): void {
	for (const wait of waits.splice(0)) wait.end();
	now = Math.ceil((now + ms) / 1000) * 1000 + within;
}

/** Lets time pass in which nothing happens, in ms. */
export function skip(ms: number): void {
	now += ms;
}

/** Forgets the waits that no one waits for any more. */
export function forgetWaits(): void {
	waits.length = 0;
}
