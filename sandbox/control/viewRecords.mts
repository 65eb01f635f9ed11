import type { FastifyInstance } from 'fastify';

import { recordKinds, type RecordKind, type RecordKindName } from '../data/recordKinds.mts';
import type { StoredRecord, Template } from '../data/records.mts';
import type { Mode } from '../identity.mts';
import { ServiceError } from '../service/errors.mts';
import { render, tokensIn } from '../service/tokens.mts';
import type { State } from '../state.mts';
import { sendForeignHtml } from './foreign.mts';
import { pageOf, type PageOf, type PageQuery } from './paging.mts';
import { collectionPath, modeQuery, searchQuery } from './schemas.mts';

/** A record, and whether the service lists it now; of templates and channels there is no list. */
export interface ShownRecord<Kind extends StoredRecord = StoredRecord> {
	record: Kind;
	listed: boolean;
}

/** A template with the tokens of its subject and body. */
export type TemplateDetail = ReturnType<typeof templateDetail>;

interface InMode {
	Querystring: { mode?: Mode };
}

interface OfOneRecord extends InMode {
	Params: { collection: RecordKindName; id: string };
}

/** What the page reads about records that are neither contacts nor messages. */
export function addRecordViews(control: FastifyInstance, state: State): void {
	control.get<{
		Params: { collection: RecordKindName };
		Querystring: PageQuery & { mode?: Mode; search?: string };
	}>(
		'/view/records/:collection',
		{ schema: { params: collectionPath, querystring: searchQuery } },
		({ params: { collection }, query: { mode = 'test', search = '', ...paging } }) =>
			recordPage(state, mode, collection, search, paging),
	);

	const schema = { querystring: modeQuery };
	control.get<OfOneRecord>('/view/records/:collection/:id', { schema }, ({ params, query }) => {
		const record = found(state, query.mode, params.collection, params.id);
		return shown(state, params.collection, record);
	});

	control.get<OfOneRecord>('/view/templates/:id', { schema }, ({ params, query }) =>
		templateDetail(state, found<Template>(state, query.mode, 'templates', params.id)),
	);
	control.get<OfOneRecord>('/view/templates/:id/html', { schema }, ({ params, query }, reply) => {
		const { html } = found<Template>(state, query.mode, 'templates', params.id);
		return sendForeignHtml(reply, render(html, {}, 'html', state.variants).text);
	});
}

/** The newest first. */
function recordPage(
	state: State,
	mode: Mode,
	collection: RecordKindName,
	search: string,
	paging: PageQuery,
): PageOf<ShownRecord> {
	const matches = state.records
		.all(mode, collection, 'createdDescending')
		.filter((record) => JSON.stringify(record).toLowerCase().includes(search.toLowerCase()));
	return pageOf(paging, ({ offset, limit }) => ({
		entries: matches
			.slice(offset, offset + limit)
			.map((record) => shown(state, collection, record)),
		totalCount: matches.length,
	}));
}

function shown({ clock }: State, collection: RecordKindName, record: StoredRecord): ShownRecord {
	const { path, includes = () => path !== undefined }: RecordKind = recordKinds[collection];
	return { record, listed: includes(record, clock.timestamp()) };
}

function templateDetail({ variants }: State, template: Template) {
	return {
		...template,
		tokens: tokensIn(`${template.subject}\n${template.html}`, variants),
	};
}

function found<Kind extends StoredRecord>(
	state: State,
	mode: Mode = 'test',
	collection: RecordKindName,
	id: string,
): Kind {
	const record = state.records.all<Kind>(mode, collection).find((one) => one.id === id);
	if (record) return record;
	throw new ServiceError(404, 'RECORD_NOT_FOUND', `There is no record ${id} in ${collection}`);
}
