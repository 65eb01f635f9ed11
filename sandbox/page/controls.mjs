// @ts-check
import { html, nothing } from 'lit/html.js';
import { live } from 'lit/directives/live.js';

import { schemaForm } from './forms.mjs';
import { facts, foreign, time } from './parts.mjs';

/** @typedef {import('./main.mjs').Page} Page */

/** @param {unknown} _route @param {unknown} _data @param {Page} page */
export function render(_route, _data, page) {
	const { forms, attempt } = page;
	return html`<h1>Controls</h1>
		${settings(page)}
		${forms.map(
			(form) =>
				html`<details name="forms">
					<summary>${form.title}</summary>
					${schemaForm(form, async (body) => Boolean(await attempt(form.method, form.path, body)))}
				</details>`,
		)}
		${variants(page)}`;
}

const down = { kind: 'status', status: 503, probability: 1 };

/** @param {Page} page */
function settings({ overview, attempt }) {
	const { baseUrl, keys, now, rate, requestsPerMinute, latency, faults, addresses } = overview;
	/** @param {keyof typeof rate} key */
	const counted = (key) =>
		`${rate[key].admitted} accepted and ${rate[key].refused} throttled with the ${key} key`;
	/** @type {Array<[string, unknown]>} */
	const set = Object.entries(addresses).map(([address, outcome]) => [outcome, foreign(address)]);
	/** @type {Array<[string, unknown]>} */
	const waiting = faults.map((fault) => [
		'Fault',
		html`<code>${foreign(JSON.stringify(fault))}</code>`,
	]);
	return html`${facts([
			['Base URL', html`<code>${baseUrl}</code>`],
			['Test key', html`<code>${keys.test}</code>`],
			['Live key', html`<code>${keys.live}</code>`],
			['Clock', time(now)],
			['Rate limit', `${requestsPerMinute} per minute; ${counted('test')}, ${counted('live')}`],
			['Latency', `${latency} ms`],
			...set,
			...waiting,
		])}
		<p role="group">
			<button class="secondary" @click=${() => attempt('POST', '/faults', down)}>
				Take the service down
			</button>
			<button class="secondary" @click=${() => attempt('DELETE', '/faults')}>End all faults</button>
			<button class="secondary" @click=${() => attempt('DELETE', '/requests')}>
				Clear the requests
			</button>
		</p>`;
}

/** Text with code between backticks. @param {string} text */
const prose = (text) =>
	text.split('`').map((part, index) => (index % 2 ? html`<code>${part}</code>` : part));

/** @param {Page} page */
function variants({ overview, attempt }) {
	return html`<h2>Variants</h2>
		<p>Plausible behaviors of the service. The first value is the default.</p>
		<div class="overflow-auto">
			<table>
				${overview.variants.map(({ name, value, allowed, meaning }) => {
					/** @param {Event} event */
					const set = ({ target }) => {
						const { selectedIndex } = /** @type {HTMLSelectElement} */ (target);
						return attempt('PATCH', '/variants', { [name]: allowed[selectedIndex] });
					};
					return html`<tr>
						<th scope="row">
							<label for=${name}>${name}</label>
							${value === allowed[0] ? nothing : html`<span class="badge">changed</span>`}
						</th>
						<td>
							<select id=${name} @change=${set}>
								${allowed.map(
									(one) => html`<option .selected=${live(one === value)}>${one}</option>`,
								)}
							</select>
						</td>
						<td>${prose(meaning)}</td>
					</tr>`;
				})}
			</table>
		</div>`;
}
