// @ts-check
import { html } from 'lit/html.js';

import { messageDetail } from './message.mjs';
import { panes } from './panes.mjs';
import { filterChoice, filterField, foreign, named, stateBadge, time } from './parts.mjs';
import { read, readOpen } from './server.mjs';

/** @typedef {import('../control/viewMessages.mts').MessagePage} MessagePage */
/** @typedef {import('../control/viewMessages.mts').MessageDetail} MessageDetail */
/** @typedef {import('./route.mjs').Route} Route */

/** @type {Array<[string, string]>} */
const choices = [
	['', 'Inbox: what was delivered'],
	['all', 'All messages'],
	['undelivered', 'Not delivered'],
];

/**
 * @param {Route} route
 * @returns {Promise<{list: MessagePage, message: MessageDetail | undefined}>}
 */
export async function load({ open, query: { mode, choice, search, page } }) {
	const [list, message] = await Promise.all([
		read('/view/messages', { mode, choice, search, page }),
		readOpen('/view/messages', open, { mode }),
	]);
	return { list, message };
}

/**
 * When the next of the messages that are shown goes on, in milliseconds; null for none.
 * @param {{list: MessagePage, message: MessageDetail | undefined}} data
 */
export function nextChange({ list, message }) {
	const changes = [list.nextChange, message?.nextChange].filter((one) => typeof one === 'number');
	return changes.length > 0 ? Math.min(...changes) : null;
}

/**
 * @param {Route} route
 * @param {{list: MessagePage, message: MessageDetail | undefined}} data
 */
export function render(route, { list, message }) {
	const filters = [
		filterField(route, 'search', 'Recipient, subject or key'),
		filterChoice(route, 'choice', 'Which messages', choices),
	];
	return panes({
		route,
		title: 'Messages',
		filters,
		list,
		what: list.totalCount === 1 ? 'message' : 'messages',
		idOf: ({ id }) => id,
		row: messageRow,
		empty: 'No messages. What a workflow sends appears here by itself.',
		detail: message && messageDetail(route, message),
	});
}

/** @param {MessagePage['data'][number]} message */
function messageRow({ to, subject, createdAt, state, fromName }) {
	return html`<span class="line"><strong>${foreign(to)}</strong>${stateBadge(state)}</span>
		<span class="line">${foreign(named(subject, '(no subject)'))}</span>
		<span class="line quiet">${foreign(fromName)}${time(createdAt)}</span>`;
}
