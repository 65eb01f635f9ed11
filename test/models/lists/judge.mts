import { countOf, limitOf, tellsAll, type History } from './history.mts';
import type { Listed } from './node.mts';
import { looksUnchanged } from './signs.mts';
import { listed as named, type Service } from './service.mts';
import { Violation as Broken } from '../harness/violation.mts';
import { saidBy, type Said } from './words.mts';

/** What has to hold. */
export type Rule =
	| 'no contact twice'
	| 'no more than the limit'
	| 'nothing made up'
	| 'no error'
	| 'nothing lost in silence'
	| 'the hints are true'
	| 'one request for each page that stays'
	| 'it comes to know'
	| 'it ends';

/** Something that must not be. */
export class Violation extends Broken<Rule> {}

/**
 * How old everything has to be for no reader to suspect that it has just come, in ms: the service's
 * time may be shown by another clock than that which dates its records.
 */
const certainlyOld = 120_000;

/**
 * Says whether a list is right, from nothing but what the service had and what the user got.
 * @returns the outcome in a few words
 * @throws Violation
 */
export function judge(history: History, service: Service, listed: Listed): string {
	if (service.requests > service.mostRequests) {
		throw new Violation('it ends', `there were ${service.requests} requests`);
	}
	if (listed.error) {
		const { message, description } = listed.error;
		throw new Violation('no error', [message, description].filter(Boolean).join(' '));
	}
	checkEntries(service, listed);
	if (listed.json.length > limitOf(history)) {
		throw new Violation('no more than the limit', `${listed.json.length} came`);
	}
	const said = listed.hints.flatMap((hint) => saidBy(hint) ?? []);
	if (service.changes === 0) checkUnchanged(history, service, said);
	return outcome(history, service, listed, said);
}

function checkEntries({ collection }: Service, { json }: Listed): void {
	const seen = new Set<string>();
	for (const record of json) {
		const id = String(record.id);
		const known = collection.versions.get(id);
		if (!known?.json.has(JSON.stringify(record))) {
			throw new Violation('nothing made up', JSON.stringify(record));
		}
		if (seen.has(id)) throw new Violation('no contact twice', known.name);
		seen.add(id);
	}
}

function checkUnchanged(history: History, service: Service, said: Said[]): void {
	const claim = said.find((words) => words !== 'nothing of it');
	if (claim) {
		throw new Violation('the hints are true', `nothing changed, and a hint says “${claim}”`);
	}
	const wanted = Math.min(countOf(history), limitOf(history));
	const pages = Math.max(1, Math.ceil(wanted / history.pageSize));
	const { requests, faults } = service;
	const isPlain = isCertain(history);
	const most = faults + (isPlain ? pages : 5 * pages + 10 + history.concurrency);
	if (requests < pages || requests > most) {
		throw new Violation(
			'one request for each page that stays',
			`${requests} requests for ${pages} pages${faults ? ` and ${faults} faults` : ''}`,
		);
	}
}

/** Whether a reader can be certain of a list that does not change. */
function isCertain(history: History): boolean {
	return tellsAll(history) && history.quiet >= certainlyOld;
}

/** Whether what came is whole, or says that it may not be. Interface: LIST-13, LIST-14. */
function outcome(history: History, service: Service, { json }: Listed, said: Said[]): string {
	// Which contacts are the first ones may change: any will do.
	if (json.length === limitOf(history)) return 'as many as wanted';
	const given = new Set(json.map(({ id }) => id));
	const lost = service.steady().filter(({ id }) => !given.has(id));
	const claim =
		said.find((words) => words === 'may be incomplete') ??
		said.find((words) => words !== 'nothing of it') ??
		'no hint';
	if (claim === 'may be incomplete' && service.changes <= 1 && isCertain(history)) {
		throw new Violation('it comes to know', 'one change leaves a round in which nothing changes');
	}
	if (lost.length === 0) return `complete: ${claim}`;
	if (claim === 'may be incomplete') return `incomplete: ${claim}`;
	const seen = new Set(service.looks.flatMap(({ contacts }) => contacts));
	const isUnseen = lost.every((contact) => !seen.has(contact));
	if (isUnseen && service.changes > 0 && looksUnchanged(history, service.looks)) {
		return 'incomplete: every answer as if nothing had changed';
	}
	// One that comes with an old date as another goes, or moves away, cannot be shown from it.
	if (history.variants.keepsOldDates && !service.hasOnlyCreated) {
		return 'incomplete: old dates came in the place of others';
	}
	throw new Violation(
		claim === 'complete after changes' ? 'the hints are true' : 'nothing lost in silence',
		`${named(lost)} ${lost.length === 1 ? 'is' : 'are'} not in the output (${claim})`,
	);
}
