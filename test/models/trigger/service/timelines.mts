import type { Ticks } from './workspace.mts';

/** What something was since a moment. */
interface Entry<T> {
	tick: number;
	value: T;
}

/** What was when, of many things that have a name each. */
export class Timelines<T> {
	readonly #ticks: Ticks;
	readonly #before: T;
	readonly #all = new Map<string, Array<Entry<T>>>();
	/** The names of what changed, in turn. */
	readonly #log: Array<{ tick: number; name: string }> = [];

	/** @param before what each is before anything is known of it */
	constructor(ticks: Ticks, before: T) {
		this.#ticks = ticks;
		this.#before = before;
	}

	get names(): Iterable<string> {
		return this.#all.keys();
	}

	add(name: string, value: T): void {
		const tick = this.#ticks.now;
		const entries = this.#all.get(name);
		// What no one could have seen was not.
		if (entries?.at(-1)?.tick === tick) entries.pop();
		if (entries) entries.push({ tick, value });
		else this.#all.set(name, [{ tick, value }]);
		this.#log.push({ tick, name });
	}

	of(name: string): ReadonlyArray<Entry<T>> {
		return this.#all.get(name) ?? [];
	}

	/** What it was from one moment to another, both included. */
	during(name: string, from: number, to: number): T[] {
		let atFirst = this.#before;
		const values: T[] = [];
		for (const { tick, value } of this.of(name)) {
			if (tick <= from) atFirst = value;
			else if (tick <= to) values.push(value);
		}
		return [...new Set([atFirst, ...values])];
	}

	/** Since when it is as it is at a moment. */
	since(name: string, moment: number): number {
		return this.of(name).findLast(({ tick }) => tick <= moment)?.tick ?? 0;
	}

	/** The names of what changed after a moment, up to another. */
	changed(after: number, to: number): Set<string> {
		const names = new Set<string>();
		for (let index = this.#log.length - 1; index >= 0; index--) {
			const { tick, name } = this.#log[index];
			if (tick <= after) break;
			if (tick <= to) names.add(name);
		}
		return names;
	}
}
