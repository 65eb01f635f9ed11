import { fastifySSE } from '@fastify/sse';
import type { FastifyInstance } from 'fastify';

import { addressOutcomes } from '../addresses.mts';
import { contactSources } from '../data/contacts.mts';
import { modes, type Mode } from '../identity.mts';
import { variantDefinitions, variantNames } from '../variants.mts';
import { ServiceError } from '../service/errors.mts';
import type { State } from '../state.mts';
import { faultKinds } from './faults.mts';
import { pageOf, type PageQuery } from './paging.mts';
import type { Introduction } from './plugin.mts';
import { searchQuery, limits, modeQuery } from './schemas.mts';
import { addMessageViews } from './viewMessages.mts';
import { addRecordViews } from './viewRecords.mts';
import { addRequestViews } from './viewRequests.mts';

/** What else the page says about this sandbox: where its mail goes. */
export interface Surroundings {
	introduction(): Introduction;
	/** null when messages go to the inbox only. */
	realMail: string | null;
}

/** Everything about the sandbox that fits on a screen. No key is part of it. */
export type Overview = ReturnType<typeof overview>;

/**
 * What the page for people reads: lists page by page, and a stream that tells when to read again.
 */
export function addViews(control: FastifyInstance, state: State, surroundings: Surroundings): void {
	control.get('/view', () => overview(state, surroundings));
	addContactViews(control, state);
	addMessageViews(control, state);
	addRecordViews(control, state);
	addRequestViews(control, state);
	control.register(async (stream) => {
		await fastifySSE(stream, {});
		stream.get('/view/events', { sse: 'only' }, async (_request, { sse }) => {
			sse.keepAlive();
			sse.onClose(state.news.listen(() => void sse.send(changed).catch(() => undefined)));
			await sse.send(changed);
		});
	});
}

const changed = { event: 'changed', data: null };

function overview(state: State, { introduction, realMail }: Surroundings) {
	const { baseUrl, controlUrl } = introduction();
	return {
		baseUrl,
		controlUrl,
		realMail,
		now: state.clock.timestamp(),
		advanced: state.clock.advanced,
		seed: state.seed,
		contacts: state.contactCount,
		latency: state.latency,
		rate: {
			requestsPerMinute: state.rate.requestsPerMinute,
			...state.rate.report(state.clock.now()),
		},
		addresses: state.addresses.all(),
		addressOutcomes,
		contactSources,
		faults: state.faults.all(),
		faultKinds,
		limits,
		variants: variantNames.map((name) => ({
			name,
			value: state.variants[name],
			...variantDefinitions[name],
		})),
		requests: state.requests.all().length,
		inbox: Object.fromEntries(modes.map((mode) => [mode, state.messages.inboxCount(mode)])),
	};
}

/** How the page lists contacts, whatever the service's own lists are like at the moment. */
const forPeople = {
	listOrder: 'updatedDescending',
	searchCovers: 'everyField',
	searchMatches: 'substrings',
} as const;

function addContactViews(control: FastifyInstance, state: State): void {
	control.get<{ Querystring: PageQuery & { mode?: Mode; search?: string } }>(
		'/view/contacts',
		{ schema: { querystring: searchQuery } },
		({ query: { mode = 'test', search = '', ...query } }) =>
			pageOf(query, (part) => {
				const { contacts, totalCount } = state.contacts.page(mode, search, part, forPeople);
				return { entries: contacts, totalCount };
			}),
	);

	control.get<{ Params: { id: string }; Querystring: { mode?: Mode } }>(
		'/view/contacts/:id',
		{ schema: { querystring: modeQuery } },
		({ params: { id }, query: { mode = 'test' } }) => {
			const contact = state.contacts.find(mode, id);
			if (!contact) throw new ServiceError(404, 'CONTACT_NOT_FOUND', `There is no contact ${id}`);
			return contact;
		},
	);
}
