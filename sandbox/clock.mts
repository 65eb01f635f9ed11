/** The sandbox's clock: real time plus the advanced time. All times are in milliseconds. */
export class Clock {
	#advanced = 0;
	#offset: () => number;

	/** @param offset a further difference from real time, in milliseconds */
	constructor(offset: () => number = () => 0) {
		this.#offset = offset;
	}

	/** @returns the sandbox's time, milliseconds since 1970 */
	now(): number {
		return Date.now() + this.#advanced + this.#offset();
	}

	/** @returns the sandbox's time as an ISO 8601 date-time */
	timestamp(): string {
		return new Date(this.now()).toISOString();
	}

	/** @param milliseconds how far to move the clock forward */
	advance(milliseconds: number): void {
		this.#advanced += milliseconds;
	}

	/** @returns how far the clock is ahead of real time, in milliseconds */
	get advanced(): number {
		return this.#advanced;
	}
}
