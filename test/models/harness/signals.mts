import { after } from './clock.mts';

// Made once: a stack costs more than a signal.
const isAborted = new DOMException('This operation was aborted', 'AbortError');
const isOver = new DOMException('The wait is over', 'TimeoutError');

/**
 * What the node needs of `AbortSignal`, without the rest of an `EventTarget`: a request takes some
 * signals, and those of Node.js cost more than all else that is simulated.
 */
class QuickSignal {
	aborted = false;
	reason: unknown;

	readonly #listeners = new Set<() => void>();

	static any(signals: QuickSignal[]): QuickSignal {
		const any = new QuickSignal();
		const abort = () => {
			for (const signal of signals) signal.removeEventListener('abort', abort);
			any.abort(signals.find(({ aborted }) => aborted)?.reason);
		};
		if (signals.some(({ aborted }) => aborted)) abort();
		else for (const signal of signals) signal.addEventListener('abort', abort);
		return any;
	}

	static timeout(ms: number): QuickSignal {
		const signal = new QuickSignal();
		after(ms, () => signal.abort(isOver));
		return signal;
	}

	addEventListener(_type: 'abort', listener: () => void): void {
		this.#listeners.add(listener);
	}

	removeEventListener(_type: 'abort', listener: () => void): void {
		this.#listeners.delete(listener);
	}

	abort(reason: unknown = isAborted): void {
		if (this.aborted) return;
		this.aborted = true;
		this.reason = reason;
		for (const listener of [...this.#listeners]) listener();
		this.#listeners.clear();
	}
}

class QuickController {
	readonly signal = new QuickSignal();

	abort(reason?: unknown): void {
		this.signal.abort(reason);
	}
}

/** Gives the node quick signals, of the simulated time. */
export function quickenSignals(): void {
	globalThis.AbortSignal = QuickSignal as never;
	globalThis.AbortController = QuickController as never;
}
