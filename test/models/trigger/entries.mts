import { pick } from '../harness/contacts.mts';
import type { Act } from './history.mts';
import { Timelines } from './timeline.mts';

/** The activities or the overdue tasks of the workspace. Each is known by its JSON. */
export class Entries {
	list: string[] = [];
	/** How many there are of each. */
	readonly timelines = new Timelines(0);
	readonly #gone: string[] = [];
	#sequence = 0;

	/** @param count how many there are at first */
	constructor(
		private readonly hasIds: boolean,
		count: number,
	) {
		while (this.list.length < count) this.#add(this.#create(), 0);
	}

	/** @param at the moment of the change */
	act(act: Act, at: number): void {
		const all = act.kind === 'restore' ? this.#gone : this.list;
		const some = all.length > 0 ? pick(all, act.count, act) : [];
		if (act.kind === 'create') for (let n = 0; n < act.count; n++) this.#add(this.#create(), at);
		if (act.kind === 'repeat') for (const entry of some) this.#add(this.#create(entry), at);
		if (act.kind === 'delete') for (const entry of some) this.#drop(entry, at);
		if (act.kind === 'restore') for (const entry of some) this.#restore(entry, at);
	}

	/** @param like another one with the same content */
	#create(like = '{}'): string {
		const text = `entry ${++this.#sequence}`;
		const id = this.hasIds ? { id: this.#sequence } : {};
		return JSON.stringify({ text, ...JSON.parse(like), ...id });
	}

	#add(entry: string, at: number): void {
		// In no order: the interface doesn't name one.
		this.list.splice((at * 7) % (this.list.length + 1), 0, entry);
		this.#note(entry, at);
	}

	#drop(entry: string, at: number): void {
		this.list.splice(this.list.indexOf(entry), 1);
		this.#gone.push(entry);
		this.#note(entry, at);
	}

	#restore(entry: string, at: number): void {
		this.#gone.splice(this.#gone.indexOf(entry), 1);
		this.#add(entry, at);
	}

	#note(entry: string, at: number): void {
		this.timelines.add(entry, at, this.list.filter((one) => one === entry).length);
	}
}
