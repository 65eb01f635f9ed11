// @ts-check
import { html, nothing } from 'lit/html.js';

import { panes } from './panes.mjs';
import { block, facts, foreign, linkTo, outcome, statusBadge, time } from './parts.mjs';
import { read, readOpen } from './server.mjs';

/** @typedef {import('../control/view.mts').RequestList} RequestList */
/** @typedef {import('../control/view.mts').RequestDetail} RequestDetail */
/** @typedef {import('./parts.mjs').Route} Route */

/** @param {Route} route @returns {Promise<{list: RequestList, request?: RequestDetail}>} */
export async function load({ open, query: { search } }) {
	const [list, request] = await Promise.all([
		read('/view/requests', { search }),
		readOpen('/view/requests', open),
	]);
	return { list, request };
}

/** @param {Route} route @param {Awaited<ReturnType<typeof load>>} data */
export function render(route, { list, request }) {
	return panes({
		route,
		title: 'Requests',
		list,
		idOf: ({ number }) => number,
		row: (request) =>
			html`<strong>${request.method}</strong> ${foreign(addressOf(request))}
				${statusBadge(request)}<br />
				${foreign(request.to)} ${outcome(request)} ${time(request.at)}`,
		detail: request && requestDetail(request),
	});
}

/** @param {{path: string, query: unknown}} request */
function addressOf({ path, query }) {
	const search = String(new URLSearchParams(Object(query)));
	return search ? `${path}?${search}` : path;
}

/** @param {RequestDetail} request */
function requestDetail(request) {
	const { method, body, answer, message, key } = request;
	return html`<h2>${method} ${foreign(addressOf(request))} ${statusBadge(request)}</h2>
		${facts([
			['Time', time(request.at)],
			['Duration', request.took === null ? null : `${request.took} ms`],
			['Key', key ?? 'missing or invalid'],
			['Result', outcome(request) || null],
			[
				'Message',
				message && html`<a href=${linkTo('inbox', { mode: key ?? '' }, message)}>Open</a>`,
			],
			['Body', request.bodyLost ? 'not read' : null],
		])}
		${body === undefined ? nothing : text('Request body', body)}
		${answer ? text('Response', parsed(answer.text)) : nothing}`;
}

/** @param {string} title @param {unknown} content */
function text(title, content) {
	const all = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
	const shown = all.length > 20_000 ? `${all.slice(0, 20_000)}\n… ${all.length} characters` : all;
	return html`<h3>${title}</h3>
		${block(shown, title)}`;
}

/** @param {string} text */
function parsed(text) {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}
