import { Violation } from '../harness/violation.mts';
import { changedFields as fieldNames, compareFields, type Version } from '../harness/contacts.mts';
import { findVersion, isAlike, recallContacts, takeLast } from './knowledge.mts';
import type { Emission, KnownContacts, Poll } from './knowledge.mts';

/**
 * Whether what came out of a poll may come.
 * @param polls those that have led to the state that it found
 * @throws Violation
 */
export function checkEvents(polls: readonly Poll[], poll: Poll): void {
	const { emissions, settings } = poll;
	const { limit = Infinity } = settings;
	if (emissions.length > limit) {
		throw new Violation('no more than the limit', `${emissions.length} events, not ${limit}`);
	}
	const known = recallContacts(polls, poll);
	for (const emission of emissions) {
		const { event, record, changedFields } = emission;
		// An event that was chosen just now begins with the next poll.
		const isChosen = [poll, polls.at(-1)].every((one) => one?.settings.events.includes(event));
		const isOfContact = event.startsWith('contact');
		const problem = !isChosen
			? "The event wasn't chosen by the last poll and this one"
			: isOfContact
				? findContactProblem(known, poll, emission)
				: findEntryProblem(polls, poll, emission);
		if (!problem) continue;
		const evidence = `${event} ${JSON.stringify(record)} ${changedFields?.join() ?? ''}`;
		throw new Violation('nothing too much', `${evidence}\n${problem}\n${tellOf(poll, record.id)}`);
	}
}

/** What a contact was, for the evidence. */
function tellOf({ workspace, to }: Poll, id: unknown): string {
	const versions = workspace.contacts.findVersions(String(id), { from: 0, to });
	return versions.map((version) => `${version.at} ${version.kind}: ${version.json}`).join('\n');
}

function findContactProblem(
	known: KnownContacts | undefined,
	poll: Poll,
	{ event, record, changedFields }: Emission,
): string | undefined {
	const id = String(record.id);
	const version = findVersion(poll, record);
	if (!version) return 'The service showed no such contact';
	if (!known) return 'The first poll is the baseline';
	if (event === 'contactUpdated' && changedFields) {
		const isChange = findBases(known, poll, id).some(
			(base) => `${compareFields(base, version).sort()}` === `${[...changedFields].sort()}`,
		);
		return isChange && changedFields.length > 0 ? undefined : "These fields haven't changed";
	}
	if (event === 'contactUpdated') return 'It has no changed fields';
	if (event === 'contactCreated' && known.emitted.has(id)) return 'It was emitted before';
	return isKnown(known, poll, id) ? 'It was there at the baseline' : undefined;
}

/** Whether a contact was certainly met in the baseline: nothing changed before all were read. */
function isKnown({ from, passes: [first] }: KnownContacts, poll: Poll, id: string): boolean {
	return first?.from === from && isThere(poll, id, from);
}

function isThere(poll: Poll, id: string, at: number): boolean {
	return poll.workspace.contacts.findVersions(id, { from: at, to: at }).length > 0;
}

/** The versions as which the trigger may have learned a contact: the last one that was emitted. */
function findBases(known: KnownContacts, poll: Poll, id: string): Version[] {
	const emitted = known.emitted.get(id);
	if (emitted && emitted.number > known.chosen.number) return [emitted.version];
	const first = known.passes.find(({ from }) => isThere(poll, id, from));
	const window = { from: known.from, to: first?.to ?? poll.to };
	const versions = poll.workspace.contacts.findVersions(id, window);
	return emitted ? [emitted.version, ...versions] : versions;
}

const collections = { activityAdded: 'activities', taskOverdue: 'overdueTasks' } as const;

function findEntryProblem(
	polls: readonly Poll[],
	poll: Poll,
	{ event, record }: Emission,
): string | undefined {
	const { timelines } = poll.workspace[collections[event as keyof typeof collections]];
	const json = JSON.stringify(record);
	if (Math.max(...timelines.during(json, poll)) === 0) return 'The service showed no such record';
	const watching = takeLast(polls, ({ settings }) => settings.events.includes(event));
	const [first] = watching;
	const counts = timelines.during(json, { from: first.from, to: poll.to });
	const atFirst = first.isFaulty ? 0 : Math.min(...timelines.during(json, first));
	// A record that comes back as it was isn't another one.
	const most = Math.max(...counts) - atFirst;
	const times = countEmitted([...watching, poll], event, json);
	return times > most ? `It was emitted ${times} times, not ${most}` : undefined;
}

function countEmitted(polls: Poll[], event: string, json: string): number {
	const emissions = polls.flatMap((poll) => poll.emissions);
	return emissions.filter((one) => one.event === event && JSON.stringify(one.record) === json)
		.length;
}

/**
 * Whether everything that has stayed was emitted.
 * @param polls all that have led to the state: the last ones were without a fault and a change
 * @param isSoon whether an hour hasn't passed: of a list that is sorted by date, only the end with
 *   the news was read
 * @throws Violation
 */
export function checkAllTold(polls: readonly Poll[], isSoon: boolean): void {
	const poll = polls.at(-1)!;
	const known = recallContacts(polls, poll);
	for (const id of known ? poll.workspace.contacts.timelines.all.keys() : []) {
		const versions = poll.workspace.contacts.findVersions(id, { from: 0, to: poll.to });
		if (!isThere(poll, id, poll.to) || (isSoon && mayBeLate(polls, versions))) continue;
		const missed = findMissed(known!, poll, id, versions.at(-1)!);
		if (!missed) continue;
		const emitted = known!.emitted.get(id)?.version.json ?? 'nothing';
		throw new Violation(
			'every event is emitted',
			`${missed}\n${tellOf(poll, id)}\nEmitted: ${emitted}`,
		);
	}
	checkEntriesTold(polls, 'activityAdded');
	checkEntriesTold(polls, 'taskOverdue');
}

/** Whether the list is sorted by date, and a change perhaps not at the end with the news. */
function mayBeLate(polls: readonly Poll[], versions: Version[]): boolean {
	const { variants } = polls[0].workspace.history;
	if (!variants.order.includes('At')) return false;
	const inOrder = [
		'create',
		'repeat',
		...(variants.stampsUpdates ? ['update', 'revert', 'touch'] : []),
	];
	// A poll during which the pages shift may miss a contact.
	const shifted = polls.findLast(({ from, to }) => to > from);
	const isMissed = shifted !== undefined && versions.at(-1)!.at <= shifted.from;
	return isMissed || versions.some(({ kind }) => !inOrder.includes(kind));
}

/** @returns the event that was missed */
function findMissed(known: KnownContacts, poll: Poll, id: string, now: Version) {
	const { events } = poll.settings;
	const bases = findBases(known, poll, id);
	const isMissed = bases.every((base) => compareFields(base, now).length > 0);
	if (events.includes('contactUpdated') && isMissed) return 'contactUpdated';
	if (!events.includes('contactCreated') || known.emitted.has(id)) return undefined;
	const { contacts } = poll.workspace;
	const [first] = contacts.findVersions(id, { from: 0, to: poll.to });
	const isCreated = first.at > known.chosen.to && first.kind !== 'import';
	const isDated = ['ms', 's'].includes(poll.workspace.history.variants.dates);
	if (isCreated && isDated) return 'contactCreated';
	const { from, trusted } = known;
	if (!trusted) return undefined;
	const before = contacts.findVersions(id, { from, to: trusted.to });
	return before.length === 0 ? 'contactCreated' : undefined;
}

/** Each poll saw what was there, so what has come since has to be emitted after it. */
function checkEntriesTold(polls: readonly Poll[], event: keyof typeof collections): void {
	const watching = takeLast(polls, ({ settings }) => settings.events.includes(event));
	// One that comes back as it was isn't emitted again.
	const first = watching.find(({ isFaulty }) => !isFaulty);
	if (!first) return;
	const { timelines } = first.workspace[collections[event]];
	const baseline = { from: watching[0].from, to: first.to };
	for (const [json, all] of timelines.all) {
		const due = all.at(-1)!.value - Math.max(...timelines.during(json, baseline));
		const emitted = countEmitted(polls.slice(polls.indexOf(first) + 1), event, json);
		if (emitted >= due) continue;
		throw new Violation('every event is emitted', `${event} ${json}: ${emitted} times, not ${due}`);
	}
}

/** The keys of all events so far, also of those that n8n has forgotten as it was killed. */
export class Keys {
	readonly #eventOf = new Map<string, string>();
	readonly #keyOf = new Map<string, string>();

	/** @param polls those that have led to the state that the poll found @throws Violation */
	check(polls: readonly Poll[], poll: Poll): void {
		const alike = takeLast(polls, (one) => isAlike(one, poll));
		const emitted = new Set(alike.flatMap(({ emissions }) => emissions.map(({ key }) => key)));
		for (const emission of poll.emissions) {
			const { event, key, record } = emission;
			const what = describe(poll, emission);
			if (emitted.has(key))
				throw new Violation('another event, another key', `${key} again: ${what}`);
			emitted.add(key);
			this.#check(this.#eventOf, key, what);
			// All but an update come once, and again only if n8n is killed.
			const isOnce = event !== 'contactUpdated';
			this.#check(
				this.#keyOf,
				isOnce ? what : `${event} ${JSON.stringify(record)} ${poll.state}`,
				key,
			);
		}
	}

	#check(all: Map<string, string>, name: string, value: string): void {
		const before = all.get(name) ?? value;
		if (before === value) all.set(name, value);
		else throw new Violation('the same event, the same key', `${before}, ${value}: ${name}`);
	}
}

/** What a user takes for the same event: of an update, the values. */
function describe(poll: Poll, { event, record }: Emission): string {
	if (event === 'contactCreated') return `${event} ${String(record.id)}`;
	const { values: all } = findVersion(poll, record) ?? {};
	const values = all ? [record.id, fieldNames.map((name) => all[name])] : record;
	return `${event} ${JSON.stringify(values)}`;
}
