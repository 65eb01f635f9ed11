// @ts-check
import { html, nothing, render } from 'lit/html.js';
import { keyed } from 'lit/directives/keyed.js';

import * as contacts from './contacts.mjs';
import * as controls from './controls.mjs';
import * as inbox from './inbox.mjs';
import { linkTo, routeFrom } from './parts.mjs';
import * as requests from './requests.mjs';
import { call, read } from './server.mjs';

/** @typedef {import('../control/forms.mts').Form} Form */
/** @typedef {import('./parts.mjs').Route} Route */

/**
 * What views receive besides their own data.
 * @typedef {object} Page
 * @property {import('../control/view.mts').Overview} overview
 * @property {Form[]} forms
 * @property {Form} contactForm
 * @property {(method: string, path: string, body?: object) => Promise<any>} attempt
 *   uses a control and shows the result; undefined if it failed
 */

/**
 * @typedef {object} View
 * @property {(route: Route) => Promise<any>} [load]
 * @property {(route: Route, data: any, page: Page) => unknown} render
 */

/** @type {Record<string, View>} */
const views = { inbox, contacts, requests, controls };

/** How often the page reads its data again. */
const intervalMs = 1500;

const { forms, contactForm } = await read('/view/forms');
let said = '';
let problem = '';
/** @type {Promise<void> | undefined} */
let reading;
let readAgain = false;

function currentRoute() {
	const route = routeFrom(location.hash);
	return views[route.view] ? route : { ...route, view: 'inbox' };
}

/** Reads and shows the current view, once at a time. */
async function refresh() {
	readAgain = true;
	reading ??= (async () => {
		while (readAgain) {
			readAgain = false;
			await show(currentRoute());
		}
		reading = undefined;
	})();
	await reading;
}

/** @param {Route} route */
async function show(route) {
	const { load, render: content } = views[route.view];
	try {
		const [overview, data] = await Promise.all([read('/view'), load?.(route)]);
		problem = '';
		const page = { overview, forms, contactForm, attempt };
		render(frame(route, overview, keyed(route.view, content(route, data, page))), document.body);
	} catch (error) {
		problem = messageOf(error);
	}
	const status = document.querySelector('[role=status]') ?? document.body;
	status.textContent = problem || said;
}

/** @param {Route} route @param {Page['overview']} overview @param {unknown} content */
function frame({ view, query }, { inbox, requests }, content) {
	const { mode = 'test' } = query;
	/** @type {Record<string, string | number>} */
	const counts = { inbox: inbox[mode] ?? 0, contacts: '', requests, controls: '' };
	return html`<header>
			<nav>
				<ul aria-label="Views">
					<li><strong>Sandbox</strong></li>
					${Object.entries(counts).map(
						([name, count]) =>
							html`<li>
								<a href=${linkTo(name, { mode })} aria-current=${name === view ? 'page' : nothing}
									>${title(name)} <small>${count}</small></a
								>
							</li>`,
					)}
				</ul>
				<ul aria-label="Workspace">
					${['test', 'live'].map(
						(one) =>
							html`<li>
								<a
									href=${linkTo(view, { ...query, mode: one })}
									aria-current=${one === mode ? 'true' : nothing}
									>${title(one)} data</a
								>
							</li>`,
					)}
				</ul>
			</nav>
			<p role="status"></p>
		</header>
		<main>${content}</main>`;
}

/** @param {string} name */
const title = (name) => name[0].toUpperCase() + name.slice(1);

/** @type {Page['attempt']} */
async function attempt(method, path, body) {
	let result;
	try {
		result = await call(method, path, body);
		said = `Done: ${method} ${path}`;
	} catch (error) {
		said = messageOf(error);
	}
	await refresh();
	return result;
}

/** @param {unknown} error */
const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/** Filters are part of the address, so a filtered list can be linked to. @param {Event} event */
function filter({ target }) {
	const form = target instanceof Element ? target.closest('form[data-filters]') : null;
	if (!(form instanceof HTMLFormElement)) return;
	const { view, open, query } = currentRoute();
	const given = /** @type {Record<string, string>} */ (Object.fromEntries(new FormData(form)));
	history.replaceState(null, '', linkTo(view, { ...query, ...given }, open));
	refresh();
}

document.addEventListener('input', filter);
document.addEventListener('submit', (event) => event.preventDefault());
window.addEventListener('hashchange', ({ oldURL }) => {
	if (routeFrom(new URL(oldURL).hash).view !== currentRoute().view) said = '';
	refresh();
});
setInterval(() => document.hidden || refresh(), intervalMs);
refresh();
