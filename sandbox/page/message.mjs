// @ts-check
import { html, nothing } from 'lit/html.js';

import {
	block,
	facts,
	foreign,
	foreignFrame,
	named,
	outcome,
	stateBadge,
	statusBadge,
	time,
} from './parts.mjs';
import { linkTo } from './route.mjs';

/** @typedef {import('../control/viewMessages.mts').MessageDetail} MessageDetail */
/** @typedef {import('./route.mjs').Route} Route */

/**
 * A message: who and what, how far it has come, who asked for it, and its content.
 * @param {Route} route
 * @param {MessageDetail} message
 */
export function messageDetail(route, message) {
	const { mode } = route.query;
	return html`<article class="message">
		<header>
			<h2 tabindex="-1">${foreign(named(message.subject, '(no subject)'))}</h2>
			${stateBadge(message.state)}
		</header>
		${facts([
			['Subject', message.subject.length > 100 ? foreign(message.subject) : null],
			['To', foreign(message.to)],
			['From', html`${foreign(message.fromName)} &lt;${foreign(message.from)}&gt;`],
			['Reply to', message.replyTo && foreign(message.replyTo)],
			['Template', message.templateSlug && foreign(message.templateSlug)],
			['Contact', message.contactId && contactLink(message.contactId, mode)],
			['Error', message.error && foreign(message.error)],
			['Reason', message.errorReason && foreign(message.errorReason)],
			['Message', html`<code>${message.id}</code>`],
		])}
		${timeline(message)} ${requestsPart(message)} ${content(route, message)}
	</article>`;
}

/** @param {string} id @param {string | undefined} mode */
const contactLink = (id, mode) =>
	html`<a href=${linkTo('contacts', { mode }, id)}><code>${foreign(id)}</code></a>`;

/** @param {MessageDetail} message */
function timeline({ state, createdAt, sentAt, deliveredAt, bouncedAt, complainedAt, now }) {
	const ended = state === 'rejected' || state === 'failed' ? createdAt : null;
	/** @type {Array<[string, string | null]>} */
	const steps = [
		['created', createdAt],
		['sent', sentAt],
		['delivered', deliveredAt],
		['bounced', bouncedAt],
		['complained', complainedAt],
		[state, ended],
	];
	return html`<ol class="timeline" aria-label="How far the message has come">
		${steps.map(([name, at]) => {
			if (!at) return nothing;
			const planned = at > now;
			return html`<li class="${planned ? 'planned' : name}">
				<strong>${name}</strong> ${planned ? html`<em>planned</em>` : nothing} ${time(at)}
			</li>`;
		})}
	</ol>`;
}

/** @param {MessageDetail} message */
function requestsPart({ idempotencyKey, requests }) {
	const title = idempotencyKey
		? html`Idempotency key <code>${foreign(idempotencyKey)}</code>`
		: 'No idempotency key';
	return html`<section class="carried" aria-label="Requests">
		<h3>${title}</h3>
		${requests.length === 0
			? html`<p class="quiet">The log has no request of it any more.</p>`
			: nothing}
		<ol class="plain">
			${requests.map(
				(request) =>
					html`<li>
						<a href=${linkTo('requests', {}, request.number)}>Request ${request.number}</a>
						${statusBadge(request)}<span>${outcome(request)}</span>${time(request.at)}
					</li>`,
			)}
		</ol>
	</section>`;
}

/** @type {Array<[string, string]>} */
const parts = [
	['html', 'HTML'],
	['text', 'Text'],
	['source', 'Source'],
	['headers', 'Headers'],
];

/** @param {Route} route @param {MessageDetail} message */
function content({ view, open, query }, message) {
	const { part = 'html' } = query;
	return html`<nav class="tabs" aria-label="Parts of the message">
			${parts.map(
				([name, title]) =>
					html`<a
						href=${linkTo(view, { ...query, part: name }, open)}
						aria-current=${name === part ? 'true' : nothing}
						>${title}</a
					>`,
			)}
		</nav>
		${contentPart(part, message, query.mode)}`;
}

/** @param {string} part @param {MessageDetail} message @param {string | undefined} mode */
function contentPart(part, message, mode = 'test') {
	/** @param {string} form */
	const address = (form) => `/_sandbox/view/messages/${message.id}/${form}?mode=${mode}`;
	if (part === 'text') return long(message.text, message.length.text);
	if (part === 'source') return long(message.html, message.length.html, address('source'));
	if (part === 'headers') {
		const headers = Object.entries(message.headers ?? {});
		if (headers.length === 0) return html`<p class="empty">It was not handed over as a mail.</p>`;
		return facts(headers.map(([name, value]) => [name, foreign(value)]));
	}
	return html`<p class="quiet">Links and forms in the message do nothing here.</p>
		${foreignFrame(address('html'), 'The message as it looks')}`;
}

/** @param {string} text @param {number} length of the whole @param {string} [whole] where that is */
function long(text, length, whole) {
	const link = whole && html`<a href=${whole} target="_blank" rel="noopener">Open all of it</a>`;
	return html`${block(text, 'Content')}
	${text.length < length
		? html`<p class="quiet">The first ${text.length} of ${length} characters. ${link}</p>`
		: nothing}`;
}
