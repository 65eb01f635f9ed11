/**
 * The time of the whole process, in which computing takes none: the clock stands still while
 * anything is ready to run, and then jumps to the wait that ends next.
 */

/** In ms. */
export const minute = 60_000;

/** In ms. */
export const hour = 60 * minute;

const immediately = setImmediate;

/** How long this process has run, in ms, whatever is faked. */
export const realTime = performance.now.bind(performance);

/** How many rounds of the event loop may bring nothing before a run counts as stuck. */
const patience = 10_000;

/** What Node.js refuses, and what it takes for a millisecond. */
const longest = 2 ** 32 - 1;
const longestTimer = 2 ** 31 - 1;

/** What to give the node as its Timeout option, in seconds, so that its guard is known. */
export const timeoutSeconds = 3599;

/**
 * What guards a request over a real network, in ms: that option, its default, and the patience of a
 * list to choose from. It would end while the answer is on its way.
 */
const guardLengths = [timeoutSeconds * 1000, 30_000, 10_000];

let now = Date.UTC(2030, 0, 1);

interface Wait {
	until: number;
	end(): void;
}

/** Those that end next stand last. */
const waits: Wait[] = [];

const guards = new Map<object, Wait>();

/** Whether time passes by itself. */
let isFlowing = false;
let isScheduled = false;

/** In ms since 1970. */
export function currentTime(): number {
	return now;
}

/** Where the service is simulated too: then time passes in `passUntilDone` alone. */
export function fakeTime(): void {
	fakeClocks((controller, ms) => after(ms, () => timeOut(controller)));
	globalThis.setTimeout = ((end: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
		const wait = after(ms, () => end(...given));
		return { wait, ref() {}, unref() {}, hasRef: () => true };
	}) as unknown as typeof setTimeout;
	globalThis.clearTimeout = ((timer?: { wait: Wait }) => {
		if (timer && waits.includes(timer.wait)) waits.splice(waits.indexOf(timer.wait), 1);
	}) as unknown as typeof clearTimeout;
}

/**
 * Where the service is asked over a real network: then time passes by itself, and only what guards a
 * request ends by `endGuards` alone. Timers are real ones.
 */
export function letTimeFlow(): void {
	isFlowing = true;
	fakeClocks((controller, ms) => {
		const end = () => timeOut(controller);
		if (guardLengths.includes(ms)) guards.set(controller, { until: now + ms, end });
		else after(ms > longestTimer ? 1 : ms, end);
	});
	const { setTimeout, clearTimeout } = globalThis;
	globalThis.setTimeout = ((end: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
		const timer = setTimeout(end, ms, ...given);
		if (guardLengths.includes(ms)) {
			const endNow = () => {
				clearTimeout(timer);
				end(...given);
			};
			guards.set(timer, { until: now + ms, end: endNow });
		}
		return timer;
	}) as typeof setTimeout;
	globalThis.clearTimeout = ((timer?: NodeJS.Timeout) => {
		if (timer) guards.delete(timer);
		clearTimeout(timer);
	}) as typeof clearTimeout;
}

function fakeClocks(endIn: (controller: AbortController, ms: number) => void): void {
	Date.now = () => now;
	performance.now = () => now;
	AbortSignal.timeout = (ms) => {
		if (!Number.isInteger(ms) || ms < 0 || ms > longest) {
			throw new RangeError(`AbortSignal.timeout of ${ms}`);
		}
		const controller = new AbortController();
		endIn(controller, ms);
		return controller.signal;
	};
}

function timeOut(controller: AbortController): void {
	controller.abort(new DOMException('The wait is over', 'TimeoutError'));
}

/** Calls `end` when `ms` have passed; those that end at the same time in the order of the calls. */
export function after(ms: number, end: () => void): Wait {
	const wait = { until: now + Math.max(0, Math.ceil(ms)), end };
	let at = waits.length;
	while (at > 0 && waits[at - 1].until <= wait.until) at--;
	waits.splice(at, 0, wait);
	if (isFlowing) flow();
	return wait;
}

function flow(): void {
	if (isScheduled) return;
	isScheduled = true;
	immediately(() => {
		isScheduled = false;
		endNext();
		if (waits.length > 0) flow();
	});
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

/**
 * Lets time pass until something is done.
 * @throws Error when nothing is waited for any more and it is not done
 */
export async function passUntilDone<T>(doing: Promise<T>): Promise<T> {
	let isDone = false;
	const settled = doing.finally(() => (isDone = true));
	settled.catch(() => {});
	for (let idle = 0; !isDone; ) {
		await new Promise<void>((resolve) => immediately(resolve));
		if (isDone) break;
		idle = endNext() ? 0 : idle + 1;
		if (idle > patience) throw new Error('It waits for something that never comes');
	}
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

/**
 * Waits for something that takes a part of that time at most, in ms of real time.
 * @throws what `late` gives when it takes longer
 */
export async function inRealTime<T>(
	doing: Promise<T>,
	most: number,
	late: () => Error,
): Promise<T> {
	let timer: NodeJS.Timeout | undefined;
	const isLate = new Promise<never>((_resolve, reject) => {
		timer = setTimeout(() => reject(late()), most);
	});
	try {
		return await Promise.race([doing, isLate]);
	} finally {
		clearTimeout(timer);
	}
}

/** Lets time pass in which nothing happens, in ms. */
export function skip(ms: number): void {
	now += ms;
}

/** Lets every request that is under way run into its timeout. */
export function endGuards(): void {
	const all = [...guards.values()].toSorted((a, b) => a.until - b.until);
	guards.clear();
	for (const { until, end } of all) {
		now = Math.max(now, until);
		end();
	}
}

/** Forgets the waits that no one waits for any more. */
export function forgetWaits(): void {
	waits.length = 0;
	guards.clear();
}
