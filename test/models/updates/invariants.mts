import type { IDataObject } from 'n8n-workflow';
import { contactFieldNames } from '../../../nodes/CrmWorkspace/api/records';
import { isEmpty, type Contacts, type Version } from '../harness/contacts.mts';
import { Violation } from '../harness/violation.mts';
import { tagNames, type Field, type History, type Row, type Values } from './history.mts';
import { idOf, type Asking, type Run } from './play.mts';

const wrongContact = 'no row reaches the wrong contact';

/** What is checked of a contact by itself: a field, or whether it has a tag. */
type Aspect = { field: Field; tag?: string };

const aspects: Aspect[] = [
	...contactFieldNames.filter((field) => field !== 'tags').map((field) => ({ field })),
	// What an empty cell of a list must not become is one, too.
	...[...tagNames, 'null'].map((tag): Aspect => ({ field: 'tags', tag })),
];

/** The value of an aspect; empty for none. */
function valueIn(values: Values, { field, tag }: Aspect): string {
	const value = values[field];
	if (tag) return [value].flat().includes(tag) ? tag : '';
	return isEmpty(value) ? '' : String(value);
}

/** The value that a row gives an aspect; undefined if it isn't meant to change. */
function meant(row: Row, { execution }: Run, aspect: Aspect): string | undefined {
	const { given, isRefused } = row;
	if (isRefused) return undefined;
	const { field, tag } = aspect;
	const clears = execution.options.emptyValues === 'clear' && field !== 'email';
	if (!(field in given) || (!clears && isEmpty(given[field]))) return undefined;
	const value = valueIn(given, aspect);
	if (!tag || execution.options.tagMode === 'replace') return value;
	if (!value) return undefined;
	return execution.options.tagMode === 'add' ? value : '';
}

/** Holds what came of a history against what a user relies on. @throws Violation */
export function check(history: History, runs: Run[], contacts: Contacts): void {
	const all = history.people.map((_, contact) => contacts.findVersions(idOf(contact)));
	for (const run of runs) {
		for (const [index, row] of run.rows.entries()) checkItem(run, row, run.items[index], all);
		checkOrder(history, run, all);
	}
	for (const contact of all.keys()) {
		for (const aspect of aspects) checkValue(history, runs, all, contact, aspect);
	}
}

/** What a contact was for an execution while it ran. */
function versionsDuring({ from, to, seesPast }: Run, versions: Version[]): Version[] {
	const sees = seesPast ? 0 : from;
	return versions.filter(({ at }, place) => at <= to && !(versions[place + 1]?.at <= sees));
}

/** Whether a row may be for a contact: it had the row's address while the execution ran. */
function isPossible(run: Run, { who }: Row, versions: Version[]): boolean {
	return versionsDuring(run, versions).some(({ values }) => values.email === who);
}

const byOf = ({ asked }: Version) => asked?.by as Asking | undefined;

const isOfRun = (version: Version, run: Run) => byOf(version)?.execution === run.number;

/** Whether what an item says is true of its contact. */
function checkItem(run: Run, row: Row, item: IDataObject | undefined, contacts: Version[][]): void {
	if (!item && run.error === undefined) throw new Violation('one item for each row', row.name);
	if (!item || item.error !== undefined) return;
	if (row.isRefused) throw new Violation('what is no value is refused', row.name);
	const all = contacts.find((_all, contact) => idOf(contact) === item.id);
	if (!all || !isPossible(run, row, all)) throw new Violation(wrongContact, row.name);
	const versions = versionsDuring(run, all);
	const isMet = ({ values }: Version) =>
		aspects.every((one) => [undefined, valueIn(values, one)].includes(meant(row, run, one)));
	const isOwn = (version: Version) =>
		isOfRun(version, run) && byOf(version)!.attempt === run.attempt && version.asked!.answer;
	const result = item._result;
	const isTrue =
		(result === 'updated' && versions.some((one) => isOwn(one) && isMet(one))) ||
		(result === 'unchanged' && versions.some(isMet)) ||
		(result === 'wouldUpdate' && run.execution.options.dryRun);
	if (!isTrue) throw new Violation('results are true', `${row.name} is ${String(result)}`);
}

/**
 * Each row is for the contact that has its address once all rows before it are done, and if nothing
 * is in its way it is done.
 */
function checkOrder(history: History, run: Run, contacts: Version[][]): void {
	const { isSideBySide, faults, variant, people } = history;
	const { dryRun, tagMode, unmappedFields } = run.execution.options;
	const hasWritten = contacts.flat().some((version) => isOfRun(version, run));
	if (dryRun && hasWritten) throw new Violation('a dry run writes nothing', '');
	const emptiesAddress = variant.empties.some((name) => name === 'email');
	if (isSideBySide || faults.length > 0 || emptiesAddress || run.attempt > 0 || dryRun) return;
	const isPlain = variant.empties.length === 0 && !variant.ignoresNull && variant.lag <= 0;
	const isEasy = isPlain && tagMode === 'replace' && unmappedFields === 'auto';
	const isAccepted = people.every(({ source }) => source !== 'import');
	const addresses = contacts.map(
		(versions) => versions.findLast(({ at }) => at <= run.from)!.values.email,
	);
	for (const [index, row] of run.rows.entries()) {
		const { name, who, given } = row;
		const item = run.items[index];
		const isDone = item && item.error === undefined;
		const contact = addresses.indexOf(who);
		if (isDone && item.id !== idOf(contact)) throw new Violation(wrongContact, name);
		const isTaken = addresses.includes(given.email) && given.email !== who;
		const changes = aspects.some((aspect) => meant(row, run, aspect) !== undefined);
		if (row.isRefused) continue;
		if (item && !isDone && contact >= 0 && !isTaken && changes && isEasy && isAccepted) {
			throw new Violation('no error without a reason', `${name}: ${String(item.error)}`);
		}
		if (isDone && given.email) addresses[contact] = given.email;
		// The service may have made an update that ended with an error.
		else if (given.email && !isEasy) return;
	}
}

/** A contact ends with the values that it had or was given, or a message names the loss. */
function checkValue(
	{ isSideBySide, variant }: History,
	runs: Run[],
	contacts: Version[][],
	contact: number,
	aspect: Aspect,
): void {
	const isPreserved = runs.every((run) => run.execution.options.unmappedFields === 'preserve');
	// Elsewhere, a field that isn't shown has no value.
	if (!isPreserved && variant.hides.some((name) => name === aspect.field)) return;
	const versions = contacts[contact];
	let allowed = [valueIn(versions[0].values, aspect)];
	for (const run of runs) {
		for (const [index, row] of run.rows.entries()) {
			const value = meant(row, run, aspect);
			if (value === undefined || run.execution.options.dryRun || !isPossible(run, row, versions))
				continue;
			const item = run.items[index];
			const isDone = item && item.error === undefined;
			// Done with another contact in the last try, it was perhaps this one in a try before.
			if (isDone && item.id !== idOf(contact) && run.attempt === 0) continue;
			const isSeen = !run.seesPast && !isSideBySide;
			const isCertain = isDone && item.id === idOf(contact) && isSeen;
			allowed = isCertain ? [value] : [...allowed, value];
		}
	}
	const now = valueIn(versions.at(-1)!.values, aspect);
	const texts = runs.flatMap(({ items, error, hints }) => [
		...items.map((item) => item?.error),
		...[error, ...hints],
	]);
	const isTold = (value: string) => value && texts.some((text) => String(text).includes(value));
	if (allowed.includes(now) || allowed.some(isTold)) return;
	const what = `${aspect.field} is “${now}” instead of “${allowed.join('” or “')}”`;
	throw new Violation('no value is lost without a word', `c${contact + 1}: ${what}`);
}
