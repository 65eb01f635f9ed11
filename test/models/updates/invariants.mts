import type { IDataObject } from 'n8n-workflow';
import { contactFields } from '../harness/contacts.mts';
import type { Log } from '../harness/log.mts';
import { Violation } from '../harness/violation.mts';
import {
	tagNames,
	type Execution,
	type Field,
	type History,
	type Row,
	type Values,
} from './history.mts';
import type { Outcome } from './play.mts';
import { idOf, isEmpty, type Put, type Service } from './service.mts';

/** What is checked of a contact by itself: a field, or whether it has a tag. */
type Aspect = { field: Field; tag?: string };

const aspects: Aspect[] = [
	...contactFields.filter((field) => field !== 'tags').map((field) => ({ field })),
	...tagNames.map((tag): Aspect => ({ field: 'tags', tag })),
];

/** The value of an aspect; empty for none. Addresses are the same in upper and lower case. */
function valueIn(values: Values, { field, tag }: Aspect): string {
	const value = isEmpty(values[field]) ? '' : values[field];
	if (tag) return [value].flat().includes(tag) ? tag : '';
	return field === 'email' ? String(value).toLowerCase() : String(value);
}

const addressIn = (values: Values) => valueIn(values, { field: 'email' });

/** A row with what it means for its contact, and what came of it. */
class Line {
	readonly row: Row;
	readonly item: IDataObject | undefined;
	/** The fields that it writes or clears. */
	readonly mapped: Values;
	/** The contact that its item is of; undefined for an error, and where the run ended with one. */
	readonly doneWith: number | undefined;
	/** All contacts that it may be for, whatever the other rows come to. */
	readonly possible = new Set<number>();
	readonly #tags: Execution['tags'];

	constructor(row: Row, item: Line['item'], { emptyValues, tags }: Execution, contacts: number[]) {
		const isMapped = ([name, value]: [string, unknown]) =>
			!isEmpty(value) || (emptyValues === 'clear' && name !== 'email');
		this.row = row;
		this.item = item;
		this.mapped = Object.fromEntries(Object.entries(row.given).filter(isMapped));
		this.doneWith =
			item && !item.error ? contacts.findIndex((one) => idOf(one) === item.id) : undefined;
		this.#tags = tags;
	}

	/** How it names its contact, as the service does. */
	get who(): string {
		const { who } = this.row;
		return typeof who === 'number' ? idOf(who) : who.toLowerCase();
	}

	get address(): string | undefined {
		return 'email' in this.mapped ? addressIn(this.mapped) : undefined;
	}

	/** The value that an aspect gets; undefined where it is not meant to change. */
	meant(aspect: Aspect): string | undefined {
		if (!(aspect.field in this.mapped)) return undefined;
		const value = valueIn(this.mapped, aspect);
		if (!aspect.tag || this.#tags === 'replace') return value;
		if (!value) return undefined;
		return this.#tags === 'add' ? value : '';
	}
}

/** An execution with its rows. */
interface Run {
	execution: Execution;
	outcome: Outcome;
	lines: Line[];
	/** Its PUTs: those of all tries, and those of the last one. */
	puts: Put[];
	lastPuts: Put[];
}

/** Holds what came of a history against what a user relies on. @throws Violation */
export function check(history: History, service: Service, outcomes: Outcome[], log: Log): void {
	new Check(history, service, outcomes, log).all();
}

class Check {
	readonly #history: History;
	readonly #service: Service;
	readonly #log: Log;
	readonly #runs: Run[];
	readonly #contacts: number[];
	/** How its executions were to one another, for the words of violations. */
	readonly #how: string;
	/** By contact, all addresses that it may have. */
	readonly #addresses: Array<Set<string>>;

	constructor(history: History, service: Service, outcomes: Outcome[], log: Log) {
		this.#history = history;
		this.#service = service;
		this.#log = log;
		const isAlone = outcomes.length === 1;
		this.#how = isAlone ? 'alone' : history.isSideBySide ? 'side by side' : 'in turn';
		const contacts = (this.#contacts = [...service.versions.keys()]);
		this.#runs = outcomes.map((outcome, number) => {
			const { rows, items, tries } = outcome;
			const execution = history.executions[number];
			const lines = rows.map((row, index) => new Line(row, items[index], execution, contacts));
			const puts = service.puts.filter(({ by }) => by.execution === number);
			const lastPuts = puts.filter(({ by }) => by.attempt === tries - 1);
			return { execution, outcome, lines, puts, lastPuts };
		});
		this.#addresses = service.versions.map(([{ values }]) => new Set([addressIn(values)]));
		for (let before = -1, now = 0; now > before; [before, now] = [now, this.#spread()]);
	}

	/** Spreads what rows and addresses are possible. @returns how many are */
	#spread(): number {
		const lines = this.#runs.flatMap((run) => run.lines);
		for (const { row, who, possible, address } of lines) {
			for (const [contact, addresses] of this.#addresses.entries()) {
				if (row.who === contact || addresses.has(who)) possible.add(contact);
				if (address && possible.has(contact)) addresses.add(address);
			}
		}
		const sets = [...this.#addresses, ...lines.map(({ possible }) => possible)];
		return sets.reduce((sum, { size }) => sum + size, 0);
	}

	all(): void {
		for (const run of this.#runs) {
			for (const line of run.lines) this.#checkItem(run, line);
			this.#checkPuts(run);
			this.#checkWho(run);
		}
		for (const contact of this.#contacts) {
			for (const aspect of aspects) this.#checkValue(contact, aspect);
		}
	}

	/** Whether what an item says was true of its contact when it was written or read. */
	#checkItem({ execution, outcome, lines, lastPuts }: Run, line: Line): void {
		const { row, item, doneWith: contact } = line;
		if (!item && outcome.error === undefined)
			throw new Violation('one item for each row', row.name);
		if (!item || contact === undefined) return;
		const where = `${this.#how}\n${row.name} with c${contact + 1}`;
		if (contact < 0) throw new Violation('no row reaches the wrong contact', where);
		const isMet = (values: Values) =>
			aspects.every((one) => {
				const isRight = [undefined, valueIn(values, one)].includes(line.meant(one));
				return isRight || this.#isUnknowable(contact, one.field, line);
			});
		const puts = lastPuts.filter((put) => put.contact === contact);
		if (item._result === 'updated' && !puts.some((put) => put.isAccepted && isMet(put.after)))
			throw new Violation('updated: its values were there', where);
		if (item._result !== 'unchanged' || execution.dryRun) return;
		const versions = this.#service.versions[contact].filter(
			({ at }, place, all) => at <= outcome.to && !(all[place + 1]?.at <= outcome.from),
		);
		if (!versions.some(({ values }) => isMet(values)))
			throw new Violation('unchanged: its values were there', where);
		const isAlone = lines.every((other) => other === line || !other.possible.has(contact));
		if (isAlone && outcome.tries === 1 && puts.length > 0)
			throw new Violation('unchanged: no PUT', where);
	}

	/**
	 * Whether it can't be known if a row has given a field its value: null was ignored and no response
	 * shows it, or someone else has edited the field.
	 */
	#isUnknowable(contact: number, field: Field, { mapped }: Line): boolean {
		const { ignoresNull, response, hides } = this.#history.variants;
		if (this.#isEdited(contact, field)) return true;
		const isShown = response === 'record' || (response === 'partial' && !hides.includes(field));
		if (this.#history.isSideBySide && (field === 'email' || !isShown)) return true;
		return ignoresNull && isEmpty(mapped[field]) && !isShown;
	}

	#isEdited(contact: number, field: Field): boolean {
		return this.#history.edits.some((edit) => edit.contact === contact && edit.field === field);
	}

	#checkPuts({ execution, outcome, lines, puts }: Run): void {
		if (execution.dryRun && puts.length > 0)
			throw new Violation('a dry run writes nothing', `${puts.length} PUTs`);
		for (const { row, possible } of lines) {
			const isOfRow = (value: unknown) => String(value).endsWith(`-of-${row.name}.`);
			const wrong = puts.find(
				({ contact, body }) => !possible.has(contact) && Object.values(body).some(isOfRow),
			);
			if (wrong)
				throw new Violation(
					'no row reaches the wrong contact',
					`${row.name}: c${wrong.contact + 1}`,
				);
		}
		for (const contact of this.#contacts) {
			const rows = lines.filter(({ possible }) => possible.has(contact)).length;
			for (let attempt = 0; attempt < outcome.tries; attempt++) {
				const { length } = puts.filter(
					(put) => put.isAccepted && put.contact === contact && put.by.attempt === attempt,
				);
				if (length > 2 * rows)
					throw new Violation('two PUTs for an item at most', `${length} to c${contact + 1}`);
			}
		}
	}

	/** Whether each row was for the contact that has its address once all rows before it are done. */
	#checkWho(run: Run): void {
		const { execution, outcome, lines, lastPuts } = run;
		// A dry run compares each row with the contact as it is now.
		if (execution.dryRun) return;
		const { isSideBySide, variants } = this.#history;
		const others = this.#runs.filter((other) => other !== run).flatMap((other) => other.lines);
		if (isSideBySide && others.some(({ address }) => address)) return;
		if ((variants.empties as Field[]).includes('email')) return;
		const addressesAt = (moment: number) =>
			this.#service.versions.map((all) =>
				addressIn(all.findLast(({ at }) => at <= moment)!.values),
			);
		const unique = (all: string[][]) => [...new Map(all.map((one) => [one.join(), one])).values()];
		const mustSucceed = this.#isUndisturbed(execution);
		/** The addresses of all contacts, as they may be at this point of the run. */
		let worlds = [addressesAt(outcome.from)];
		// What an earlier try has changed, a repair may have given back.
		for (const [contact, address] of addressesAt(outcome.begun).entries())
			worlds = unique([...worlds, ...worlds.map((world) => world.with(contact, address))]);
		let hasReason = false;
		for (const { row, who, mapped, address, item, doneWith } of lines) {
			const target = (world: string[]) =>
				typeof row.who === 'number' ? row.who : world.indexOf(who);
			const isPossible = (world: string[]) =>
				target(world) >= 0 && (!address || [-1, target(world)].includes(world.indexOf(address)));
			const after = (world: string[]) => (address ? world.with(target(world), address) : world);
			if (doneWith !== undefined) {
				worlds = worlds.filter((world) => isPossible(world) && target(world) === doneWith);
				worlds = unique(worlds.map(after));
				if (worlds.length > 0) continue;
				throw new Violation(
					'no row reaches the wrong contact',
					`${this.#how}\n${row.name} with c${doneWith + 1}`,
				);
			}
			const isRight = !worlds.every(isPossible) || Object.keys(mapped).length === 0;
			hasReason ||= isRight;
			if (mustSucceed && item && !isRight)
				throw new Violation(
					'no error without a reason',
					`${this.#how}\n${row.name}: ${String(item.error)}`,
				);
			// The service may have made it, and it may be undone later.
			const isOnly = lines.filter((some) => some.address === address).length === 1;
			worlds = worlds.flatMap((world) => {
				if (!address || !isPossible(world)) return [world];
				const puts = lastPuts.filter(({ contact }) => contact === target(world));
				const had = puts.map((put) => addressIn(put.after));
				if (!execution.dryRun && !had.includes(address)) return [world];
				const isUndone = execution.dryRun || had.at(-1) === world[target(world)];
				return isOnly && !isUndone ? [after(world)] : [world, after(world)];
			});
		}
		if (outcome.error !== undefined && mustSucceed && !hasReason)
			throw new Violation('no error without a reason', `${this.#how}\n${outcome.error}`);
		if (outcome.error !== undefined || execution.dryRun || isSideBySide) return;
		const end = addressesAt(outcome.to).join();
		if (!worlds.some((world) => world.join() === end))
			throw new Violation(
				'no row reaches the wrong contact',
				`${this.#how}\nthe addresses are ${end}`,
			);
	}

	/** Whether nothing went wrong at the service, nor could anything keep a row from being done. */
	#isUndisturbed({ tags, unmapped }: Execution): boolean {
		const { faults, failingReads, edits, variants, isSideBySide, people } = this.#history;
		const isQuiet = faults.length + edits.length === 0 && !failingReads && !isSideBySide;
		const keepsAll = variants.empties.length === 0 && !variants.ignoresNull;
		const isAccepted = people.every(({ source }) => source !== 'import');
		// Where nothing shows the tags of a contact, they are not known.
		const mayHideTags = unmapped !== 'preserve' && variants.response !== 'record';
		const knowsTags = tags === 'replace' || (variants.missing !== 'absent' && !mayHideTags);
		return isQuiet && keepsAll && isAccepted && knowsTags;
	}

	/** Whether an aspect ends with a value that a row or user meant it to have, or a message names the loss. */
	#checkValue(contact: number, aspect: Aspect): void {
		const { field } = aspect;
		if (this.#isEdited(contact, field)) return;
		const values = this.#service.versions[contact].map((version) =>
			valueIn(version.values, aspect),
		);
		const allowed = this.#allowedAtEnd(contact, aspect, values[0]);
		const now = values.at(-1)!;
		if (allowed.has(now)) return;
		this.#log.count('values lost');
		const lostAt = values.findLastIndex(
			(value, place) => place > 0 && !allowed.has(value) && allowed.has(values[place - 1]),
		);
		const put = this.#service.versions[contact][lostAt]?.put;
		if (put && this.#isExcused(put, field))
			return this.#log.count('values lost, as the documents say');
		const told = [...allowed].filter(Boolean);
		if (told.some((value) => this.#isTold(value, contact)))
			return this.#log.count('values lost, and told');
		const rows = put ? this.#rowsOf(put) : [];
		const kinds = [
			this.#how,
			!put ? 'never there' : field in put.body ? 'overwritten' : 'left out',
			...(rows.some(({ by }) => by === 'list') ? ['chosen from the list'] : []),
		];
		const what = `${field} of c${contact + 1} is “${now}” instead of “${told.join('” or “')}”`;
		throw new Violation('nothing lost in silence', `${kinds.join(', ')}\n${what}`);
	}

	/** All that an aspect may be at the end, if every row has had its effect in its turn. */
	#allowedAtEnd(contact: number, aspect: Aspect, first: string): Set<string> {
		const ends = this.#runs.map(({ execution, outcome, lines }) => {
			let isCertain = false;
			let values: string[] = [];
			for (const line of lines) {
				const value = line.meant(aspect);
				if (value === undefined || !line.possible.has(contact) || execution.dryRun) continue;
				const isDone = line.doneWith === contact;
				// Done with another contact in the last try, it was perhaps this one in a try before.
				if (line.doneWith !== undefined && !isDone && outcome.tries === 1) continue;
				const isKnown = isDone && !this.#isUnknowable(contact, aspect.field, line);
				isCertain ||= isKnown;
				values = isKnown ? [value] : [...values, value];
			}
			return { isCertain, values };
		});
		const fold = (before: string[], isCertain: boolean, values: string[]) =>
			isCertain ? values : [...before, ...values];
		if (!this.#history.isSideBySide)
			return new Set(ends.reduce((all, end) => fold(all, end.isCertain, end.values), [first]));
		const isCertain = ends.some((end) => end.isCertain);
		return new Set(
			fold(
				[first],
				isCertain,
				ends.flatMap(({ values }) => values),
			),
		);
	}

	get #movesAddresses(): boolean {
		const lines = this.#runs.flatMap((run) => run.lines);
		return lines.some(({ address, who }) => address && address !== who);
	}

	/** The rows that a PUT may be for. */
	#rowsOf({ by, contact }: Put): Row[] {
		const { lines } = this.#runs[by.execution];
		return lines.filter(({ possible }) => possible.has(contact)).map(({ row }) => row);
	}

	/** Whether the documents say that this PUT may cost the contact what it leaves out. */
	#isExcused(put: Put, field: Field): boolean {
		const { execution, outcome } = this.#runs[put.by.execution];
		// Another execution may have given the address of a row to another contact.
		if (this.#history.isSideBySide && this.#movesAddresses) return true;
		if (execution.unmapped === 'leave' && this.#history.variants.response !== 'record') return true;
		if (field in put.body) return false;
		if (execution.unmapped === 'leave') return true;
		if (execution.unmapped !== 'auto' || (put.isRead && !this.#history.isSideBySide)) return false;
		const isFound = this.#history.variants.search === 'covers addresses';
		const { email } = put.before;
		const isStale = (row: Row) =>
			!isFound || !email || outcome.chosen[outcome.rows.indexOf(row)] !== email;
		return this.#rowsOf(put).some((row) => row.by === 'id' || (row.by === 'list' && isStale(row)));
	}

	/** Whether an error or a hint names a value of a contact, and the contact. */
	#isTold(value: string, contact: number): boolean {
		const names = [...this.#addresses[contact], idOf(contact)].filter(Boolean);
		const texts = this.#runs.flatMap(({ lines, outcome: { error = '', hints } }) => [
			...lines.map(({ who, item }) => (item?.error ? `${who} ${String(item.error)}` : '')),
			...[error, ...hints],
		]);
		const isNamed = (text: string) => names.some((name) => text.includes(name));
		return texts
			.map((text) => text.toLowerCase())
			.some((text) => text.includes(value.toLowerCase()) && isNamed(text));
	}
}
