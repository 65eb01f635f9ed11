import type { IDataObject } from 'n8n-workflow';
import type { ContactFinder, Lookup } from '../../service/contactFinder';
import { yieldToEventLoop } from '../../transport/clock';
import { readContacts } from '../../service/lists/readContacts';
import type { PagesRead } from '../../service/lists/readPages';
import { simplified, simplifiedContactFields } from '../../service/records';
import type { Connection } from '../../transport/connection';
import { ItemProblem } from '../itemProblem';
import { hasCondition, isWanted, type ContactFilter } from './contactFilter';
import { describeUnsettled } from './hints';
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

export function lookupOf({ filter: { email } }: Query): Lookup {
	return email === undefined ? { needsAllContacts: true } : { email };
}

/**
 * The contacts that an item asks for, up to its limit.
 * @throws RequestFailure, or ItemProblem if the result is empty but a match may exist
 */
export async function readWantedContacts(run: ListRun, query: Query): Promise<IDataObject[]> {
	const { limit, filter, isSimplified } = query;
	const candidates = await readCandidates(run, query);
	const wanted: IDataObject[] = [];
	for (const contact of candidates.records) {
		if (wanted.length === limit) break;
		if (isWanted(filter, contact)) wanted.push(isSimplified ? simplify(contact) : contact);
		await yieldToEventLoop();
	}
	if (wanted.length === 0) await throwIfUncertain(run.finder, filter, candidates);
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

/**
 * Makes sure that an empty result is right. Interface: OPEN-7.
 * @throws ItemProblem if the list of contacts may be incomplete, or doesn't show the field that
 * contacts were filtered by
 */
async function throwIfUncertain(
	finder: ContactFinder,
	{ email, tag, source }: ContactFilter,
	{ records, isSettled }: Candidates,
): Promise<void> {
	if (email !== undefined && !isSettled) {
		throw new ItemProblem({
			message: `It's uncertain whether a contact has the email ${email}`,
			advice: 'None was found, but the list of contacts kept changing. Run this item again.',
		});
	}
	for (const [name, wanted] of [['tags', tag] as const, ['source', source] as const]) {
		if (wanted === undefined || records.length === 0) continue;
		const isShown = records.some((contact) => contact[name] !== undefined);
		if (isShown || (await finder.shows(name))) continue;
		throw new ItemProblem({
			message: `The service doesn't show the ${name} of contacts`,
			advice:
				'No contact in its list has any, so the node can’t tell which contacts are wanted. If no contact has any yet, add some to one contact first. Otherwise remove the filter.',
		});
	}
}

/** An entry without any field of a contact stays as it is. */
function simplify(contact: IDataObject): IDataObject {
	const useful = simplified(contact, simplifiedContactFields) as IDataObject;
	return Object.keys(useful).length > 0 ? useful : contact;
}
