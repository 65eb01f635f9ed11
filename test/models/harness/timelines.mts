/** A stretch of a workspace's history. A moment is the number of changes so far. */
export interface Span {
	from: number;
	to: number;
}

/** What each of many things was, from one change to the next. */
export class Timelines<T> {
	readonly #before: T;
	readonly all = new Map<string, Array<{ at: number; value: T }>>();

	/** @param before what a thing is before it is known */
	constructor(before: T) {
		this.#before = before;
	}

	add(name: string, at: number, value: T): void {
		const earlier = this.all.get(name)?.filter((entry) => entry.at < at) ?? [];
		this.all.set(name, [...earlier, { at, value }]);
	}

	/** Each value that something had from one moment to another, both included. */
	during(name: string, { from, to }: Span): T[] {
		const all = this.all.get(name) ?? [];
		const first = all.findLast(({ at }) => at <= from);
		const later = all.filter(({ at }) => at > from && at <= to);
		return [first ? first.value : this.#before, ...later.map(({ value }) => value)];
	}
}
