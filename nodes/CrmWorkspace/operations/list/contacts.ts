import type { IDataObject } from 'n8n-workflow';
import type { ContactFinder, Lookup } from '../../service/contactFinder';
import { yieldToEventLoop } from '../../transport/clock';
import { readContacts } from '../../service/lists/readContacts';
import type { PagesRead } from '../../service/lists/readPages';
import { pickFields } from '../../service/records';
import type { Connection } from '../../transport/connection';
import { ItemError } from '../itemError';
import { hasCondition, isWanted, type ContactFilter } from './contactFilter';
import { describeNoMatch, describeUnsettled } from './hints';
import type { Query } from './query';

/** What the items of a run share. */
export interface ListRun {
	connection: Connection;
	/** Number of requests that one list may have under way at the same time. */
	concurrency: number;
	/** Reads once for all items. */
	finder: ContactFinder;
	/** Hints for the user, each once. */
	warnings: Set<string>;
}

/** Contacts that were read, and whether an empty result would be certain. */
type Candidates = Pick<PagesRead, 'records' | 'isSettled'>;

/** Whether the finder of the run reads for an item. With a search, the item reads for itself. */
export function needsFinder({ search, filter }: Query): boolean {
	return search === '' && hasCondition(filter);
}

export function getLookup({ filter: { email } }: Query): Lookup {
	return email === undefined ? { needsAllContacts: true } : { email };
}

/**
 * The contacts that an item asks for, up to its limit.
 * @throws RequestFailure, or ItemError if the result is empty but a match may exist
 */
export async function readWantedContacts(run: ListRun, query: Query): Promise<IDataObject[]> {
	const { limit, filter, fields } = query;
	const candidates = await readCandidates(run, query);
	const wanted: IDataObject[] = [];
	const given = (['tag', 'email', 'source'] as const).filter((name) => filter[name] !== undefined);
	const unmet = new Set(given);
	for (const contact of candidates.records) {
		if (wanted.length === limit) break;
		for (const name of unmet) if (isWanted({ [name]: filter[name] }, contact)) unmet.delete(name);
		if (isWanted(filter, contact)) wanted.push(fields ? pickFields(contact, fields) : contact);
		await yieldToEventLoop();
	}
	if (wanted.length > 0) return wanted;
	throwIfUncertain(filter, candidates);
	const [first] = unmet;
	if (first) run.warnings.add(describeNoMatch(filter[first]!, candidates.records));
	return wanted;
}

/** The contacts to filter: they include those wanted. */
async function readCandidates(run: ListRun, query: Query): Promise<Candidates> {
	const { connection, concurrency, finder, warnings } = run;
	const { search, filter } = query;
	if (needsFinder(query) && filter.email !== undefined) {
		const records = await finder.withEmail(filter.email);
		return { records, isSettled: records.length > 0 || (await finder.everyContact()).isSettled };
	}
	const limit = hasCondition(filter) ? Infinity : query.limit;
	const read = needsFinder(query)
		? await finder.everyContact()
		: await readContacts(connection, { limit, search, concurrency });
	if (!read.isSettled) warnings.add(describeUnsettled(read));
	return read;
}

/** @throws ItemError if the result is empty, but the list of contacts may have been incomplete */
function throwIfUncertain({ email }: ContactFilter, { isSettled }: Candidates): void {
	if (email === undefined || isSettled) return;
	throw new ItemError({
		message: `It's uncertain whether a contact has the email ${email}`,
		advice: 'None was found, but the list of contacts kept changing. Run this item again.',
	});
}
