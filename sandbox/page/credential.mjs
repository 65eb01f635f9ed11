// @ts-check
import { html } from 'lit/html.js';

import { facts } from './parts.mjs';

/** @typedef {import('./main.mjs').Page} Page */
/** @typedef {Record<import('../identity.mts').Mode, string>} Keys */

/**
 * What a credential for this sandbox is made of, to be copied.
 * @param {Keys} keys
 * @param {Page} page
 */
export function credentialCard(keys, { overview: { baseUrl }, copy }) {
	/** @param {string} name @param {string} value @returns {[string, unknown]} */
	const entry = (name, value) => [
		name,
		html`<span class="line"
			><code>${value}</code
			><button
				class="small"
				aria-label="Copy: ${name}"
				@click=${() => copy(value, `Copied: ${name}.`)}
			>
				Copy
			</button></span
		>`,
	];
	return html`<h2>Credential</h2>
		<p>
			What n8n asks for in a credential for this sandbox. Mode and key go together; the keys are
			worth nothing elsewhere.
		</p>
		${facts([
			entry('Base URL', baseUrl),
			entry('Test key', keys.test),
			entry('Live key', keys.live),
		])}`;
}
