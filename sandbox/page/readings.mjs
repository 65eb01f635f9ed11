// @ts-check
import { html, nothing } from 'lit/html.js';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';

import { badge, filterChoice, filterField } from './parts.mjs';

/** @typedef {import('../control/view.mts').Overview['readings'][number]} Reading */
/** @typedef {import('./route.mjs').Route} Route */
/** @typedef {import('./main.mjs').Page} Page */

/** @param {Reading} reading */
const isChanged = ({ value, allowed }) => value !== allowed[0];

/** @param {Route} route @param {undefined} _data @param {Page} page */
export function render(route, _data, page) {
	const { readings } = page.overview;
	const { search = '', choice } = route.query;
	const shown = readings.filter(
		(reading) =>
			(choice !== 'changed' || isChanged(reading)) &&
			[reading.name, reading.meaning, reading.leftOpenBy, String(reading.value)].some((text) =>
				text.toLowerCase().includes(search.toLowerCase()),
			),
	);
	const changed = readings.filter(isChanged);
	const usual = Object.fromEntries(changed.map(({ name, allowed }) => [name, allowed[0]]));
	return html`<div class="wide">
		<h1>Readings</h1>
		<p>
			The interface leaves questions open. Each has a switch here, and the service follows it from
			the next request on.
		</p>
		<form class="filters" aria-label="Filter" data-filters>
			${filterField(route, 'search', 'Name or meaning')}
			${filterChoice(route, 'choice', 'Which readings', [
				['', `All ${readings.length}`],
				['changed', `Changed: ${changed.length}`],
			])}
			<button
				type="button"
				?disabled=${changed.length === 0}
				@click=${() => page.act('PATCH', '/readings', usual, 'All readings are the usual ones.')}
			>
				Take the usual ones
			</button>
		</form>
		<ul class="cards readings">
			${repeat(
				shown,
				({ name }) => name,
				(reading) => readingCard(reading, page),
			)}
		</ul>
		${shown.length === 0 ? html`<p class="empty">No such readings.</p>` : nothing}
	</div>`;
}

/** @param {Reading} reading @param {Page} page */
function readingCard(reading, { act }) {
	const { name, value, allowed, meaning, leftOpenBy } = reading;
	/** @param {Event} event */
	const take = ({ target }) => {
		const { selectedIndex } = /** @type {HTMLSelectElement} */ (target);
		return act('PATCH', '/readings', { [name]: allowed[selectedIndex] }, `${name} is changed.`);
	};
	return html`<li class="card ${isChanged(reading) ? 'changed' : ''}">
		<div class="line">
			<label for="reading-${name}"><code>${name}</code></label>
			${isChanged(reading) ? badge(`usually ${allowed[0]}`, 'odd') : nothing}
		</div>
		<select id="reading-${name}" aria-describedby="meaning-${name}" @change=${take}>
			${allowed.map(
				(one) => html`<option .selected=${live(one === value)}>${String(one)}</option>`,
			)}
		</select>
		<p id="meaning-${name}">${prose(meaning)}</p>
		<blockquote>${prose(leftOpenBy)}</blockquote>
	</li>`;
}

/** Text in which code stands between backticks. @param {string} text */
function prose(text) {
	return text
		.split('`')
		.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}
