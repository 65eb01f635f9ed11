// @ts-check
import { html, render } from 'lit/html.js';
import { keyed } from 'lit/directives/keyed.js';

import * as contacts from './contacts.mjs';
import * as controls from './controls.mjs';
import { keepFocus, markFrame, placeFocus, steer } from './focus.mjs';
import { frame } from './frame.mjs';
import * as inbox from './inbox.mjs';
import * as variants from './variants.mjs';
import { activities, tasks } from './records.mjs';
import * as requests from './requests.mjs';
import { linkTo, routeFrom } from './route.mjs';
import { change, listen, read } from './server.mjs';
import * as templates from './templates.mjs';

/** @typedef {import('../control/view.mts').Overview} Overview */

/**
 * What a view is given besides its own data.
 * @typedef {object} Page
 * @property {Overview} overview
 * @property {(method: string, path: string, body: object | undefined, saying: string, leadsTo?: (answer: any) => string) => Promise<string>} attempt
 *   uses a control, says so, and goes where that leads to; or tells what was wrong, for the caller
 *   to show
 * @property {(...control: Parameters<Page['attempt']>) => Promise<void>} act
 *   the same, and says what was wrong
 * @property {(text: string, said: string) => Promise<void>} copy
 */

/**
 * One part of the page.
 * @typedef {object} View
 * @property {(route: import('./route.mjs').Route) => Promise<any>} [load]
 * @property {(route: import('./route.mjs').Route, data: any, page: Page) => unknown} render
 * @property {(data: any) => number | null} [nextChange] when to read again without being told
 */

/** @type {Record<string, View>} */
const views = {
	inbox,
	contacts,
	templates,
	activities,
	tasks,
	requests,
	variants,
	controls,
};

/** What is on the screen: read together, so that nothing in it contradicts another part. */
/** @type {{route: import('./route.mjs').Route, overview: Overview, data: any} | undefined} */
let shown;
let connected = false;
/** What came of the last thing that was done, and what was set at the time. */
let said = { text: '', settings: '' };
let problem = '';
let readAgain = false;
/** @type {Promise<void> | undefined} */
let reading;
/** How far down the list was when one of its entries was opened, on a narrow screen. */
let place = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let nextChange;

function currentRoute() {
	const route = routeFrom(location.hash);
	return views[route.view] ? route : { ...route, view: 'inbox' };
}

/** Reads what is to be shown, once at a time, however often it is asked for. */
async function refresh() {
	readAgain = true;
	reading ??= readAll();
	await reading;
}

async function readAll() {
	while (readAgain) {
		readAgain = false;
		await readOnce();
	}
	reading = undefined;
}

async function readOnce() {
	const route = currentRoute();
	const { load } = views[route.view];
	try {
		const [overview, data] = await Promise.all([read('/view'), load?.(route)]);
		shown = { route, overview, data };
		if (said.text === problem || said.settings !== settingsOf(overview)) said.text = '';
		problem = '';
	} catch (error) {
		problem = messageOf(error);
	}
	show();
	planNextChange();
}

function planNextChange() {
	clearTimeout(nextChange);
	const wait = shown && views[shown.route.view].nextChange?.(shown.data);
	if (typeof wait === 'number') nextChange = setTimeout(refresh, wait + 20);
}

function show() {
	if (!shown) {
		render(html`<p class="empty">${problem}</p>`, document.body);
		return;
	}
	const { route, overview, data } = shown;
	const view = views[route.view].render(route, data, { overview, attempt, act, copy });
	render(
		frame({
			route,
			overview,
			connected,
			said: said.text,
			problem,
			content: keyed(route.view, view),
		}),
		document.body,
	);
	document.title = `${route.view[0].toUpperCase()}${route.view.slice(1)} · Sandbox`;
}

/** @type {Page['attempt']} */
async function attempt(method, path, body, saying, leadsTo) {
	say('');
	const focused = document.activeElement;
	const card = focused?.closest('.card');
	let wrong = '';
	try {
		const answer = await change(method, path, body);
		const place = leadsTo?.(answer);
		if (place) history.pushState(null, '', place);
	} catch (error) {
		wrong = messageOf(error);
	}
	await follow();
	if (!wrong) say(saying);
	if (focused !== document.body) keepFocus(card);
	return wrong;
}

/** @type {Page['act']} */
async function act(...control) {
	const wrong = await attempt(...control);
	if (wrong) say(wrong);
}

/** @type {Page['copy']} */
async function copy(text, saying) {
	say('');
	try {
		await navigator.clipboard.writeText(text);
		say(saying);
	} catch {
		say('Not copied: the browser does not allow it. Select the text, and copy it from there.');
	}
}

/** @param {string} text */
function say(text) {
	said = { text, settings: shown ? settingsOf(shown.overview) : '' };
	show();
}

/**
 * What was set, by whomever. Once it is another, what was said of it may be so no more.
 * @param {Overview} overview
 */
function settingsOf({ now, requests, inbox, rate, ...settings }) {
	return JSON.stringify({ ...settings, limit: rate.requestsPerMinute });
}

/** @param {unknown} error */
const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/** Filters are part of the address, so that a filtered list can be linked to and loaded again. */
function filter() {
	const { view, open, query } = currentRoute();
	const form = document.querySelector('[data-filters]');
	if (!(form instanceof HTMLFormElement)) return;
	const given = /** @type {Record<string, string>} */ (Object.fromEntries(new FormData(form)));
	history.replaceState(null, '', linkTo(view, { ...query, ...given, page: '' }, open));
	refresh();
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let typing;
document.addEventListener('input', ({ target }) => {
	if (!(target instanceof Element) || !target.closest('[data-filters]')) return;
	clearTimeout(typing);
	typing = setTimeout(filter, 150);
});
document.addEventListener('submit', (event) => {
	event.preventDefault();
	if (event.target instanceof Element && event.target.matches('[data-filters]')) filter();
});

/** Shows the place that the address names. */
async function follow() {
	said.text = '';
	const before = shown?.route;
	if (!before?.open) place = window.scrollY;
	await refresh();
	const { view, open, query } = currentRoute();
	const moved = before?.view !== view || before.open !== open;
	const closed = before?.view === view && !open ? before.open : '';
	if (moved) window.scrollTo(0, closed ? place : 0);
	placeFocus(moved && open !== '', linkTo(view, query, closed));
}

document.addEventListener('keydown', steer);
window.addEventListener('blur', markFrame);
window.addEventListener('focus', markFrame);
window.addEventListener('hashchange', follow);
listen(refresh, (now) => {
	connected = now;
	show();
});
refresh();
