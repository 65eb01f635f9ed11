// @ts-check
import { html, nothing } from 'lit/html.js';

/**
 * A place in the page.
 * @typedef {object} Route
 * @property {string} view
 * @property {string} open the ID of the opened entry; empty for none
 * @property {Record<string, string>} query mode and filters
 */

/** @param {string} hash such as `#/inbox/7?mode=live` @returns {Route} */
export function routeFrom(hash) {
	const [path, query] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
	const [view, open = ''] = path.split('/');
	return { view, open, query: Object.fromEntries(new URLSearchParams(query)) };
}

/**
 * @param {string} view
 * @param {Record<string, string | undefined>} [query]
 * @param {string | number} [open]
 */
export function linkTo(view, query = {}, open = '') {
	const search = searchFrom(query);
	return `#/${view}${open === '' ? '' : `/${open}`}${search}`;
}

/** A query string without empty values. @param {Record<string, string | undefined>} query */
export function searchFrom(query) {
	const given = Object.entries(query).filter(([, value]) => value);
	return given.length > 0 ? `?${new URLSearchParams(/** @type {string[][]} */ (given))}` : '';
}

/** Text of someone else, which can't change the direction of the text around it. @param {unknown} text */
export const foreign = (text) => html`<bdi>${text ?? ''}</bdi>`;

/**
 * A long text of someone else. Characters that change the direction are shown as escapes.
 * @param {string} text
 * @param {string} label
 */
export function block(text, label) {
	const visible = text.replace(
		/[\u202a-\u202e\u2066-\u2069]/g,
		(mark) => `\\u${mark.charCodeAt(0).toString(16)}`,
	);
	return html`<pre tabindex="0" aria-label=${label}><bdi>${visible}</bdi></pre>`;
}

/** A time in UTC, without the date if it is today. @param {string | null} iso */
export function time(iso) {
	if (!iso) return nothing;
	const today = new Date().toISOString().slice(0, 10);
	const text = `${iso.slice(0, 10)} ${iso.slice(11, 19)}`.replace(`${today} `, '');
	return html`<time datetime=${iso} title=${iso}>${text}</time>`;
}

/** @type {Record<string, string>} */
const kinds = { delivered: 'good', bounced: 'bad', rejected: 'bad', failed: 'bad' };

/** A state of a message. @param {string} state */
export const stateBadge = (state) =>
	html`<span class="badge ${kinds[state] ?? ''}">${state}</span>`;

/** The status of a request. @param {{status: number | null, took: number | null}} request */
export function statusBadge({ status, took }) {
	const kind = (status ?? 0) < 300 ? 'good' : 'bad';
	if (status !== null) return html`<span class="badge ${kind}">${status}</span>`;
	return html`<span class="badge">${took === null ? 'running' : 'no response'}</span>`;
}

/**
 * What a request caused, beside its status.
 * @param {{replayed?: boolean, code?: string, fault?: string}} request
 */
export function outcome({ replayed, code, fault }) {
	const message = { true: 'original returned', false: 'sent' }[String(replayed)];
	return [fault && `fault: ${fault}`, code ?? message].filter(Boolean).join(', ');
}

/** Names and values, without empty ones. @param {Array<[string, unknown]>} entries */
export function facts(entries) {
	const given = entries.filter(([, value]) => value !== null && value !== undefined);
	return html`<dl>
		${given.map(
			([name, value]) =>
				html`<dt>${name}</dt>
					<dd>${value}</dd>`,
		)}
	</dl>`;
}
