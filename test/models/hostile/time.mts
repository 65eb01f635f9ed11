/**
 * Time of the whole process, in which waiting takes none: a wait ends as soon as everything that is
 * ready has run, and the clock then stands where it ends. Only what guards a request does not end
 * by itself: the server that keeps a request waiting ends it.
 */
let now = Date.UTC(2030, 0, 1);

interface Wait {
	until: number;
	end(): void;
}

let waits: Wait[] = [];
const guards = new Map<object, Wait>();
let isScheduled = false;

/** What the node's Timeout option is, in seconds, unless the input says otherwise. */
export const timeoutSeconds = 3599;

/** What guards a request, in ms: that option, its default, and the patience of a list to choose from. */
const guardLengths = [timeoutSeconds * 1000, 30_000, 10_000];

/** What Node.js refuses, and what it takes for a millisecond. */
const longest = 2 ** 32 - 1;
const longestTimer = 2 ** 31 - 1;

/** Replaces the clocks and the timers that the node, and n8n's requests, use. */
export function fakeTime(): void {
	Date.now = () => now;
	performance.now = () => now;
	AbortSignal.timeout = (ms: number) => {
		if (!Number.isInteger(ms) || ms < 0 || ms > longest) {
			throw new RangeError(`AbortSignal.timeout of ${ms}`);
		}
		const controller = new AbortController();
		const end = () => controller.abort(new DOMException('The wait is over', 'TimeoutError'));
		if (guardLengths.includes(ms)) guards.set(controller, { until: now + ms, end });
		else {
			waits.push({ until: now + (ms > longestTimer ? 1 : ms), end });
			schedule();
		}
		return controller.signal;
	};
	const { setTimeout, clearTimeout } = globalThis;
	const guardedTimeout = (end: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) => {
		const timer = setTimeout(end, ms, ...given);
		if (guardLengths.includes(ms ?? 0)) {
			const endNow = () => {
				clearTimeout(timer);
				end(...given);
			};
			guards.set(timer, { until: now + ms!, end: endNow });
		}
		return timer;
	};
	globalThis.setTimeout = guardedTimeout as typeof setTimeout;
	globalThis.clearTimeout = ((timer?: NodeJS.Timeout) => {
		if (timer) guards.delete(timer);
		clearTimeout(timer);
	}) as typeof clearTimeout;
}

export function currentTime(): number {
	return now;
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

/** Forgets all waits and moves on, so that no run keeps to the pace of another. */
export function leapOn(): void {
	waits = [];
	guards.clear();
	now += 30 * 60_000;
}

function schedule(): void {
	if (isScheduled) return;
	isScheduled = true;
	setImmediate(() => {
		isScheduled = false;
		const [first] = [...waits].sort((a, b) => a.until - b.until);
		if (!first) return;
		waits.splice(waits.indexOf(first), 1);
		now = Math.max(now, first.until);
		first.end();
		if (waits.length > 0) schedule();
	});
}
