// @ts-check
import { html, nothing } from 'lit/html.js';

import { bodyFrom, field, formCard } from './forms.mjs';
import { badge, foreign } from './parts.mjs';

/** @typedef {import('./main.mjs').Page} Page */

/**
 * The faults that wait for requests, and a form for another one.
 * @param {Page} page
 */
export function faultsCard({ overview: { faults, faultKinds, limits }, act, attempt }) {
	return formCard({
		title: 'Faults',
		text: 'A fault hits the next request that matches; what is empty matches every one.',
		fields: html`${field('kind', 'Kind', { choices: [...faultKinds] })}
			<div class="pair">
				${field('next', 'Requests', { type: 'number', min: 1 })}
				${field('probability', 'Probability, 0 to 1', { type: 'number', max: 1, step: 'any' })}
			</div>
			<details>
				<summary>Which requests, and how</summary>
				<div class="pair">
					${field('method', 'Method', { choices: ['', 'GET', 'POST', 'PUT'] })}
					${field('path', 'Path begins with')}
				</div>
				${field('match', 'Piece of the body')}
				<div class="pair">
					${field('status', 'Status of the answer', { type: 'number', min: 200, max: 599 })}
					${field('delayMs', 'Delay in ms', { type: 'number', max: limits.milliseconds })}
				</div>
				${field('body', 'Body of the answer')} ${field('location', 'Location of a redirect')}
				<label><input type="checkbox" name="after" /> after the work is done</label>
			</details>`,
		button: 'Add the fault',
		onSubmit: (form) =>
			attempt('POST', '/faults', bodyFrom(form), 'The fault waits for a request.'),
		more: html`<button class="secondary" @click=${() => act('POST', '/faults', down, isDown)}>
				Take the service down
			</button>
			${waiting(faults, act)}`,
	});
}

const down = { kind: 'status', status: 503 };

const isDown = 'The service is down: it answers 503 until you end all faults.';

/** @param {Page['overview']['faults']} faults @param {Page['act']} act */
function waiting(faults, act) {
	if (faults.length === 0) return html`<p class="quiet">No fault is waiting.</p>`;
	return html`<ul class="plain">
			${faults
				.slice(0, 50)
				.map(
					({ kind, left, ...rest }) =>
						html`<li>
							${badge(kind, 'odd')} ${left === null ? 'without end' : `${left} left`}
							${Object.keys(rest).length > 0
								? html`<code>${foreign(JSON.stringify(rest).slice(0, 300))}</code>`
								: nothing}
						</li>`,
				)}
		</ul>
		<button
			class="secondary"
			@click=${() => act('DELETE', '/faults', undefined, 'No fault is waiting any more.')}
		>
			End all faults
		</button>`;
}
