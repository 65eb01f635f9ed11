// @ts-check
import { html, nothing } from 'lit/html.js';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';

import { badge, filterChoice, filterField } from './parts.mjs';

/** @typedef {import('../control/view.mts').Overview['variants'][number]} Variant */
/** @typedef {import('./route.mjs').Route} Route */
/** @typedef {import('./main.mjs').Page} Page */

/** @param {Variant} variant */
const isChanged = ({ value, allowed }) => value !== allowed[0];

/** @param {Route} route @param {undefined} _data @param {Page} page */
export function render(route, _data, page) {
	const { variants } = page.overview;
	const { search = '', choice } = route.query;
	const shown = variants.filter(
		(variant) =>
			(choice !== 'changed' || isChanged(variant)) &&
			[variant.name, variant.meaning, variant.leftOpenBy, String(variant.value)].some((text) =>
				text.toLowerCase().includes(search.toLowerCase()),
			),
	);
	const changed = variants.filter(isChanged);
	const usual = Object.fromEntries(changed.map(({ name, allowed }) => [name, allowed[0]]));
	return html`<div class="wide">
		<h1>Variants</h1>
		<p>
			The interface leaves questions open. Each has a switch here, and the service follows it from
			the next request on.
		</p>
		<form class="filters" aria-label="Filter" data-filters>
			${filterField(route, 'search', 'Name or meaning')}
			${filterChoice(route, 'choice', 'Which variants', [
				['', `All ${variants.length}`],
				['changed', `Changed: ${changed.length}`],
			])}
			<button
				type="button"
				?disabled=${changed.length === 0}
				@click=${() => page.act('PATCH', '/variants', usual, 'All variants are the usual ones.')}
			>
				Take the usual ones
			</button>
		</form>
		<ul class="cards variants">
			${repeat(
				shown,
				({ name }) => name,
				(variant) => variantCard(variant, page),
			)}
		</ul>
		${shown.length === 0 ? html`<p class="empty">No such variants.</p>` : nothing}
	</div>`;
}

/** @param {Variant} variant @param {Page} page */
function variantCard(variant, { act }) {
	const { name, value, allowed, meaning, leftOpenBy } = variant;
	/** @param {Event} event */
	const take = ({ target }) => {
		const { selectedIndex } = /** @type {HTMLSelectElement} */ (target);
		return act('PATCH', '/variants', { [name]: allowed[selectedIndex] }, `${name} is changed.`);
	};
	return html`<li class="card ${isChanged(variant) ? 'changed' : ''}">
		<div class="line">
			<label for="variant-${name}"><code>${name}</code></label>
			${isChanged(variant) ? badge(`usually ${allowed[0]}`, 'odd') : nothing}
		</div>
		<select id="variant-${name}" aria-describedby="meaning-${name}" @change=${take}>
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
