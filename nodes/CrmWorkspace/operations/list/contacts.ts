import type { IDataObject } from 'n8n-workflow';
import { hasValue, type ContactFinder, type Lookup } from '../../service/contactFinder';
import { yieldToEventLoop } from '../../transport/clock';
import { readContacts } from '../../service/lists/readContacts';
import type { PagesRead } from '../../service/lists/readPages';
import { simplified, simplifiedContactFields } from '../../service/records';
import type { Connection } from '../../transport/connection';
import { ItemProblem } from '../itemProblem';
import { hasCondition, isWanted, type ContactFilter } from './contactFilter';
import type { ListHints } from './listHints';
import type { Query } from './query';

export interface ListRun {
	connection: Connection;
	/** How many requests one list may have under way at the same time. */
	concurrency: number;
	finder: ContactFinder;
	listHints: ListHints;
}

/** Contacts that were read, and whether it is certain that none of those asked for is missing. */
type Candidates = Pick<PagesRead, 'records' | 'isSettled'>;

/** Whether an item lists what the finder of the run finds: with a Search, it reads for itself. */
export function needsFinder({ search, filter }: Query): boolean {
	return search === '' && hasCondition(filter);
}

export function lookupOf({ filter: { email } }: Query): Lookup {
	return email === undefined ? { needsAllContacts: true } : { email };
}

/**
 * The contacts that an item asks for, up to its limit.
 * @throws RequestFailure, or ItemProblem where none was found and there may be one
 */
export async function contactsFor(run: ListRun, query: Query): Promise<IDataObject[]> {
	const { limit, filter, isSimplified } = query;
	const candidates = await readCandidates(run, query);
	const wanted: IDataObject[] = [];
	for (const contact of candidates.records) {
		if (wanted.length === limit) break;
		if (isWanted(filter, contact)) wanted.push(isSimplified ? usefulPart(contact) : contact);
		await yieldToEventLoop();
	}
	if (wanted.length === 0) await refuseDoubt(run.finder, filter, candidates);
	return wanted;
}

/** The contacts among which are those wanted. */
async function readCandidates(run: ListRun, query: Query): Promise<Candidates> {
	const { connection, concurrency, finder, listHints } = run;
	const { search, filter } = query;
	if (needsFinder(query) && filter.email !== undefined) {
		const records = await finder.withEmail(filter.email);
		return { records, isSettled: records.length > 0 || (await finder.everyContact()).isSettled };
	}
	const limit = hasCondition(filter) ? Infinity : query.limit;
	const read = needsFinder(query)
		? await finder.everyContact()
		: await readContacts(connection, { limit, search, concurrency });
	listHints.contactsRead(read);
	return read;
}

/**
 * Makes sure, where nothing came out, that there is nothing. Interface: OPEN-7.
 * @throws ItemProblem when an address was looked for in a list that did not settle, or when the
 * service does not show what contacts were to be chosen by
 */
async function refuseDoubt(
	finder: ContactFinder,
	{ email, tag, source }: ContactFilter,
	{ records, isSettled }: Candidates,
): Promise<void> {
	if (email !== undefined && !isSettled) {
		throw new ItemProblem({
			message: `It is not certain that no contact has the email ${email}`,
			advice:
				'None was found, but contacts came or went while they were read. Run this item again.',
		});
	}
	for (const [name, wanted] of [['tags', tag] as const, ['source', source] as const]) {
		if (wanted === undefined || isTold(records, name) || (await finder.shows(name))) continue;
		throw new ItemProblem({
			message: `The service does not show the ${name} of contacts`,
			advice:
				'No contact in its list has any, so those that are wanted cannot be told from the others. If none has any yet, give one contact some first. Otherwise remove the option.',
		});
	}
}

/** Whether these contacts show what they have in a field: all name it, or one has a value there. */
function isTold(contacts: IDataObject[], name: 'tags' | 'source'): boolean {
	const isThere = (contact: IDataObject) => contact[name] !== undefined;
	return contacts.every(isThere) || contacts.some((contact) => hasValue(contact, name));
}

/** An entry that has none of the fields of a contact is left as it is. */
function usefulPart(contact: IDataObject): IDataObject {
	const part = simplified(contact, simplifiedContactFields) as IDataObject;
	return Object.keys(part).length > 0 ? part : contact;
}
