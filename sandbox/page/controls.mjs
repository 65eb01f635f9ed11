// @ts-check
import { html, nothing } from 'lit/html.js';

import { credentialCard } from './credential.mjs';
import { faultsCard } from './faults.mjs';
import { bodyFrom, field, formCard } from './forms.mjs';
import { facts, foreign } from './parts.mjs';
import { read } from './server.mjs';

/** @typedef {import('./credential.mjs').Keys} Keys */
/** @typedef {import('./main.mjs').Page} Page */
/** @typedef {import('./route.mjs').Route} Route */

/** @returns {Promise<Keys>} */
export async function load() {
	return await read('/keys');
}

/** @param {Route} _route @param {Keys} keys @param {Page} page */
export function render(_route, keys, page) {
	return html`<div class="wide">
		<h1>Controls</h1>
		<p>What they change holds from the next request on; a workflow may be running meanwhile.</p>
		<ul class="columns">
			<li class="card">${credentialCard(keys, page)}</li>
			${[faultsCard, addresses, clock, rate, latency, startAgain, surroundings].map(
				(card) => html`<li class="card">${card(page)}</li>`,
			)}
		</ul>
	</div>`;
}

/** @param {Page} page */
function clock({ overview, act }) {
	const { now, advanced } = overview;
	/** @param {number} ms */
	const advance = (ms) => act('POST', '/clock', { advance: ms }, 'The clock is moved.');
	/** @type {Array<[string, number]>} */
	const steps = [
		['5 seconds', 5000],
		['1 minute', 60_000],
		['1 hour', 3_600_000],
		['1 day', 86_400_000],
	];
	return html`<h2>Clock</h2>
		<p>
			<strong>${now.slice(0, 10)} ${now.slice(11, 19)} UTC</strong>${advanced > 0
				? html`, ${advanced / 1000} s ahead`
				: nothing}.
			Timestamps, message states and the rate limit follow it.
		</p>
		<div class="buttons">
			${steps.map(
				([text, ms]) =>
					html`<button class="secondary" @click=${() => advance(ms)}>+ ${text}</button>`,
			)}
		</div>`;
}

/** @param {Page} page */
function rate({ overview: { rate }, attempt }) {
	const { requestsPerMinute, ...counters } = rate;
	return formCard({
		title: 'Rate limit',
		text: 'Requests per minute and key; 0 for no limit.',
		fields: field('requestsPerMinute', 'Requests per minute', {
			type: 'number',
			value: requestsPerMinute,
		}),
		button: 'Limit to this',
		onSubmit: (form) => attempt('PATCH', '/rate', bodyFrom(form), 'The limit is changed.'),
		more: facts(
			Object.entries(counters).map(([mode, { admitted, refused, remaining }]) => [
				`${mode} key`,
				`${admitted} admitted, ${refused} refused${remaining === null ? '' : `, ${remaining} left`}`,
			]),
		),
	});
}

/** @param {Page} page */
function latency({ overview, attempt }) {
	return formCard({
		title: 'Latency',
		text: 'Added to every request to the service, in milliseconds.',
		fields: field('latency', 'Milliseconds', {
			type: 'number',
			value: overview.latency,
			max: overview.limits.milliseconds,
		}),
		button: 'Take this latency',
		onSubmit: (form) => attempt('PATCH', '/latency', bodyFrom(form), 'The latency is changed.'),
	});
}

/** @param {Page} page */
function addresses({ overview: { addresses, addressOutcomes }, attempt }) {
	const set = Object.entries(addresses);
	return formCard({
		title: 'Addresses',
		text: html`What happens to messages for an address. <code>bounce@</code>,
			<code>complain@</code>, <code>reject@</code> and <code>fail@</code> do so at every domain.`,
		fields: html`${field('address', 'Address', { type: 'email', required: true })}
		${field('outcome', 'Outcome', { choices: [...addressOutcomes] })}`,
		button: 'Set',
		onSubmit: (form) => attempt('POST', '/addresses', bodyFrom(form), 'The address is set.'),
		more: facts(set.map(([address, result]) => [result, foreign(address)])),
	});
}

/** @param {string} question @param {() => unknown} work what is done if the answer is yes */
const asking = (question, work) => () => confirm(question) && work();

const atStart = `Seed, contacts, variants, limit, latency and clock go back to how the sandbox was started.
Addresses, faults, the request log and both inboxes are emptied.`;

/** @param {Page} page */
function startAgain({ overview: { seed, contacts, limits }, act, attempt }) {
	return formCard({
		title: 'Reset and seed',
		text: `Seed makes the data anew. Reset does more: ${atStart}`,
		fields: html`${field('seed', 'Seed', { type: 'number', value: seed, min: null })}
		${field('contacts', 'Contacts', { type: 'number', value: contacts, max: limits.contacts })}`,
		button: 'Seed',
		onSubmit: (form) => attempt('POST', '/seed', bodyFrom(form), 'The data are made anew.'),
		more: html`<button
			class="contrast outline"
			@click=${asking(`Reset everything? ${atStart}`, () =>
				act('POST', '/reset', undefined, 'Everything is as at the start.'),
			)}
		>
			Reset everything
		</button>`,
	});
}

/** @param {Page} page */
function surroundings({ overview: { controlUrl, realMail }, act }) {
	/** @param {string} what @param {string} path */
	const empty = (what, path) =>
		html`<button
			class="secondary"
			@click=${asking(`Empty the ${what.toLowerCase()}?`, () =>
				act('DELETE', path, undefined, `${what}: empty.`),
			)}
		>
			Empty the ${what.toLowerCase()}
		</button>`;
	return html`<h2>This sandbox</h2>
		${facts([
			['Controls', html`<code>${controlUrl}</code>`],
			['Real mail', realMail ?? 'none'],
		])}
		<div class="buttons">
			${empty('Request log', '/requests')} ${empty('Inbox for test data', '/inbox?mode=test')}
			${empty('Inbox for live data', '/inbox?mode=live')}
		</div>`;
}
