import { after } from '../lists/time.mts';

/**
 * What the node needs of `AbortSignal`, without the rest of an `EventTarget`: a request takes some
 * signals, and those of Node.js cost more than all else that is simulated.
 */
class QuickSignal {
	aborted = false;

	readonly #listeners = new Set<() => void>();

	static any(signals: QuickSignal[]): QuickSignal {
		const any = new QuickSignal();
		const abort = () => {
			for (const signal of signals) signal.removeEventListener('abort', abort);
			any.abort();
		};
		if (signals.some(({ aborted }) => aborted)) any.aborted = true;
		else for (const signal of signals) signal.addEventListener('abort', abort);
		return any;
	}

	static timeout(ms: number): QuickSignal {
		const signal = new QuickSignal();
		after(ms, () => signal.abort());
		return signal;
	}

	addEventListener(_type: 'abort', listener: () => void): void {
		this.#listeners.add(listener);
	}

	removeEventListener(_type: 'abort', listener: () => void): void {
		this.#listeners.delete(listener);
	}

	abort(): void {
		if (this.aborted) return;
		this.aborted = true;
		for (const listener of [...this.#listeners]) listener();
		this.#listeners.clear();
	}
}

class QuickController {
	readonly signal = new QuickSignal();

	abort(): void {
		this.signal.abort();
	}
}

/** Gives the node quick signals, of faked time. */
export function quickenSignals(): void {
	globalThis.AbortSignal = QuickSignal as never;
	globalThis.AbortController = QuickController as never;
}
