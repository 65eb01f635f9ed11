import type { IDataObject } from 'n8n-workflow';
import { streamed } from '../../support/simulated/streamed.mts';

/** What simulated services have in common: a list in pages, and how it is answered. */

/** An answer as n8n's HTTP client gives it. */
export interface Answer {
	statusCode: number;
	headers: Record<string, string>;
	body: string;
}

/** A fault of the network, as n8n's HTTP client reports it. */
export class ConnectionReset extends Error {
	readonly code = 'ECONNRESET';

	constructor() {
		super('socket hang up');
	}
}

/** A page of a list. */
export interface Page<T> {
	page: number;
	limit: number;
	records: T[];
	/** How many the list has. */
	total: number;
}

const defaultLimit = 20;

/**
 * The page that is asked for.
 * @param most how many records a page has at most
 * @throws Error where there is no such page in the interface
 */
export function pageOf<T>(
	all: readonly T[],
	query: Record<string, unknown>,
	most: number,
): Page<T> {
	const page = wholeNumber(query.page, 1);
	const limit = Math.min(wholeNumber(query.limit, defaultLimit), most);
	return { page, limit, records: all.slice((page - 1) * limit, page * limit), total: all.length };
}

/** The answer that brings a page. @param time by the clock of its `Date` header; none without */
export function answerWith(
	{ page, limit, records, total }: Page<string>,
	time: number | undefined,
): Answer {
	const pagination = { page, limit, totalCount: total, totalPages: Math.ceil(total / limit) };
	const meta = JSON.stringify({ pagination });
	return answerOf(200, `{"data":[${records.join(',')}],"meta":${meta}}`, time);
}

/** An answer with a body of JSON. @param time by the clock of its `Date` header; none without */
export function answerOf(statusCode: number, body: string, time: number | undefined): Answer {
	const headers: Record<string, string> = { 'content-type': 'application/json' };
	if (time !== undefined) headers.date = new Date(time).toUTCString();
	return { statusCode, headers, body };
}

function wholeNumber(value: unknown, otherwise: number): number {
	const number = Number(value ?? otherwise);
	if (!Number.isInteger(number) || number < 1) throw new Error(`The node asked for ${value}`);
	return number;
}

/** Asks the simulated service. */
export type Ask = (url: string, query: Record<string, unknown> | undefined) => Promise<Answer>;

/** As much of n8n's helpers as the node takes to ask a simulated service. */
export function helpersThatAsk(ask: Ask) {
	return {
		async httpRequestWithAuthentication(
			_credential: string,
			{ url, qs }: { url: string; qs?: Record<string, unknown> },
		) {
			return streamed(await ask(url, qs));
		},
	};
}

/** A credential for a simulated service, without what else it says. */
export const credential: IDataObject = {
	baseUrl: 'https://crm.example.com/api/v1',
	mode: 'test',
	authHeader: 'authorization',
	processes: 1,
};
