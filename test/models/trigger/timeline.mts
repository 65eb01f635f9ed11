/** A stretch of a workspace's history. A moment is the number of changes so far. */
export interface Span {
	from: number;
	to: number;
}

/** What each of many things was, from one change to the next. */
export class Timelines<T> {
	readonly #all = new Map<string, Array<{ at: number; value: T }>>();

	/** @param before what a thing is before it is known */
	constructor(private readonly before: T) {}

	get names(): string[] {
		return [...this.#all.keys()];
	}

	add(name: string, at: number, value: T): void {
		const entries = this.#all.get(name) ?? [];
		this.#all.set(name, [...entries.filter((entry) => entry.at < at), { at, value }]);
	}

	at(name: string, moment: number): T {
		return this.#all.get(name)?.findLast(({ at }) => at <= moment)?.value ?? this.before;
	}

	/** Each value that it had from one moment to another, both included. */
	during(name: string, { from, to }: Span): T[] {
		const later = (this.#all.get(name) ?? []).filter(({ at }) => at > from && at <= to);
		return [this.at(name, from), ...later.map(({ value }) => value)];
	}

	/** Whether nothing changed after one moment, up to another. */
	isStill({ from, to }: Span): boolean {
		return [...this.#all.values()].every((all) => all.every(({ at }) => at <= from || at > to));
	}
}
