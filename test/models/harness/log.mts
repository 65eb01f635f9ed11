import { currentTime } from './clock.mts';

const mostLines = 600;

/** What there was to see in one history. */
export class Log {
	/** How often what happened. */
	readonly events = new Map<string, number>();
	/** Words of the node that are of no known kind. */
	readonly unread = new Set<string>();
	/** What happened, line by line. */
	readonly lines: string[] = [];
	readonly #isTold: boolean;
	#begun: number | undefined;

	/** @param isTold whether to write down what happens, which takes time */
	constructor(isTold = false) {
		this.#isTold = isTold;
	}

	count(event: string, times = 1): void {
		this.events.set(event, (this.events.get(event) ?? 0) + times);
	}

	/** @param what makes the line, where it is written down */
	tell(what: () => string): void {
		if (!this.#isTold || this.lines.length >= mostLines) return;
		this.#begun ??= currentTime();
		const seconds = ((currentTime() - this.#begun) / 1000).toFixed(3);
		this.lines.push(`${seconds.padStart(10)} s  ${what()}`);
	}
}
