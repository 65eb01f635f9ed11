import { Violation as Broken } from '../harness/violation.mts';
import { compareFields, type Version } from './contacts.mts';
import type { Collection, FieldName, History } from './history.mts';
import {
	entryEvents,
	findVersion,
	toJson,
	type Emission,
	type KnownContacts,
	type KnownEntries,
	type Knowledge,
	type Poll,
} from './knowledge.mts';

/** What has to hold. */
type Rule =
	| 'a key belongs to one event'
	| 'an event told again has the same key'
	| 'nothing is made up'
	| 'nothing too much'
	| 'no more than the limit'
	| 'everything is told'
	| 'a failed poll changes nothing'
	| 'no error without a fault';

export class Violation extends Broken<Rule> {}

/** The keys of all events so far, also of those that n8n forgot as it was killed. */
export class Keys {
	/** The event of each key. */
	readonly #events = new Map<string, string>();
	/** The keys of an event: several for equal records without an ID. */
	readonly #keys = new Map<string, Set<string>>();

	constructor(private readonly hasIds: boolean) {}

	/** @throws Violation */
	check(known: Knowledge, poll: Poll): void {
		const { emissions, state, credentialId } = poll;
		const inPoll = new Map<string, Set<string>>();
		for (const emission of emissions) {
			const { event, key, record } = emission;
			this.#checkNew(emission, known);
			const what = describe(emission, poll);
			const other = this.#events.get(key) ?? what;
			if (other !== what) throw new Violation('a key belongs to one event', `${other}, ${what}`);
			this.#events.set(key, what);
			add(inPoll, `${state} ${event} ${toJson(record)}`, key);
			// A contact is created once, and an activity added once.
			const isOnce = event === 'contactCreated' || (event === 'activityAdded' && this.hasIds);
			if (isOnce) add(inPoll, `${credentialId} ${event} ${String(record.id)}`, key);
		}
		if (new Set(emissions.map(({ key }) => key)).size < emissions.length) {
			throw new Violation('a key belongs to one event', JSON.stringify(emissions));
		}
		for (const [event, keys] of inPoll) this.#checkSame(event, keys);
	}

	/** An event comes again only if n8n was killed before it stored that it came. */
	#checkNew({ event, key, record }: Emission, known: Knowledge): void {
		const { contacts, activities, overdueTasks } = known;
		if (![contacts, activities, overdueTasks].some((one) => one?.keys.has(key))) return;
		throw new Violation('nothing too much', `${event} ${toJson(record)} came with this key before`);
	}

	#checkSame(event: string, keys: Set<string>): void {
		const earlier = this.#keys.get(event) ?? keys;
		const [fewer, more] = earlier.size < keys.size ? [earlier, keys] : [keys, earlier];
		if (![...fewer].every((key) => more.has(key))) {
			const told = `${[...earlier].join()}, then ${[...keys].join()} for ${event.slice(-300)}`;
			throw new Violation('an event told again has the same key', told);
		}
		this.#keys.set(event, more);
	}
}

function add(sets: Map<string, Set<string>>, name: string, value: string): void {
	sets.set(name, new Set([...(sets.get(name) ?? []), value]));
}

/** What a user takes for the same event: of an update, the values. */
function describe({ event, record }: Emission, poll: Poll): string {
	if (event === 'contactCreated') return `${event} ${String(record.id)}`;
	if (event !== 'contactUpdated') return `${event} ${toJson(record)}`;
	const { fields } = findVersion(poll, record) ?? {};
	return `${event} ${String(record.id)} ${JSON.stringify(fields, Object.keys(fields ?? {}).sort())}`;
}

/**
 * Whether what came out of a poll may come.
 * @param before what the trigger may have known
 * @param known what of it the poll left
 * @throws Violation
 */
export function checkEvents(history: History, known: Knowledge, poll: Poll): void {
	const { emissions, settings } = poll;
	const { limit = Infinity } = settings;
	if (emissions.length > limit) {
		throw new Violation('no more than the limit', `${emissions.length} events, not ${limit}`);
	}
	for (const emission of emissions) {
		const problem = emission.event.startsWith('contact')
			? findContactProblem(history, known, poll, emission)
			: findEntryProblem(known, poll, emission);
		if (!problem) continue;
		const { event, record, changedFields = [] } = emission;
		const versions = poll.service.contacts.findVersions(String(record.id), {
			from: 0,
			to: poll.to,
		});
		const shown = versions.map((version) => JSON.stringify(version)).join('\n');
		throw new Violation(
			'nothing too much',
			`${event} ${toJson(record)} ${changedFields.join()}: ${problem}\nIt was:\n${shown}`,
		);
	}
}

function findContactProblem(
	history: History,
	{ contacts: known, settings: before }: Knowledge,
	poll: Poll,
	{ event, record, changedFields }: Emission,
): string | undefined {
	const version = findVersion(poll, record);
	if (!version) throw new Violation('nothing is made up', toJson(record));
	if (!known) return 'the first poll is the baseline';
	if (!poll.settings.events.includes(event)) return "the event isn't chosen";
	if (!before!.events.includes(event)) return 'this poll is the first one with this event';
	const id = String(record.id);
	const { watched } = history;
	if (event === 'contactCreated') return findCreatedProblem(history, known, poll, id);
	if (!changedFields) {
		if (!poll.settings.search) return 'an update without changed fields';
		return isKnown(known, poll, id) ? 'it matched the search before' : undefined;
	}
	const isChange = findSilent(known, poll, id, watched).some(
		(base) => `${compareFields(base, version).sort()}` === `${[...changedFields].sort()}`,
	);
	if (!isChange) return "these fields haven't changed";
	return changedFields.some((name) => isWatched(watched, name)) ? undefined : 'not a watched field';
}

function findCreatedProblem(
	{ budget }: History,
	known: KnownContacts,
	poll: Poll,
	id: string,
): string | undefined {
	if (known.told.has(id)) return 'it was told before';
	// The first ones were created ten minutes before the first poll, at least.
	const isOld = isThere(poll, id, 0);
	// A baseline over several polls may take a contact for new that was created just before it.
	if (isKnown(known, poll, id) && (isOld || budget === undefined)) return 'it was known before';
	const isSecond = known.polls === 1 && isThere(poll, id, known.from);
	// With a count, a pass may be taken for whole if others take the place of deleted contacts.
	const { datesTell, countsAll } = poll.service;
	const isOlder = isOld && isSecond && datesTell && !countsAll;
	return isOlder ? 'it is older than the baseline' : undefined;
}

/** Whether a contact was certainly met in the baseline. */
function isKnown({ from, passes: [first] }: KnownContacts, poll: Poll, id: string): boolean {
	return Boolean(first) && isThere(poll, id, from) && isThere(poll, id, first.from);
}

function isThere({ service, settings }: Poll, id: string, moment: number): boolean {
	const [version] = service.contacts.findVersions(
		id,
		{ from: moment, to: moment },
		settings.search,
	);
	return version !== undefined;
}

/** The versions as which the trigger may have learned a contact: the last one that was told. */
function findBases(known: KnownContacts, poll: Poll, id: string): Version[] {
	const told = known.told.get(id);
	if (told && told.poll > known.chosen.poll) return [told.version];
	const first = known.passes.find(({ from }) => isThere(poll, id, from));
	const window = { from: known.from, to: first?.to ?? poll.to };
	const versions = poll.service.contacts.findVersions(id, window, poll.settings.search);
	return told ? [told.version, ...versions] : versions;
}

/** The same, and each later one without a change that is an event. */
function findSilent(known: KnownContacts, poll: Poll, id: string, watched: FieldName[]): Version[] {
	const bases = findBases(known, poll, id);
	const span = { from: Math.min(...bases.map(({ at }) => at)), to: poll.to };
	const later = poll.service.contacts.findVersions(id, span, poll.settings.search);
	return later.filter((one) => bases.some((base) => isEqual(base, one, watched)));
}

/** Whether two versions differ in no watched field. */
function isEqual(one: Version, other: Version, watched: FieldName[]): boolean {
	return compareFields(one, other).every((name) => !isWatched(watched, name));
}

function isWatched(watched: FieldName[], name: string): boolean {
	return watched.length === 0 || watched.includes(name as FieldName);
}

function findEntryProblem(
	known: Knowledge,
	{ service, settings, from, to, emissions }: Poll,
	{ event, record }: Emission,
): string | undefined {
	const collection = event === 'activityAdded' ? 'activities' : 'overdueTasks';
	const { timelines } = service[collection];
	const json = toJson(record);
	if (!timelines.during(json, { from, to }).some((count) => count > 0)) {
		throw new Violation('nothing is made up', json);
	}
	if (!settings.events.includes(event)) return "the event isn't chosen";
	const { [collection]: entries } = known;
	if (!entries) return 'the first poll is the baseline';
	const counts = timelines.during(json, { from: entries.from, to });
	const told = [...entries.told, ...emissions.map(({ record }) => ({ json: toJson(record) }))];
	const times = told.filter((one) => one.json === json).length;
	const added = counts.reduce(
		(sum, count, at) => sum + Math.max(0, count - (counts[at - 1] ?? count)),
		0,
	);
	if (times > added) return `told ${times} times, added ${added} times`;
	// An activity that comes back isn't another one.
	const [first] = entries.polls;
	const atFirst = first ? Math.min(...timelines.during(json, first)) : 0;
	const isAgain = event === 'activityAdded' && times > Math.max(...counts) - atFirst;
	return isAgain ? `it was told ${times} times, although it was there at the baseline` : undefined;
}

/**
 * Whether everything that has stayed was told.
 * @param poll the last one, after polls without a fault and without a change
 * @param isSoon whether an hour hasn't passed: of a list that is sorted by date, only the end with
 *   the news was read
 * @param calmSince the moment at which the last poll began in which contacts changed
 * @throws Violation
 */
export function checkAllTold(
	history: History,
	known: Knowledge,
	poll: Poll,
	{ isSoon, calmSince }: { isSoon: boolean; calmSince: number },
): void {
	for (const id of known.contacts ? poll.service.contacts.timelines.names : []) {
		const all = poll.service.contacts.findVersions(
			id,
			{ from: 0, to: poll.to },
			poll.settings.search,
		);
		const now = all.at(-1);
		if (!now || !isThere(poll, id, poll.to) || (isSoon && mayBeLate(history, all, calmSince)))
			continue;
		const missed = findMissed(history, known.contacts!, poll, id, now);
		if (!missed) continue;
		const told = JSON.stringify(known.contacts!.told.get(id)) ?? 'nothing';
		const shown = all.map((version) => JSON.stringify(version)).join('\n');
		throw new Violation('everything is told', `${missed} ${id}\nTold: ${told}\nIt was:\n${shown}`);
	}
	checkEntriesTold('activities', known.activities?.polls.slice(0, 1), known.activities, poll);
	checkEntriesTold('overdueTasks', known.overdueTasks?.polls, known.overdueTasks, poll);
}

/** Whether a change is perhaps not at the end of the list with the news. */
function mayBeLate({ variants, budget }: History, versions: Version[], calmSince: number): boolean {
	if (!/At/.test(variants.order)) return false;
	const { at } = versions.at(-1)!;
	const isOutOfOrder = versions.some((version) => {
		if (version.kind === 'create' || version.kind === 'repeat') return false;
		return !variants.stampsUpdates || version.kind === 'import' || version.kind === 'restore';
	});
	return isOutOfOrder || at <= calmSince || budget !== undefined;
}

function findMissed(
	{ watched }: History,
	known: KnownContacts,
	poll: Poll,
	id: string,
	now: Version,
): string | undefined {
	const { events, search } = poll.settings;
	const bases = findBases(known, poll, id);
	const isUpdateMissed = !bases.some((base) => isEqual(base, now, watched));
	if (events.includes('contactUpdated') && isUpdateMissed) return 'contactUpdated';
	if (!events.includes('contactCreated') || known.told.has(id)) return undefined;
	const { timelines } = poll.service.contacts;
	const [first] = timelines.during(id, { from: 0, to: poll.to }).filter((one) => one !== undefined);
	const isCreated = first.at > known.chosen.at && first.kind !== 'import';
	if (isCreated && poll.service.datesTell) return 'contactCreated';
	const { trustedAt } = known;
	if (trustedAt === undefined || search) return undefined;
	const before = timelines.during(id, { from: known.from, to: trustedAt });
	return before.every((version) => !version) ? 'contactCreated' : undefined;
}

/** @param polls those after which what wasn't there has to be told */
function checkEntriesTold(
	collection: Exclude<Collection, 'contacts'>,
	polls: KnownEntries['polls'] = [],
	known: KnownEntries | undefined,
	{ service, to }: Poll,
): void {
	const { timelines } = service[collection];
	for (const json of timelines.names) {
		for (const [index, { number, from, to: end }] of polls.entries()) {
			const span = { from: index === 0 ? known!.from : from, to: end };
			const due = timelines.at(json, to) - Math.max(...timelines.during(json, span));
			const told = known!.told.filter((one) => one.json === json && one.poll > number).length;
			if (told >= due) continue;
			const what = `${entryEvents[collection]} ${json} after poll ${number}`;
			throw new Violation('everything is told', `${what}: ${told} times of ${due}`);
		}
	}
}
