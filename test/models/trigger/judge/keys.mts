import type { ContactStep } from './contactJudge.mts';
import type { CountStep } from './countJudge.mts';
import { comesOf, type Knowledge } from './knowledge.mts';
import type { Version } from '../service/contact.mts';
import { Violation, type Emission, type SeenPoll } from './seen.mts';

/** An event that came out once. */
interface Kept {
	/** Whatever comes out with the same key has to have this in common with it. */
	likeness: string;
	/** What an update may have led to. */
	versions?: Version[];
	/** What it is called in stories. */
	told: string;
	after: Knowledge;
	poll: number;
	beginnings: number;
}

/** The keys of all events of a life, also those that n8n lost again. */
export class Keys {
	readonly #byKey = new Map<string, Kept[]>();
	/** By what makes an event the very same, where that is certain. */
	readonly #byEvent = new Map<string, Array<{ key: string; after: Knowledge }>>();
	readonly #count: (event: string) => void;

	constructor(count: (event: string) => void) {
		this.#count = count;
	}

	/** @throws Violation when a key is none, or has come out of the same poll before */
	check(emissions: readonly Emission[]): void {
		const keys = new Set<string>();
		for (const { key, event } of emissions) {
			if (typeof key !== 'string' || key === '' || key.length > 255) {
				throw new Violation('another event, another key', `${String(key)} is no key of ${event}`);
			}
			if (keys.has(key)) {
				throw new Violation('another event, another key', `${key} came twice in one poll`);
			}
			keys.add(key);
		}
	}

	/** Whether an event of another workflow has a key of this one. */
	has(key: string): boolean {
		return this.#byKey.has(key);
	}

	/** @throws Violation */
	addContact(step: ContactStep, poll: SeenPoll, before: Knowledge, after: Knowledge): void {
		const { id, emission, bases, versions } = step;
		const { event, key } = emission;
		const workspace = poll.workspace.name;
		const [version] = versions;
		const isCreated = event === 'contactCreated';
		const kept = {
			beginnings: after.beginnings.contacts,
			likeness: [event, workspace, id, secondOf(version.createdAt)].join(' '),
			versions: isCreated ? undefined : versions,
			told: `${event} ${version.json}`,
		};
		this.#add(key, kept, poll, before, after);

		const from = new Set(bases.map((base) => base?.values));
		if (from.size !== 1 || versions.length !== 1) return;
		const same = isCreated
			? [scopeOf(poll), event, workspace, id, [...from][0]]
			: [scopeOf(poll), event, workspace, id, version.json, [...from][0]];
		this.#same(same.join(' '), [key], before, after);
	}

	/** @throws Violation */
	addEntries(step: CountStep, poll: SeenPoll, before: Knowledge, after: Knowledge): void {
		const { identity, emissions, known } = step;
		const beginnings = after.beginnings[identity.startsWith('task') ? 'tasks' : 'activities'];
		for (const { key } of emissions) {
			this.#add(key, { beginnings, likeness: identity, told: identity }, poll, before, after);
		}
		if (known === undefined || identity.startsWith('task')) {
			// A task that left and came back is another event: each time it is there counts.
			if (known !== 0 || emissions.length !== 1) return;
			const { timelines } = poll.workspace.tasks;
			const since = timelines.since(identity, poll.to);
			const isSteady = timelines.of(identity).length > 0 && since <= poll.from;
			if (isSteady)
				this.#same(`${scopeOf(poll)} ${identity} ${since}`, [emissions[0].key], before, after);
			return;
		}
		const keys = emissions.map(({ key }) => key);
		this.#sameSet(`${scopeOf(poll)} ${identity}`, known, keys, before, after);
	}

	#add(
		key: string,
		kept: Omit<Kept, 'after' | 'poll'>,
		poll: SeenPoll,
		before: Knowledge,
		after: Knowledge,
	): void {
		const earlier = this.#byKey.get(key) ?? [];
		for (const other of earlier) {
			const told = `${key} came with poll ${other.poll} for ${other.told}\n  and now for ${kept.told}`;
			if (isAlike(other, kept) && other.beginnings !== kept.beginnings) {
				// What was forgotten with a search or a choice is shown apart by dates alone, tasks by nothing.
				this.#count('same key again after another beginning');
				continue;
			}
			if (comesOf(before, other.after)) throw new Violation('another event, another key', told);
			if (!isAlike(other, kept)) throw new Violation('another event, another key', told);
		}
		if (earlier.length > 0) this.#count('events again with the same key');
		this.#byKey.set(key, [...earlier, { ...kept, after, poll: poll.number }]);
	}

	#same(event: string, [key]: string[], before: Knowledge, after: Knowledge): void {
		const earlier = this.#byEvent.get(event) ?? [];
		for (const other of earlier) {
			if (comesOf(before, other.after) || other.key === key) continue;
			throw new Violation(
				'the same event, the same key',
				`${other.key}, then ${key}, for ${event}`,
			);
		}
		this.#byEvent.set(event, [...earlier, { key, after }]);
	}

	/** Those of the same content cannot be shown apart: together they have the same keys. */
	#sameSet(
		identity: string,
		known: number,
		keys: readonly string[],
		before: Knowledge,
		after: Knowledge,
	): void {
		const left = new Set(keys);
		const places = keys.map((_, index) => `${identity} ${known + index + 1}`);
		const open: string[] = [];
		for (const place of places) {
			const earlier = this.#byEvent.get(place)?.find((other) => !comesOf(before, other.after));
			if (!earlier) open.push(place);
			else if (!left.delete(earlier.key)) {
				throw new Violation(
					'the same event, the same key',
					`${earlier.key} did not come again for ${place}`,
				);
			}
		}
		for (const place of open) {
			const [key] = left;
			left.delete(key);
			this.#byEvent.set(place, [...(this.#byEvent.get(place) ?? []), { key, after }]);
		}
	}
}

/** What is in each key beside its event. */
function scopeOf({ credential: { id, baseUrl, mode } }: SeenPoll): string {
	return `${id} ${baseUrl} ${mode}`;
}

/** Whether no one who fell back to an earlier state could tell two events apart. */
function isAlike(a: Pick<Kept, 'likeness' | 'versions'>, b: typeof a): boolean {
	if (a.likeness !== b.likeness) return false;
	if (!a.versions || !b.versions) return true;
	return a.versions.some((one) => b.versions!.some((other) => isSame(one, other)));
}

function isSame(one: Version, other: Version): boolean {
	if (one.values !== other.values) return false;
	if (one.changes === other.changes) return true;
	const isDated = one.updatedAt !== undefined && other.updatedAt !== undefined;
	// A key has the second, because a service may write dates with milliseconds or without.
	return !isDated || secondOf(one.updatedAt) === secondOf(other.updatedAt);
}

function secondOf(moment: number | undefined): number | undefined {
	return moment === undefined ? undefined : Math.floor(moment / 1000);
}
