import type { LoggedRequest } from '../control/requestLog.mts';
import { html, type Html } from './html.mts';
import {
	badge,
	block,
	contains,
	facts,
	foreign,
	linkTo,
	panes,
	time,
	type Shown,
} from './parts.mts';

/** The log of requests, the newest first. */
export function showRequests({ state: { requests }, place }: Shown): Html {
	const matches = requests.all().filter((request) => contains(textsOf(request), place));
	const opened = requests.find(Number(place.open));
	return panes({
		place,
		title: 'Requests',
		entries: matches.reverse(),
		totalCount: matches.length,
		idOf: ({ number }) => number,
		row: (request) =>
			html`<strong>${request.method}</strong> ${foreign(addressOf(request))}
				${statusBadge(request)}<br />
				${foreign(beginningOf(Object(request.body).to))} ${outcome(request)} ${time(request.at)}`,
		detail: opened && requestDetail(opened, requests.answerTo(opened)),
	});
}

/** What a search covers. A log can hold thousands of large bodies, so only their short fields. */
function textsOf({ method, path, query, body, status, code, fault }: LoggedRequest): unknown[] {
	const fields = Object.values(Object(body)).map(beginningOf);
	return [method, path, JSON.stringify(query), status, code, fault, ...fields];
}

const beginningOf = (value: unknown): string => String(value ?? '').slice(0, 300);

function addressOf({ path, query }: LoggedRequest): string {
	const search = String(new URLSearchParams(Object(query)));
	return search ? `${path}?${search}` : path;
}

export function statusBadge({ status, took }: LoggedRequest): Html {
	if (status !== null) return badge(status, status < 300 ? 'good' : 'bad');
	return badge(took === null ? 'running' : 'no response', '');
}

/** What a request caused, beside its status. */
export function outcome({ replayed, code, fault }: LoggedRequest): string {
	const message = { true: 'original returned', false: 'sent' }[String(replayed)];
	return [fault && `fault: ${fault}`, code ?? message].filter(Boolean).join(', ');
}

function requestDetail(request: LoggedRequest, answer: string | undefined): Html {
	const { method, number, took, key, message, body, bodyLost } = request;
	const sent = message && key && linkTo({ view: 'inbox', mode: key, open: message });
	return html`<h2>${method} ${foreign(addressOf(request))}</h2>
		${facts(String(number), [
			['Status', statusBadge(request)],
			['Time', time(request.at)],
			['Duration', took === null ? null : `${took} ms`],
			['Key', key ?? 'missing or invalid'],
			['Result', outcome(request) || null],
			['Message', sent && html`<a href="${sent}">Open</a>`],
			['Body', bodyLost ? 'not read' : null],
		])}
		${body === undefined ? null : block('Request body', JSON.stringify(body, null, 2))}
		${answer && block('Response', indented(answer))}`;
}

/** JSON over several lines, and any other text as it is. */
function indented(text: string): string {
	try {
		return JSON.stringify(JSON.parse(text), null, 2);
	} catch {
		return text;
	}
}
