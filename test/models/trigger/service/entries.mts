import type { Act } from '../history.mts';
import { Timelines } from './timelines.mts';
import type { Common } from './workspace.mts';

/** An activity or a task. */
export interface Entry {
	/** What stories call it, and tells it from all others for anyone who reads: its id, or its content. */
	identity: string;
	json: string;
}

const most = 300;

/** The activities of a workspace, or its overdue tasks. */
export class Entries {
	readonly #common: Common;
	readonly #kind: 'activity' | 'task';
	readonly #workspace: string;
	#list: Entry[] = [];
	readonly #gone: Entry[] = [];
	#sequence = 0;
	/** What each was, by identity. */
	readonly known = new Map<string, string>();
	/** How many there are, by identity. */
	readonly timelines: Timelines<number>;

	constructor(common: Common, kind: 'activity' | 'task', workspace: string, count: number) {
		this.#common = common;
		this.#kind = kind;
		this.#workspace = workspace;
		this.timelines = new Timelines(common.ticks, 0);
		for (let index = 0; index < count; index++) this.#add(this.#fresh());
	}

	get list(): readonly Entry[] {
		return this.#list;
	}

	/** @returns what was done, in words; undefined if there was nothing to do it to */
	act(act: Act): string | undefined {
		this.#common.ticks.now++;
		const count = 'pages' in act.amount ? act.amount.pages * 20 : act.amount.records;
		const concerned: Entry[] = [];
		for (let index = 0; index < count; index++) {
			const entry = this.#once(act);
			if (entry) concerned.push(entry);
		}
		if (concerned.length === 0) return undefined;
		return `${act.kind}: ${concerned
			.map(({ identity }) => identity)
			.slice(0, 6)
			.join(' ')}`;
	}

	#once({ kind, where }: Act): Entry | undefined {
		if (kind === 'drop activity' || kind === 'task leaves') return this.#drop(where);
		if (this.#list.length >= most) return undefined;
		if (kind === 'bring back activity' || kind === 'task is back') {
			const at = this.#at(where, this.#gone);
			return this.#gone.length > 0 ? this.#add(this.#gone.splice(at, 1)[0]) : undefined;
		}
		const like =
			kind === 'repeat activity' || kind === 'task like another'
				? this.#list[this.#at(where, this.#list)]
				: undefined;
		return this.#add(this.#fresh(like));
	}

	#drop(where: number): Entry | undefined {
		if (this.#list.length === 0) return undefined;
		const [entry] = this.#list.splice(this.#at(where, this.#list), 1);
		this.#gone.push(entry);
		this.#note(entry);
		return entry;
	}

	#at(where: number, all: readonly Entry[]): number {
		return Math.min(all.length - 1, Math.floor((where / 100) * all.length));
	}

	/** @param like whose content it has */
	#fresh(like?: Entry): Entry {
		const { history, random, time } = this.#common;
		const sequence = ++this.#sequence;
		const { ids } = history.variants;
		const isNamed = ids !== 'none' && (ids !== 'some' || random() < 0.5);
		const id = isNamed
			? ids === 'number'
				? sequence
				: `${this.#workspace}${this.#kind[0]}${sequence}`
			: undefined;
		const { id: _, ...content } = like
			? (JSON.parse(like.json) as Record<string, unknown>)
			: {
					type: random() < 0.5 ? 'call' : 'note',
					text: `${this.#workspace}${this.#kind}${sequence}`,
					at: new Date(time()).toISOString(),
					contact: random() < 0.5 ? null : { id: 'x' },
				};
		const json = JSON.stringify({ ...(id === undefined ? {} : { id }), ...content });
		return { identity: identityOf(this.#kind, id, content.text), json };
	}

	#add(entry: Entry): Entry {
		const { random } = this.#common;
		// In no order: the interface tells none.
		this.#list.splice(Math.floor(random() * (this.#list.length + 1)), 0, entry);
		this.#note(entry);
		return entry;
	}

	#note({ identity, json }: Entry): void {
		this.known.set(identity, json);
		const count = this.#list.filter((entry) => entry.identity === identity).length;
		this.timelines.add(identity, count);
	}
}

/** What an entry is called that has an id or none. */
export function identityOf(kind: 'activity' | 'task', id: unknown, text: unknown): string {
	return `${kind} ${String(text)} ${id === undefined ? 'without id' : `#${String(id)}`}`;
}
