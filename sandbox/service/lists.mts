import type { unpaginatedLists } from '../data/recordKinds.mts';
import type { StoredRecord } from '../data/records.mts';
import type { Mode } from '../identity.mts';
import type { Variants } from '../variants.mts';
import type { State } from '../state.mts';
import { invalid } from './errors.mts';
import { extraEnvelopeFields, presentContact, presentRecord } from './presentation.mts';
import type { ListQuery } from './schemas.mts';

/**
 * A page of contacts with its `meta`.
 *
 * Interface: LIST-2, LIST-3, LIST-4, LIST-5, LIST-6, LIST-7, LIST-8, LIST-9, LIST-10, LIST-11,
 * LIST-12, LIST-13, LIST-14.
 */
export function listContacts(state: State, mode: Mode, query: ListQuery) {
	const { variants } = state;
	const page = numberIn(query.page, { otherwise: 1, maximum: Infinity });
	const limit = numberIn(query.limit, { otherwise: 20, maximum: 100 });
	const offset = (page - 1) * limit;
	const { contacts, totalCount } = state.contacts.page(
		mode,
		query.search ?? '',
		{ offset, limit },
		variants,
	);
	const totalPages = Math.ceil(totalCount / limit) || (variants.service === 'odd' ? 1 : 0);
	const pagination = { page, limit, totalCount, totalPages };
	return {
		data: contacts.map((contact) => presentContact(contact, variants)),
		meta: { pagination, ...extraEnvelopeFields(variants) },
		...extraEnvelopeFields(variants),
	};
}

/** The lists without pages. Interface: WHOLE-1, WHOLE-2, WHOLE-3. */
export function listAll(
	state: State,
	mode: Mode,
	{ collection, includes = () => true }: (typeof unpaginatedLists)[number],
) {
	const { variants } = state;
	const now = state.clock.timestamp();
	const records = state.records
		.all(mode, collection, variants.listOrder)
		.filter((record) => includes(record, now));
	return { data: presentAll(records, variants), ...extraEnvelopeFields(variants) };
}

/**
 * Up to `limit` matching articles, and the number of all matches.
 * Interface: ARTICLE-1, ARTICLE-2, ARTICLE-3, ARTICLE-4, ARTICLE-5, OPEN-11.
 */
export function searchArticles(state: State, mode: Mode, query: Record<string, string>) {
	const { variants } = state;
	const { articleLimitMaximum: most } = variants;
	const maximum = most === 'none' ? Infinity : most;
	const limit = numberIn(query.limit, { otherwise: 10, maximum });
	const matches = matchingArticles(state, mode, query[variants.articleSearchParameter]?.trim());
	const articles = presentAll(matches.slice(0, limit), variants);
	return { data: { articles, totalCount: matches.length }, ...extraEnvelopeFields(variants) };
}

function matchingArticles(state: State, mode: Mode, term: string | undefined): StoredRecord[] {
	const { variants } = state;
	const articles = state.records.all(mode, 'articles', variants.listOrder);
	if (term) {
		const words = term.toLowerCase().split(/\s+/);
		return articles.filter(({ title, excerpt }) => {
			const text = `${title} ${excerpt}`.toLowerCase();
			return words.every((word) => text.includes(word));
		});
	}
	if (variants.articleSearchWithoutTerm === 'rejected') {
		throw invalid(variants, `The parameter ${variants.articleSearchParameter} is required`);
	}
	return variants.articleSearchWithoutTerm === 'everything' ? articles : [];
}

/** A number from the query. Numbers out of range are clamped, and other texts ignored. */
function numberIn(
	sent: string | undefined,
	{ otherwise, maximum }: { otherwise: number; maximum: number },
): number {
	if (sent === undefined) return otherwise;
	const number = /^-?\d{1,9}$/.test(sent) ? Number(sent) : NaN;
	return Number.isNaN(number) ? otherwise : Math.min(Math.max(number, 1), maximum);
}

function presentAll(records: StoredRecord[], variants: Variants) {
	return records.map((record) => presentRecord(record, variants));
}
