/**
 * Time of the whole process, in which nothing takes any: a wait ends as soon as everything that is
 * ready has run, and the clock then stands where the wait ends.
 */
let now = Date.UTC(2030, 0, 1);

interface Wait {
	until: number;
	end(): void;
}

const waits: Wait[] = [];
let isScheduled = false;

/** A wait of exactly this length guards a request. It would end while the answer is on its way. */
const guard = 3_599_000;

/** What to give the node as its Timeout option, in seconds, so that its guard is known. */
export const timeoutSeconds = guard / 1000;

/** Replaces the clock and the timers that the node uses. */
export function fakeTime(): void {
	Date.now = () => now;
	performance.now = () => now;
	AbortSignal.timeout = (ms: number) => {
		const controller = new AbortController();
		if (ms !== guard) {
			waits.push({
				until: now + ms,
				end: () => controller.abort(new DOMException('The wait is over', 'TimeoutError')),
			});
			schedule();
		}
		return controller.signal;
	};
}

/** Lets time pass in which nothing happens, in ms. */
export function passTime(ms: number): void {
	now += ms;
}

/** Forgets waits that nobody waits for any more. */
export function endTime(): void {
	waits.length = 0;
}

function schedule(): void {
	if (isScheduled) return;
	isScheduled = true;
	setImmediate(() => {
		isScheduled = false;
		endNext();
		if (waits.length > 0) schedule();
	});
}

function endNext(): void {
	if (waits.length === 0) return;
	const next = waits.reduce((first, wait) => (wait.until < first.until ? wait : first));
	waits.splice(waits.indexOf(next), 1);
	now = Math.max(now, next.until);
	next.end();
}
