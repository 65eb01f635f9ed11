import { pick, type Act } from '../harness/contacts.mts';
import { Timelines } from '../harness/timelines.mts';

/** The activities or the overdue tasks of the workspace. Each is known by its JSON. */
export class Entries {
	list: string[] = [];
	/** Whether each is there: 1 or 0. */
	readonly timelines = new Timelines(0);
	readonly #gone: string[] = [];
	#sequence = 0;

	/** @param count how many there are at first */
	constructor(count: number) {
		while (this.list.length < count) this.#move(this.#create(), [], this.list, 0);
	}

	/** @param at the moment of the change */
	act({ kind, count, where }: Act, at: number): void {
		const [from, to] = kind === 'restore' ? [this.#gone, this.list] : [this.list, this.#gone];
		const some = pick(from, count, where);
		const isMoved = kind === 'restore' || kind === 'delete';
		if (isMoved) for (const entry of some) this.#move(entry, from, to, at);
		const likes = kind === 'create' ? Array<undefined>(count).fill(undefined) : some;
		const isNew = kind === 'create' || kind === 'repeat';
		if (isNew) for (const like of likes) this.#move(this.#create(like), [], this.list, at);
	}

	/** @param like another one with the same content */
	#create(like = '{}'): string {
		const id = ++this.#sequence;
		return JSON.stringify({ text: `entry ${id}`, ...(JSON.parse(like) as object), id });
	}

	#move(entry: string, from: string[], to: string[], at: number): void {
		if (from.includes(entry)) from.splice(from.indexOf(entry), 1);
		to.push(entry);
		this.timelines.add(entry, at, to === this.list ? 1 : 0);
	}
}
