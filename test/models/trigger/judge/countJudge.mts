import { identityOf } from '../service/entries.mts';
import type { CountBelief, Knowledge } from './knowledge.mts';
import { goingOf, type Going } from './scope.mts';
import { isFull, Violation, type Emission, type SeenPoll } from './seen.mts';

type Kind = 'activity' | 'task';

/** Of one activity or task: what came out, and what was known. */
export interface CountStep {
	identity: string;
	emissions: Emission[];
	/** How many were known before, if that is certain. */
	known?: number;
}

const collections = { activity: 'activities', task: 'tasks' } as const;
const events = { activity: 'activityAdded', task: 'taskOverdue' } as const;

/**
 * Says whether what came out of a list without pages is what had to.
 * @returns what may be known afterwards, and what came out of each entry
 * @throws Violation
 */
export function judgeEntries(
	kind: Kind,
	before: Knowledge,
	poll: SeenPoll,
): { after: ReadonlyMap<string, CountBelief[]> | undefined; steps: CountStep[] } {
	const collection = collections[kind];
	const emitted = byIdentity(kind, poll);
	if (!poll.settings.events.includes(events[kind])) {
		for (const [identity] of emitted)
			throw new Violation('nothing too much', `${identity} was not asked for`);
		return { after: undefined, steps: [] };
	}
	const going = goingOf(before, poll, collection);
	const { timelines } = poll.workspace[collection];
	const steps: CountStep[] = [];
	const after = new Map<string, CountBelief[]>();
	const known = before[collection];
	for (const identity of new Set([...timelines.names, ...emitted.keys()])) {
		const unknown = going === 'goes on' ? unknownIn(before) : [{ count: 0 }];
		const beliefs = known?.get(identity) ?? unknown;
		const emissions = emitted.get(identity) ?? [];
		const counts = (from: number) => timelines.during(identity, from, poll.to);
		const next = new Steps(kind, poll, going, counts).next(beliefs, emissions.length);
		if (next.length === 0) throw broken(identity, going, beliefs, counts(poll.from), emissions);
		after.set(identity, next);
		const [belief] = beliefs;
		const isCertain = beliefs.length === 1 && !belief.isFree && going === 'goes on';
		if (emissions.length > 0) {
			steps.push({ identity, emissions, known: isCertain ? belief.count : undefined });
		}
	}
	return { after, steps };
}

function unknownIn({ isPartial }: Knowledge): CountBelief[] {
	return isPartial ? [{ count: 0 }, { count: 0, isFree: true }] : [{ count: 0 }];
}

function byIdentity(kind: Kind, poll: SeenPoll): Map<string, Emission[]> {
	const all = new Map<string, Emission[]>();
	const { known } = poll.workspace[collections[kind]];
	for (const emission of poll.emissions) {
		if (emission.event !== events[kind]) continue;
		const { id, text } = emission.record;
		const identity = identityOf(kind, id, text);
		if (known.get(identity) !== JSON.stringify(emission.record)) {
			throw new Violation('nothing made up', JSON.stringify(emission.record));
		}
		all.set(identity, [...(all.get(identity) ?? []), emission]);
	}
	return all;
}

/** What may follow for one entry. */
class Steps {
	readonly #kind: Kind;
	readonly #poll: SeenPoll;
	readonly #going: Going;
	readonly #counts: (from: number) => number[];

	constructor(kind: Kind, poll: SeenPoll, going: Going, counts: (from: number) => number[]) {
		this.#kind = kind;
		this.#poll = poll;
		this.#going = going;
		this.#counts = counts;
	}

	next(beliefs: readonly CountBelief[], emitted: number): CountBelief[] {
		const next: CountBelief[] = [];
		for (const belief of beliefs) {
			if (this.#going !== 'goes on') next.push(...this.#begun(belief, emitted));
			if (this.#going !== 'begins') next.push(...this.#gone(belief, emitted));
		}
		const different = new Map(next.map((belief) => [JSON.stringify(belief), belief]));
		return [...different.values()];
	}

	#begun({ count }: CountBelief, emitted: number): CountBelief[] {
		if (emitted > 0) return [];
		const now = this.#counts(this.#poll.from);
		const begun = [
			...now,
			...now.map((one) => (this.#kind === 'task' ? one : Math.max(one, count))),
		];
		const next: CountBelief[] = begun.map((one) => ({ count: one }));
		if (!this.#poll.isAmple) next.push({ count: 0, isFree: true });
		return next;
	}

	#gone(belief: CountBelief, emitted: number): CountBelief[] {
		const { from, at, isAmple } = this.#poll;
		const { count, late, isFree } = belief;
		const next: CountBelief[] = [];
		for (const now of this.#counts(late?.tick ?? from)) {
			const added = Math.max(0, now - count);
			const known = this.#kind === 'task' ? now : Math.max(now, count);
			if (emitted === added || isFree) next.push({ count: known });
			else if (emitted < added && (isFull(this.#poll) || !isAmple)) {
				next.push({ count: count + emitted, late: late ?? { tick: from, at } });
			}
		}
		if (!isAmple && emitted === 0) next.push(belief);
		return next;
	}
}

function broken(
	identity: string,
	going: Going,
	beliefs: readonly CountBelief[],
	counts: readonly number[],
	emissions: readonly Emission[],
): Violation {
	const known = beliefs.map(({ count }) => count).join(' or ');
	const told = `of ${identity} there were ${counts.join(', then ')}, known were ${known}, and ${emissions.length} came out`;
	if (going === 'begins') return new Violation('the first poll is silent', told);
	const isMissed = beliefs.every(({ count }) =>
		counts.every((now) => now - count > emissions.length),
	);
	return new Violation(isMissed ? 'nothing missed' : 'nothing too much', told);
}
