import { ContactJudge } from './judge/contactJudge.mts';
import { judgeEntries } from './judge/countJudge.mts';
import { eventNames, type History } from './history.mts';
import { Keys } from './judge/keys.mts';
import { nothing, type Knowledge } from './judge/knowledge.mts';
import { collections, goingOf, leavesOpen, mayHaveBegun } from './judge/scope.mts';
import { Violation, type Emission, type SeenPoll } from './judge/seen.mts';

/**
 * Says whether what comes out of a trigger is right, from nothing but what the service had, what
 * came out, and from which state each poll began.
 */
export class Judge {
	readonly #history: History;
	readonly #count: (event: string) => void;
	readonly keys: Keys;

	constructor(history: History, count: (event: string) => void) {
		this.#history = history;
		this.#count = count;
		this.keys = new Keys(count);
	}

	/**
	 * @param before what the trigger may have known
	 * @returns what it may know now
	 * @throws Violation
	 */
	poll(before: Knowledge, poll: SeenPoll): Knowledge {
		const { settings, emissions } = poll;
		if (settings.limit !== undefined && emissions.length > settings.limit) {
			throw new Violation('no more than the limit', `${emissions.length} came`);
		}
		this.keys.check(emissions);
		const contacts = new ContactJudge(this.#history, before, poll, this.#count).judge();
		const activities = judgeEntries('activity', before, poll);
		const tasks = judgeEntries('task', before, poll);
		const isBeginning = before === nothing || before.events.length < settings.events.length;
		const after: Knowledge = {
			parent: before,
			tick: poll.to,
			events: settings.events,
			search: settings.search,
			...(leavesOpen(before, poll) ? whoseOf(before) : whoseOf(poll)),
			mayHaveBegun: mayHaveBegun(before, poll),
			contacts: contacts.contacts,
			activities: activities.after,
			tasks: tasks.after,
			unsettled: contacts.unsettled,
			looksOrderedAt: contacts.looksOrderedAt,
			hasSeenSome: contacts.hasSeenSome,
			hasEnded: contacts.hasEnded,
			...this.#partiality(before, {
				isWhole: contacts.isWhole,
				isBeginning: isBeginning || isAnother(before, poll),
			}),
			updatesSince: before.events.includes('contactUpdated') ? before.updatesSince : poll.to,
			beginnings: beginningsAfter(before, poll),
		};
		for (const step of contacts.steps) this.keys.addContact(step, poll, before, after);
		for (const { steps } of [activities, tasks]) {
			for (const step of steps) this.keys.addEntries(step, poll, before, after);
		}
		return after;
	}

	/** Where creations are not shown, it takes two more whole passes until nothing is missing. */
	#partiality(
		before: Knowledge,
		{ isWhole, isBeginning }: { isWhole: boolean; isBeginning: boolean },
	): Pick<Knowledge, 'isPartial' | 'passesToGo'> {
		const { stamps, form, isPatchy, totals } = this.#history.variants;
		const isShown = ['both', 'createdAt'].includes(stamps) && form !== 'all equal' && !isPatchy;
		const toGo = isBeginning ? (isShown ? 1 : 2) : before.passesToGo;
		// Without a count the first pass may have missed some: the second is the baseline, too.
		const isCounted = totals === 'both' || totals === 'totalCount';
		const left = isBeginning ? Number(!isCounted) : Math.max(0, toGo - 1);
		const passesToGo = isWhole ? left : toGo;
		return { isPartial: passesToGo > 0, passesToGo };
	}
}

/** What is not asked for any more is forgotten, and begins again when it is chosen again. */
function beginningsAfter(before: Knowledge, poll: SeenPoll): Knowledge['beginnings'] {
	const after = { ...before.beginnings };
	for (const one of collections) if (goingOf(before, poll, one) !== 'goes on') after[one]++;
	return after;
}

function whoseOf({ credential, workspace }: Knowledge | SeenPoll) {
	return { credential, workspace };
}

function isAnother(before: Knowledge, { credential, settings }: SeenPoll): boolean {
	const isSame = JSON.stringify(before.credential) === JSON.stringify(credential);
	return !isSame || before.search !== settings.search || before.events !== settings.events;
}

/**
 * What a poll returned, as events.
 * @throws Violation when it is nothing that a poll returns
 */
export function emissionsOf(returned: unknown): Emission[] {
	if (returned === null) return [];
	const isOne = Array.isArray(returned) && returned.length === 1 && Array.isArray(returned[0]);
	const items = isOne ? (returned[0] as Array<{ json: Emission }>) : [];
	if (items.length === 0) {
		throw new Violation('null for nothing', `it returned ${JSON.stringify(returned)}`);
	}
	for (const { json } of items) {
		const isEvent = eventNames.includes(json?.event) && typeof json.record === 'object';
		if (!isEvent) throw new Violation('nothing made up', JSON.stringify(json));
	}
	return items.map(({ json }) => json);
}
