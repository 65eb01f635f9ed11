import { pick } from '../harness/contacts.mts';
import type { Act } from './history.mts';
import { Timelines } from './timelines.mts';

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
	act({ kind, count, where }: Act, at: number): void {
		const all = kind === 'restore' ? this.#gone : this.list;
		const some = all.length > 0 ? pick(all, count, { where, isScattered: false }) : [];
		if (kind === 'create') for (let n = 0; n < count; n++) this.#add(this.#create(), at);
		if (kind === 'repeat') for (const entry of some) this.#add(this.#create(entry), at);
		if (kind === 'delete') for (const entry of some) this.#move(entry, this.list, this.#gone, at);
		if (kind === 'restore') for (const entry of some) this.#move(entry, this.#gone, this.list, at);
	}

	/** @param like another one with the same content */
	#create(like = '{}'): string {
		const text = `entry ${++this.#sequence}`;
		const id = this.hasIds ? { id: this.#sequence } : {};
		return JSON.stringify({ text, ...(JSON.parse(like) as object), ...id });
	}

	#add(entry: string, at: number): void {
		this.list.push(entry);
		this.#note(entry, at);
	}

	#move(entry: string, from: string[], to: string[], at: number): void {
		from.splice(from.indexOf(entry), 1);
		to.push(entry);
		this.#note(entry, at);
	}

	#note(entry: string, at: number): void {
		this.timelines.add(entry, at, this.list.filter((one) => one === entry).length);
	}
}
