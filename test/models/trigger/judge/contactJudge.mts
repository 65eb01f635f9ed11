import { differing, type Version } from '../service/contact.mts';
import type { History } from '../history.mts';
import type { ContactBelief, Knowledge } from './knowledge.mts';
import { looksOrdered, orderExcuses } from './orderKnowledge.mts';
import { collectionsOf, goingOf, type Going } from './scope.mts';
import { isFull, Violation, type Emission, type SeenPoll } from './seen.mts';

/** Of one contact: what came out, and as what it was known. */
export interface ContactStep {
	id: string;
	emission: Emission;
	/** Those that it may be of. */
	bases: Array<Version | undefined>;
	versions: Version[];
}

export interface JudgedContacts extends Pick<
	Knowledge,
	'contacts' | 'unsettled' | 'looksOrderedAt'
> {
	steps: ContactStep[];
	/** Whether all contacts were read and told, and there were some. */
	hasSeenSome: boolean;
	/** Whether it is certain to have read all contacts, and no page shifted in the meantime. */
	isWhole: boolean;
	/** Whether the next poll is certain to begin with the first page. */
	hasEnded: boolean;
}

type Outcome = 'none' | 'contactCreated' | 'contactUpdated';

/**
 * Says whether what came out of the list of contacts is what had to: every contact is known as
 * something, and what it has become since is one event or none.
 * @throws Violation
 */
export class ContactJudge {
	readonly #history: History;
	readonly #before: Knowledge;
	readonly #poll: SeenPoll;
	readonly #going: Going;
	readonly #count: (event: string) => void;
	/** Whether pages shifted while they were read. */
	readonly #isDisturbed: boolean;
	/** Whether it had the time for all pages, and the last poll left none of them. */
	readonly #readsAll: boolean;
	readonly #found: number;
	readonly #looksOrderedAt: number;
	readonly #steps: ContactStep[] = [];
	/** Whether the service's clock is ever set back. */
	readonly #isSetBack: boolean;

	constructor(history: History, before: Knowledge, poll: SeenPoll, count: (event: string) => void) {
		this.#history = history;
		this.#isSetBack = history.steps.some(({ clock = 0 }) => clock < 0);
		this.#before = before;
		this.#poll = poll;
		this.#count = count;
		this.#going = goingOf(before, poll, 'contacts');
		this.#readsAll = poll.isAmple && (before.hasEnded || this.#going !== 'goes on');
		const { contacts } = poll.workspace;
		const found = contacts.found(poll.settings.search);
		this.#found = found.length;
		const isChanged = contacts.timelines.changed(poll.from, poll.to).size > 0;
		// What shifts on a single page is seen anyway.
		this.#isDisturbed = isChanged && poll.mostContacts > history.pageSize;
		const looks = looksOrdered(found, poll.settings.events);
		this.#looksOrderedAt = looks ? poll.at : before.looksOrderedAt;
	}

	judge(): JudgedContacts {
		const { settings, workspace, to } = this.#poll;
		const emitted = this.#byId();
		if (!collectionsOf(settings.events).includes('contacts')) {
			for (const id of emitted.keys())
				throw new Violation('nothing too much', `${id} was not asked for`);
			return {
				contacts: undefined,
				unsettled: new Set(),
				looksOrderedAt: -Infinity,
				steps: [],
				hasSeenSome: false,
				isWhole: this.#poll.isAmple,
				hasEnded: true,
			};
		}
		const { timelines } = workspace.contacts;
		const goesOn = this.#going === 'goes on';
		const contacts = new Map(this.#before.contacts);
		const unsettled = new Set(goesOn ? this.#before.unsettled : []);
		const names = goesOn
			? [...timelines.changed(this.#before.tick, to), ...unsettled, ...emitted.keys()]
			: [...timelines.names, ...emitted.keys()];
		for (const id of new Set(names)) {
			const next = this.#next(id, emitted.get(id) ?? []);
			contacts.set(id, next);
			if (this.#isSettled(id, next)) unsettled.delete(id);
			else unsettled.add(id);
		}
		const isWhole = this.#readsAll && !this.#isDisturbed;
		return {
			contacts,
			unsettled,
			looksOrderedAt: this.#looksOrderedAt,
			steps: this.#steps,
			hasSeenSome:
				(goesOn && this.#before.hasSeenSome) || (isWhole && !isFull(this.#poll) && this.#hadSome()),
			isWhole,
			// Of what is left of the last poll it may have told a part: then the next one begins there, too.
			hasEnded: this.#poll.isAmple && (this.#readsAll || !isFull(this.#poll)),
		};
	}

	#byId(): Map<string, Emission[]> {
		const all = new Map<string, Emission[]>();
		for (const emission of this.#poll.emissions) {
			if (!emission.event.startsWith('contact')) continue;
			const id = String(emission.record.id);
			all.set(id, [...(all.get(id) ?? []), emission]);
		}
		return all;
	}

	#isSettled(id: string, beliefs: readonly ContactBelief[]): boolean {
		const [{ base, late, isFree }] = beliefs;
		const [now] = this.#versions(id, this.#poll.to);
		return beliefs.length === 1 && !late && !isFree && (now === undefined || now === base);
	}

	/** As what the list had it since a moment; undefined where it was not in it. */
	#versions(id: string, from: number): Array<Version | undefined> {
		const { settings, workspace, to } = this.#poll;
		const { search } = settings;
		const all = workspace.contacts.timelines.during(id, from, to);
		const found = all.map((version) =>
			search && version?.fields.lastName !== search ? undefined : version,
		);
		return [...new Set(found)];
	}

	#next(id: string, emissions: readonly Emission[]): ContactBelief[] {
		const known = this.#before.contacts?.get(id);
		const unknown: ContactBelief[] = [{ base: undefined }];
		if (this.#before.isPartial) unknown.push({ base: undefined, isFree: true });
		const beliefs = known ?? unknown;
		const next: ContactBelief[] = [];
		if (this.#going !== 'goes on' && emissions.length === 0) next.push(...this.#begun(id, beliefs));
		if (this.#going !== 'begins') next.push(...this.#goneOn(id, beliefs, emissions));
		if (next.length === 0) throw this.#broken(id, beliefs, emissions);
		return distinct(next);
	}

	#begun(id: string, beliefs: readonly ContactBelief[]): ContactBelief[] {
		const now = this.#versions(id, this.#poll.from);
		const next: ContactBelief[] = now.map((base) => ({ base }));
		// Those that are away may be remembered from before, or not.
		if (now.includes(undefined)) next.push(...beliefs.map(({ base }) => ({ base })));
		// Pages that shifted may have hidden it.
		if (this.#isDisturbed) next.push({ base: undefined, late: this.#late() });
		if (!this.#readsAll) next.push({ base: undefined, isFree: true });
		return next;
	}

	#goneOn(
		id: string,
		beliefs: readonly ContactBelief[],
		emissions: readonly Emission[],
	): ContactBelief[] {
		let at = beliefs;
		for (const emission of emissions) at = this.#emitted(id, at, emission);
		return at.flatMap((belief) => this.#quiet(id, belief, emissions.length > 0));
	}

	/** What may be known after an event of the contact. */
	#emitted(id: string, beliefs: readonly ContactBelief[], emission: Emission): ContactBelief[] {
		const next: ContactBelief[] = [];
		const bases: Array<Version | undefined> = [];
		const versions = new Set<Version>();
		let isWrongFields = false;
		for (const belief of beliefs) {
			const { base, late, isFree } = belief;
			for (const version of this.#versions(id, late?.tick ?? this.#poll.from)) {
				if (!version || !this.#shows(emission, version)) continue;
				const isDue = this.#outcomes(id, base, version).includes(emission.event as Outcome);
				if (!isFree && !(isDue && this.#goesOn(emission.event as Outcome))) continue;
				if (!isFree && !this.#tellsFields(emission, base, version)) {
					isWrongFields = true;
					continue;
				}
				next.push({ base: version, late: late && { ...late } });
				bases.push(isFree ? version : base);
				versions.add(version);
			}
		}
		if (next.length === 0 && isWrongFields) {
			throw new Violation(
				'changed fields are those that changed',
				`${emission.changedFields?.join(', ') ?? 'none told'}, of ${JSON.stringify(emission.record)}`,
			);
		}
		this.#steps.push({ id, emission, bases, versions: [...versions] });
		return next;
	}

	/** What may be known of the contact if nothing more came of it in this poll. */
	#quiet(id: string, belief: ContactBelief, hasEmitted: boolean): ContactBelief[] {
		const { base, isFree } = belief;
		const next: ContactBelief[] = [];
		const now = this.#versions(id, this.#poll.from);
		for (const version of now) {
			if (!version) next.push({ ...belief, late: belief.late });
			else if (isFree || this.#isSilent(id, base, version)) next.push({ base: version });
		}
		// It changed in the meantime, and what has come out is what it was before.
		if (hasEmitted && now.length > 1) next.push({ base });
		const excuse = this.#excuse(belief, now);
		if (!excuse) return next;
		if (next.length === 0) this.#count(`late: ${excuse}`);
		return [...next, { ...belief, late: belief.late ?? this.#late() }];
	}

	#late() {
		const { from, at } = this.#poll;
		return { tick: from, at };
	}

	#isSilent(id: string, base: Version | undefined, version: Version): boolean {
		// An event that has just been chosen begins where the first reading has come to.
		if (this.#before.isPartial) return true;
		// One that was away by then as well.
		const { updatesSince } = this.#before;
		const { timelines } = this.#poll.workspace.contacts;
		if (!timelines.during(id, updatesSince, updatesSince).some(Boolean) && base) return true;
		return this.#outcomes(id, base, version).some(
			(outcome) => outcome === 'none' || !this.#goesOn(outcome),
		);
	}

	#goesOn(outcome: Outcome): boolean {
		if (outcome === 'none') return false;
		return this.#before.events.includes(outcome) && this.#poll.settings.events.includes(outcome);
	}

	/** What a contact has become that was known as something: mostly that is no question. */
	#outcomes(id: string, base: Version | undefined, version: Version): Outcome[] {
		if (!base) {
			if (this.#mayHaveBeenThere()) return ['contactCreated', 'contactUpdated', 'none'];
			return this.#poll.settings.search && !this.#isPlainlyNew(id, version)
				? ['contactCreated', 'contactUpdated', 'none']
				: ['contactCreated'];
		}
		if (base === version) return ['none'];
		const { fields } = this.#poll.settings;
		const changed = differing(base, version);
		// Saved without a change, or changed and changed back.
		if (changed.length === 0) return ['none'];
		const isWanted = fields.length === 0 || fields.some((name) => changed.includes(name));
		return isWanted ? ['contactUpdated'] : ['none'];
	}

	/**
	 * That there is no contact at all may be a mistake of the service: what is dated before the first
	 * poll counts as old then.
	 */
	#mayHaveBeenThere(): boolean {
		return !this.#before.hasSeenSome;
	}

	/**
	 * Whether a contact that a search finds can be nothing but a new one: others have come to match,
	 * and who was imported with old dates looks like them.
	 */
	#isPlainlyNew(id: string, { createdAt, isLastCreated }: Version): boolean {
		const timeline = this.#poll.workspace.contacts.timelines.of(id);
		const isOld = timeline.some(
			({ tick, value }) => tick < this.#before.tick && value !== undefined,
		);
		const isDated = createdAt !== undefined && this.#history.variants.form !== 'all equal';
		return isDated && isLastCreated && !isOld && !this.#isSetBack;
	}

	/** Whether there was one all through the poll. */
	#hadSome(): boolean {
		const { names } = this.#poll.workspace.contacts.timelines;
		return [...names].some((name) => this.#versions(name, this.#poll.from).every(Boolean));
	}

	#shows({ record }: Emission, { json }: Version): boolean {
		if (!this.#poll.settings.simplify) return JSON.stringify(record) === json;
		const whole = JSON.parse(json) as Record<string, unknown>;
		const names = Object.keys(record);
		return (
			names.length <= 10 &&
			names.every((name) => JSON.stringify(record[name]) === JSON.stringify(whole[name]))
		);
	}

	#tellsFields(
		{ event, changedFields }: Emission,
		base: Version | undefined,
		version: Version,
	): boolean {
		if (event === 'contactCreated' || !base) return changedFields === undefined;
		const fields = differing(base, version);
		return changedFields !== undefined && [...changedFields].sort().join() === fields.sort().join();
	}

	/** Why an event may come later. */
	#excuse(
		{ base, late }: ContactBelief,
		now: ReadonlyArray<Version | undefined>,
	): string | undefined {
		if (isFull(this.#poll)) return 'as many came as may';
		if (!this.#readsAll) return 'no time, or faults';
		if (this.#isDisturbed) return 'the list changed while it was read';
		const { pageSize } = this.#history;
		if (this.#found <= pageSize) return undefined;
		return orderExcuses(this.#history, this.#poll, {
			base,
			now,
			looksOrderedAt: this.#looksOrderedAt,
			lateSince: late?.at,
		});
	}

	#broken(
		id: string,
		beliefs: readonly ContactBelief[],
		emissions: readonly Emission[],
	): Violation {
		const versions = this.#poll.workspace.contacts.timelines.of(id);
		const name = versions.find(({ value }) => value)?.value?.fields.firstName ?? '?';
		const now = this.#versions(id, this.#poll.from).map((version) => version?.json ?? 'away');
		const known = beliefs.map(({ base }) => base?.json ?? 'not at all').join('\n    or ');
		const came = emissions
			.map(({ event, record }) => `${event} ${JSON.stringify(record)}`)
			.join('\n    and ');
		const told = `contact ${name} ${id}\n  known as ${known}\n  there as ${now.join('\n    then ')}\n  and ${came || 'nothing'} came`;
		if (emissions.length === 0) return new Violation('nothing missed', told);
		const isReal = emissions.every((emission) =>
			versions.some(({ value }) => value && this.#shows(emission, value)),
		);
		if (!isReal) return new Violation('nothing made up', told);
		const isFirst = this.#going === 'begins';
		return new Violation(isFirst ? 'the first poll is silent' : 'nothing too much', told);
	}
}

function distinct(beliefs: readonly ContactBelief[]): ContactBelief[] {
	const result: ContactBelief[] = [];
	for (const belief of beliefs) {
		const same = result.find(
			({ base, isFree, late }) =>
				base === belief.base && isFree === belief.isFree && !late === !belief.late,
		);
		if (!same) result.push(belief);
		// Where it is late in two ways, the later deadline is the just one, and the earlier sight.
		else if (same.late && belief.late) {
			same.late = {
				tick: Math.min(same.late.tick, belief.late.tick),
				at: Math.max(same.late.at, belief.late.at),
			};
		}
	}
	return result;
}
