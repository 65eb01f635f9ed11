// @ts-check
import { html, nothing } from 'lit/html.js';

import { curlFor } from './curl.mjs';
import { panes } from './panes.mjs';
import {
	block,
	facts,
	filterChoice,
	filterField,
	foreign,
	outcome,
	statusBadge,
	time,
} from './parts.mjs';
import { linkTo } from './route.mjs';
import { read, readOpen } from './server.mjs';

/** @typedef {import('../control/viewRequests.mts').RequestSummary} RequestSummary */
/** @typedef {import('../control/viewRequests.mts').RequestDetail} RequestDetail */
/** @typedef {import('../control/paging.mts').PageOf<RequestSummary>} RequestPage */
/** @typedef {import('./route.mjs').Route} Route */

/** @type {Record<string, Array<[string, string]>>} */
const choices = {
	method: [['', 'Any method'], ...['GET', 'POST', 'PUT'].map(twice)],
	status: [
		['', 'Any status'],
		...['2xx', '4xx', '409', '429', '5xx'].map(twice),
		['none', 'no answer'],
	],
	key: [
		['', 'Any key'],
		['test', 'Test key'],
		['live', 'Live key'],
		['none', 'No valid key'],
	],
};

/**
 * @param {string} text
 * @returns {[string, string]}
 */
function twice(text) {
	return [text, text];
}

/**
 * @param {Route} route
 * @returns {Promise<{list: RequestPage, request: RequestDetail | undefined}>}
 */
export async function load({ open, query: { method, path, status, key, text, page } }) {
	const [list, request] = await Promise.all([
		read('/view/requests', { method, path, status, key, text, page }),
		readOpen('/view/requests', open),
	]);
	return { list, request };
}

/**
 * @param {Route} route
 * @param {{list: RequestPage, request: RequestDetail | undefined}} data
 * @param {import('./main.mjs').Page} page
 */
export function render(route, { list, request }, page) {
	const filters = [
		filterField(route, 'text', 'Text of query, body or answer'),
		filterField(route, 'path', 'Path'),
		filterChoice(route, 'method', 'Method', choices.method),
		filterChoice(route, 'status', 'Status', choices.status),
		filterChoice(route, 'key', 'Key', choices.key),
	];
	return panes({
		route,
		title: 'Requests to the service',
		filters,
		list,
		what: list.totalCount === 1 ? 'request' : 'requests',
		idOf: ({ number }) => number,
		row: requestRow,
		empty: 'No requests. What a workflow asks of the service appears here by itself.',
		detail: request && requestDetail(request, page),
	});
}

/** @param {RequestSummary} request */
function requestRow(request) {
	const { method, path, query, at, to } = request;
	const search = Object.keys(Object(query)).length > 0 ? `?${queryText(query)}` : '';
	return html`<span class="line">
			<span><strong>${method}</strong> ${foreign(path + search)}</span>${statusBadge(request)}
		</span>
		<span class="line quiet"> <span>${foreign(to)} ${outcome(request)}</span>${time(at)} </span>`;
}

/** @param {unknown} query */
const queryText = (query) => decodeURIComponent(String(new URLSearchParams(Object(query))));

/** @param {RequestDetail} request @param {import('./main.mjs').Page} page */
function requestDetail(request, { overview, copy }) {
	const { method, path, query, body, answer, message, key } = request;
	const curl = curlFor(overview.baseUrl, request);
	const mode = key ?? undefined;
	return html`<article>
		<header>
			<h2 tabindex="-1">${method} ${foreign(path)}</h2>
			${statusBadge(request)}
		</header>
		${facts([
			['Came', time(request.at)],
			['Took', request.took === null ? null : `${request.took} ms`],
			['Key', key ? `for ${key} data` : 'none that is valid'],
			['Body', request.bodyLost ? 'not kept: the request was refused before it was read' : null],
			['Outcome', outcome(request) || null],
			[
				'Message',
				message &&
					html`<a href=${linkTo('inbox', { mode, choice: 'all' }, message)}>${message}</a>`,
			],
		])}
		${Object.keys(Object(query)).length > 0
			? text('Query', JSON.stringify(query, null, 2))
			: nothing}
		${body === undefined ? nothing : text('Body', JSON.stringify(body, null, 2))}
		${answer ? text('Answer', pretty(answer.text), answer.length > answer.text.length) : nothing}
		<section>
			<h3>As curl <button class="small" @click=${() => copy(curl, 'Copied.')}>Copy</button></h3>
			${request.bodyLost
				? html`<p>The body was not kept, so this command is not the whole request.</p>`
				: nothing}
			${block(shortened(curl), 'As curl', 'curl')}
		</section>
	</article>`;
}

/** @param {string} title @param {string} content @param {boolean} [cut] */
function text(title, content, cut = false) {
	return html`<section>
		<h3>${title}${cut ? html` <span class="quiet">(its beginning)</span>` : nothing}</h3>
		${block(shortened(content), title)}
	</section>`;
}

/** More would slow the page down and help nobody. @param {string} text */
function shortened(text) {
	return text.length > 20_000 ? `${text.slice(0, 20_000)}\n… ${text.length} characters` : text;
}

/** @param {string} text */
function pretty(text) {
	try {
		return JSON.stringify(JSON.parse(text), null, 2);
	} catch {
		return text;
	}
}
