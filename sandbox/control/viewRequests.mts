import type { FastifyInstance } from 'fastify';

import type { Mode } from '../identity.mts';
import { ServiceError } from '../service/errors.mts';
import type { State } from '../state.mts';
import { pageOf, type PageQuery } from './paging.mts';
import type { LoggedRequest } from './requestLog.mts';
import { numberPath, requestsQuery } from './schemas.mts';

/** A request without its body. */
export type RequestSummary = ReturnType<typeof withoutContent>;

/** A request with all that was kept of it and of its answer. */
export type RequestDetail = ReturnType<typeof requestDetail>;

/** Which requests to look at. What is missing, or empty, chooses nothing. */
interface RequestFilter {
	method?: string;
	/** A piece of the path below /api/v1. */
	path?: string;
	/** `409`, `4xx`, or `none` for those without an answer. */
	status?: string;
	key?: Mode | 'none';
	/** A piece of query, body or answer. */
	text?: string;
}

/** What the page reads about requests to the service. */
export function addRequestViews(control: FastifyInstance, state: State): void {
	control.get<{ Querystring: PageQuery & RequestFilter }>(
		'/view/requests',
		{ schema: { querystring: requestsQuery } },
		({ query: { page, limit, ...filter } }) =>
			pageOf({ page, limit }, ({ offset, limit }) => {
				const matches = state.requests.all().filter(chosenBy(filter, state));
				const newest = matches.toReversed().slice(offset, offset + limit);
				return { entries: newest.map(withoutContent), totalCount: matches.length };
			}),
	);

	control.get<{ Params: { number: string } }>(
		'/view/requests/:number',
		{ schema: { params: numberPath } },
		({ params }) => requestDetail(state, Number(params.number)),
	);
}

function requestDetail({ requests }: State, number: number) {
	const request = requests.find(number);
	if (!request) throw new ServiceError(404, 'UNKNOWN', `The log has no request ${number}`);
	return { ...request, answer: requests.answerTo(request) ?? null };
}

/** What a list shows of a request. */
export function withoutContent({ body, ...request }: LoggedRequest) {
	const { to, idempotencyKey } = Object(body);
	return { ...request, to: line(to), idempotencyKey: line(idempotencyKey) };
}

function line(value: unknown): string | null {
	return typeof value === 'string' ? value.slice(0, 300) : null;
}

function chosenBy({ method, path, status, key, text }: RequestFilter, { requests }: State) {
	const wanted = text?.toLowerCase();
	return (request: LoggedRequest) =>
		(!method || request.method === method.toUpperCase()) &&
		(!path || request.path.includes(path)) &&
		(!status || String(request.status ?? 'none').startsWith(status.replace('xx', ''))) &&
		(!key || (request.key ?? 'none') === key) &&
		(!wanted ||
			[...textsOf(request), requests.answerTo(request)?.text ?? ''].some((one) =>
				one.toLowerCase().includes(wanted),
			));
}

/**
 * The texts of a request that are searched: of its body the beginning of each field, because a log
 * may hold thousands of large bodies.
 */
function textsOf({ path, query, body, code, fault }: LoggedRequest): string[] {
	const fields = Object.values(Object(body)).filter((value) => typeof value === 'string');
	const texts = [path, JSON.stringify(query), code ?? '', fault ?? '', ...fields];
	return texts.map((text) => text.slice(0, 1000));
}
