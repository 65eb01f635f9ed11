/** Reads the contacts that an item of List asks for, and filters what the service can't. */
import type { IDataObject } from 'n8n-workflow';
import type { ContactFinder } from '../../api/contactFinder';
import { normalizedEmail, parseTime } from '../../api/formats';
import { readContacts, type PagesRead } from '../../api/readContacts';
import { pickFields } from '../../api/records';
import type { Client } from '../../client/request';
import { yieldToEventLoop } from '../../common/tasks';
import { ExplainedError, trim } from '../../common/text';
import type { ContactFilter, Query } from './query';
import { texts } from './texts';

/** What the items of a run share. */
export interface ListRun {
	client: Client;
	/** Number of requests that one list may have under way at the same time. */
	concurrency: number;
	/** Reads once for all items. */
	finder: ContactFinder;
	/** Hints for the user, each once. */
	warnings: Set<string>;
}

/** Whether the finder of the run reads for an item. With a search, the item reads for itself. */
export function needsFinder({ search, filter }: Query): boolean {
	return search === '' && hasCondition(filter);
}

/**
 * The contacts that an item asks for, up to its limit.
 * @throws RequestFailure, or ExplainedError if the result is empty but a match may exist
 */
export async function readWantedContacts(run: ListRun, query: Query): Promise<IDataObject[]> {
	const { limit, filter, fields } = query;
	const candidates = await readCandidates(run, query);
	const wanted: IDataObject[] = [];
	for (const contact of candidates.records) {
		if (wanted.length === limit) break;
		if (isWanted(filter, contact)) wanted.push(fields ? pickFields(contact, fields) : contact);
		await yieldToEventLoop();
	}
	if (wanted.length > 0) return wanted;
	if (filter.email !== undefined && !candidates.isSettled)
		throw new ExplainedError(texts.uncertain(filter.email));
	const isMet = (name: keyof ContactFilter) =>
		candidates.records.some((contact) => isWanted({ [name]: filter[name] }, contact));
	const unmet = (['tag', 'email', 'source'] as const).find((name) => filter[name] && !isMet(name));
	if (unmet) run.warnings.add(texts.noneShows(filter[unmet]!));
	return wanted;
}

/** The contacts to filter: they include those wanted. If they are settled, no others exist. */
async function readCandidates(
	run: ListRun,
	query: Query,
): Promise<Pick<PagesRead, 'records' | 'isSettled'>> {
	const { client, concurrency, finder, warnings } = run;
	const { search, filter } = query;
	if (needsFinder(query) && filter.email !== undefined) {
		const records = await finder.withEmail(filter.email);
		return { records, isSettled: records.length > 0 || (await finder.everyContact()).isSettled };
	}
	const limit = hasCondition(filter) ? Infinity : query.limit;
	const read = needsFinder(query)
		? await finder.everyContact()
		: await readContacts(client, { limit, search, concurrency });
	if (!read.isSettled) warnings.add(texts.mayBeMissing(read.records.length, read.totalCount));
	return read;
}

/** Whether a contact meets all conditions. */
export function isWanted(
	{ email, tag, source, updatedAfter }: ContactFilter,
	contact: IDataObject,
): boolean {
	return (
		(email === undefined || normalizedEmail(contact.email) === normalizedEmail(email)) &&
		(tag === undefined || hasTag(contact, tag)) &&
		(source === undefined || contact.source === source) &&
		(updatedAfter === undefined || !(parseTime(contact.updatedAt) <= updatedAfter))
	);
}

function hasTag({ tags }: IDataObject, tag: string): boolean {
	return Array.isArray(tags) && tags.some((one) => trim(String(one)).normalize() === tag);
}

/** Whether the node has to filter what the service returns. */
function hasCondition(filter: ContactFilter): boolean {
	return Object.values(filter).some((wanted) => wanted !== undefined);
}
