// @ts-check
import { html, noChange, nothing } from 'lit/html.js';
import { keyed } from 'lit/directives/keyed.js';
import { live } from 'lit/directives/live.js';

import { linkTo } from './route.mjs';

/** @typedef {import('./route.mjs').Route} Route */

/**
 * Text that someone else has written: it cannot turn the direction of what stands around it.
 * @param {string | null | undefined} text
 */
export const foreign = (text) => html`<bdi>${text ?? ''}</bdi>`;

/** What stands where something has no visible name. @param {string} text @param {string} otherwise */
export const named = (text, otherwise) => (text.trim() === '' ? otherwise : text);

/**
 * A long text of someone else. In it, whatever would turn the direction is shown as an escape.
 * @param {string} text
 * @param {string} label
 * @param {string} [kind] a class
 */
export function block(text, label, kind = '') {
	const visible = text.replace(
		/[\u202a-\u202e\u2066-\u2069]/g,
		(mark) => `\\u${mark.charCodeAt(0).toString(16)}`,
	);
	return html`<pre class=${kind} tabindex="0" aria-label=${label}><bdi>${visible}</bdi></pre>`;
}

/**
 * A document of someone else, which runs nothing and loads nothing. Another one gets another frame:
 * a frame that goes elsewhere is a step in the history.
 * @param {string} address
 * @param {string} title
 */
export const foreignFrame = (address, title) =>
	keyed(address, html`<iframe sandbox src=${address} title=${title}></iframe>`);

/**
 * A time of the sandbox's clock, in UTC as the service tells it; of today without the date.
 * @param {string | null} iso
 */
export function time(iso) {
	if (!iso) return nothing;
	const today = new Date().toISOString().slice(0, 10);
	const text = `${iso.slice(0, 10)} ${iso.slice(11, 19)}`.replace(`${today} `, '');
	return html`<time datetime=${iso} title=${iso}>${text}</time>`;
}

/**
 * @param {string} text
 * @param {string} kind the class that colours it: good, bad, odd or none
 */
export const badge = (text, kind = '') => html`<span class="badge ${kind}">${foreign(text)}</span>`;

/** @type {Record<string, string>} */
const kindOfState = {
	delivered: 'good',
	bounced: 'bad',
	complained: 'odd',
	rejected: 'bad',
	failed: 'bad',
};

/** @param {string} state how far a message has come */
export const stateBadge = (state) => badge(state, kindOfState[state]);

/** @param {{status: number | null, took: number | null}} request */
export function statusBadge({ status, took }) {
	if (status === null) return badge(took === null ? 'under way' : 'no answer', 'odd');
	const kind = status < 300 ? 'good' : status < 400 ? 'odd' : 'bad';
	return badge(String(status), kind);
}

/**
 * What came of a request, in words.
 * @param {{replayed?: boolean, code?: string, fault?: string}} request
 */
export function outcome({ replayed, code, fault }) {
	const message = { true: 'original returned', false: 'sent' }[String(replayed)];
	return [fault && `fault: ${fault}`, code ?? message].filter(Boolean).join(', ');
}

/**
 * Names and values, of which those without a value are left out.
 * @param {Array<[string, unknown]>} entries
 */
export function facts(entries) {
	const given = entries.filter(([, value]) => value !== null && value !== undefined);
	return html`<dl class="facts">
		${given.map(
			([name, value]) =>
				html`<div>
					<dt>${name}</dt>
					<dd>${value}</dd>
				</div>`,
		)}
	</dl>`;
}

/**
 * A field to filter by. While it is typed in, what is typed stands.
 * @param {Route} route
 * @param {string} name in the route's query
 * @param {string} label
 * @param {string} [type]
 */
export function filterField(route, name, label, type = 'search') {
	const typing = document.activeElement?.id === `filter-${name}`;
	const value = route.query[name] ?? '';
	return html`<input
		id="filter-${name}"
		name=${name}
		type=${type}
		placeholder=${label}
		aria-label=${label}
		.value=${typing ? noChange : live(value)}
	/>`;
}

/**
 * A choice to filter by; the first stands for none.
 * @param {Route} route
 * @param {string} name in the route's query
 * @param {string} label
 * @param {Array<[value: string, text: string]>} choices
 */
export function filterChoice(route, name, label, choices) {
	const chosen = route.query[name] ?? '';
	// Not live: what has been chosen just now stays, although the address does not say it yet.
	return html`<select name=${name} aria-label=${label}>
		${choices.map(
			([value, text]) =>
				html`<option value=${value} .selected=${value === chosen}>${text}</option>`,
		)}
	</select>`;
}

/**
 * Where one is in a list, and the ways to its other pages.
 * @param {Route} route
 * @param {{page: number, pages: number, totalCount: number}} list
 * @param {string} what the entries are called
 */
export function pager({ view, query }, { page, pages, totalCount }, what) {
	/** @param {number} to @param {string} text */
	const way = (to, text) =>
		to >= 1 && to <= pages
			? html`<a href=${linkTo(view, { ...query, page: String(to) })}>${text}</a>`
			: html`<span class="quiet">${text}</span>`;
	return html`<nav class="pager" aria-label="Pages">
		${way(page - 1, 'Newer')}
		<span>${totalCount.toLocaleString('en')} ${what}, page ${page} of ${pages}</span>
		${way(page + 1, 'Older')}
	</nav>`;
}
