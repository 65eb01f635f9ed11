// @ts-check
import { html, nothing } from 'lit/html.js';
import { keyed } from 'lit/directives/keyed.js';

import { panes } from './panes.mjs';
import { block, facts, foreign, linkTo, outcome } from './parts.mjs';
import { searchFrom, stateBadge, statusBadge, time } from './parts.mjs';
import { read, readOpen } from './server.mjs';

/** @typedef {import('../control/view.mts').MessageList} MessageList */
/** @typedef {import('../control/view.mts').MessageDetail} MessageDetail */
/** @typedef {import('./parts.mjs').Route} Route */

/** @param {Route} route @returns {Promise<{list: MessageList, message?: MessageDetail}>} */
export async function load({ open, query: { mode, choice, search } }) {
	const [list, message] = await Promise.all([
		read('/view/messages', { mode, choice, search }),
		readOpen('/view/messages', open, { mode }),
	]);
	return { list, message };
}

const choices = { all: 'All messages', inbox: 'Delivered', undelivered: 'Not delivered' };

/** @param {Route} route @param {Awaited<ReturnType<typeof load>>} data */
export function render(route, { list, message }) {
	const { choice = 'all', mode = 'test' } = route.query;
	return panes({
		route,
		title: 'Messages',
		more: html`<select name="choice" aria-label="Which messages">
			${Object.entries(choices).map(
				([value, text]) =>
					html`<option value=${value} ?selected=${value === choice}>${text}</option>`,
			)}
		</select>`,
		list,
		idOf: ({ id }) => id,
		row: ({ to, subject, createdAt, state }) =>
			html`<strong>${foreign(to)}</strong> ${stateBadge(state)}<br />
				${foreign(subject)} ${time(createdAt)}`,
		detail: message && messageDetail(message, mode),
	});
}

/** @param {MessageDetail} message @param {string} mode */
function messageDetail(message, mode) {
	const { id, subject, state, contactId, idempotencyKey: key } = message;
	const address = `/_sandbox/view/messages/${id}/html${searchFrom({ mode })}`;
	return html`<h2>${foreign(subject)} ${stateBadge(state)}</h2>
		${facts([
			['To', foreign(message.to)],
			['From', html`${foreign(message.fromName)} &lt;${foreign(message.from)}&gt;`],
			['Reply to', message.replyTo && foreign(message.replyTo)],
			['Template', message.templateSlug && foreign(message.templateSlug)],
			['Contact', contactId && html`<a href=${linkTo('contacts', { mode }, contactId)}>Open</a>`],
			['Error', message.error && foreign(`${message.error}: ${message.errorReason}`)],
			['ID', html`<code>${id}</code>`],
			['Idempotency key', key && html`<code>${foreign(key)}</code>`],
			['Progress', timeline(message)],
			['Requests', requestsOf(message)],
		])}
		${keyed(address, html`<iframe sandbox src=${address} title="Content"></iframe>`)}
		<details>
			<summary>Plain text</summary>
			${block(message.text, 'Plain text')}
		</details>
		<details>
			<summary>Source</summary>
			${block(message.html, 'Source')}
		</details>`;
}

/** @param {MessageDetail} message */
function timeline({ createdAt, sentAt, deliveredAt, bouncedAt, complainedAt, now }) {
	/** @type {Array<[string, string | null]>} */
	const steps = [
		['created', createdAt],
		['sent', sentAt],
		['delivered', deliveredAt],
		['bounced', bouncedAt],
		['complained', complainedAt],
	];
	return steps.map(([name, at]) =>
		at ? html`<span>${at > now ? 'to be ' : ''}${name} ${time(at)}</span> ` : nothing,
	);
}

/** @param {MessageDetail} message */
function requestsOf({ requests }) {
	return requests.map(
		(request) =>
			html`<a href=${linkTo('requests', {}, request.number)}>Request ${request.number}</a>
				${statusBadge(request)} ${outcome(request)} ${time(request.at)}<br />`,
	);
}
