/**
 * The operation List. It outputs the records that an item asks for, whether the service returns
 * their collection in pages, whole, or as matches of a search. What the service can't filter is
 * filtered here, and an error or a hint says if records may be missing.
 */
import type { IDataObject } from 'n8n-workflow';
import { ContactFinder } from '../../api/contactFinder';
import { listWhole, maxPageSize, searchArticles } from '../../api/endpoints';
import { normalizedEmail, parseTime } from '../../api/formats';
import { readContacts, type PagesRead } from '../../api/readContacts';
import { pickFields } from '../../api/records';
import { isRejected, RequestFailure } from '../../client/failure';
import { Once, yieldToEventLoop } from '../../common/tasks';
import { ExplainedError, trim } from '../../common/text';
import type { ItemWork, Operation, Run } from '../operation';
import { properties } from './properties';
import { readQuery, type ContactFilter, type Query } from './query';
import { texts } from './texts';

interface Prepared {
	query: Query;
	/** The same for equal queries, which are read once. */
	key: string;
	isRepeated: boolean;
}

interface ListRun extends Pick<Run, 'client' | 'concurrency'> {
	/** Reads once for all items. */
	finder: ContactFinder;
	/** Hints for the user, each once. */
	warnings: Set<string>;
}

export const list: Operation = {
	properties,

	begin({ context, client, concurrency }): ItemWork<Prepared> {
		const finder = new ContactFinder(client, concurrency);
		const run: ListRun = { client, concurrency, finder, warnings: new Set() };
		const keys = new Set<string>();
		const reads = new Once();
		let outputCount = 0;
		return {
			prepare(item) {
				const query = readQuery(item);
				const key = JSON.stringify(query);
				const isRepeated = keys.has(key);
				keys.add(key);
				const { email } = query.filter;
				if (needsFinder(query)) finder.preload(email ? { email } : { needsAllContacts: true });
				return { query, key, isRepeated };
			},

			async perform({ prepared: { query, key } }) {
				// Lists are read side by side, and the option counts the requests of all of them.
				const share = Math.max(1, Math.floor(concurrency / keys.size));
				const read = async () => await readRecords({ ...run, concurrency: share }, query);
				const records = await reads.do(key, read);
				outputCount += records.length;
				return records;
			},

			takesRequest: ({ query, isRepeated }) => !isRepeated && !needsFinder(query),

			hints() {
				const count = context.getInputData().length;
				if (keys.size === 1 && count > 1 && outputCount > count)
					run.warnings.add(texts.sameListForEach(count));
				return Array.from(run.warnings, (message) => ({ message, type: 'warning' }));
			},
		};
	},
};

async function readRecords(run: ListRun, query: Query): Promise<IDataObject[]> {
	const { collection, limit } = query;
	switch (collection) {
		case 'contacts':
			return await readWantedContacts(run, query);
		case 'knowledgeBaseArticles':
			return await readArticles(run, query);
		default:
			return (await listWhole(run.client, collection)).slice(0, limit);
	}
}

/**
 * The articles that match, up to the limit. The service offers no next page, so if the first
 * response has only some of them, a second request asks for all at once. If the service rejects that,
 * the articles of the first response are the result.
 * @throws RequestFailure
 */
async function readArticles(
	{ client, warnings }: ListRun,
	{ limit, search: term, searchParameter: parameter }: Query,
): Promise<IDataObject[]> {
	const ask = async (count: number) =>
		await searchArticles(client, { term, parameter, limit: count });

	const first = await ask(Math.min(limit, maxPageSize));
	const wanted = Math.min(limit, first.totalCount);
	const keepFirst = (error: unknown) => {
		if (error instanceof RequestFailure && isRejected(error.details)) return first;
		throw error;
	};
	const isCut = first.records.length < wanted;
	const { records, totalCount } = isCut ? await ask(wanted).catch(keepFirst) : first;
	if (records.length < Math.min(totalCount, limit))
		warnings.add(texts.fewerArticles(totalCount, records.length));
	return records.slice(0, limit);
}

/** Whether the finder of the run reads for an item. With a search, the item reads for itself. */
function needsFinder({ search, filter }: Query): boolean {
	return search === '' && hasCondition(filter);
}

/**
 * The contacts that an item asks for, up to its limit.
 * @throws RequestFailure, or ExplainedError if the result is empty but a match may exist
 */
async function readWantedContacts(run: ListRun, query: Query): Promise<IDataObject[]> {
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
