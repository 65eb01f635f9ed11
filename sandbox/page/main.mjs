// @ts-check
import { html, render } from 'lit/html.js';
import { keyed } from 'lit/directives/keyed.js';

import * as contacts from './contacts.mjs';
import * as controls from './controls.mjs';
import { keepFocus, markFrame } from './focus.mjs';
import * as inbox from './inbox.mjs';
import * as readings from './readings.mjs';
import * as requests from './requests.mjs';
import { linkTo, routeFrom } from './route.mjs';
import { change, listen, read } from './server.mjs';
import { frame } from './frame.mjs';

/** @typedef {import('../control/view.mts').Overview} Overview */

/**
 * What a view is given besides its own data.
 * @typedef {object} Page
 * @property {Overview} overview
 * @property {(method: string, path: string, body: object | undefined, said: string) => Promise<boolean>} act
 *   uses a control and says so, or what was wrong; whether it worked
 * @property {(text: string) => Promise<void>} copy
 */

/**
 * One part of the page.
 * @typedef {object} View
 * @property {(route: import('./route.mjs').Route) => Promise<any>} [load]
 * @property {(route: import('./route.mjs').Route, data: any, page: Page) => unknown} render
 * @property {(data: any) => number | null} [nextChange] when to read again without being told
 */

/** @type {Record<string, View>} */
const views = { inbox, contacts, requests, readings, controls };

/** What is on the screen: read together, so that nothing in it contradicts another part. */
/** @type {{route: import('./route.mjs').Route, overview: Overview, data: any} | undefined} */
let shown;
let connected = false;
let said = '';
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
	const view = views[route.view].render(route, data, { overview, act, copy });
	render(
		frame({ route, overview, connected, said, problem, content: keyed(route.view, view) }),
		document.body,
	);
	document.title = `${route.view[0].toUpperCase()}${route.view.slice(1)} · Sandbox`;
}

/** @type {Page['act']} */
async function act(method, path, body, saying) {
	say('');
	const focused = document.activeElement;
	const card = focused?.closest('.card');
	try {
		await change(method, path, body);
		say(saying);
		return true;
	} catch (error) {
		say(messageOf(error));
		return false;
	} finally {
		await refresh();
		if (focused !== document.body) keepFocus(card);
	}
}

/** @type {Page['copy']} */
async function copy(text) {
	say('');
	try {
		await navigator.clipboard.writeText(text);
		say('Copied.');
	} catch (error) {
		say(messageOf(error));
	}
}

/** @param {string} text */
function say(text) {
	said = text;
	show();
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

/** Whoever works by keyboard is not left behind in a list that a narrow screen has hidden. */
async function follow() {
	said = '';
	const before = shown?.route;
	if (!before?.open) place = window.scrollY;
	await refresh();
	const { view, open, query } = currentRoute();
	const closed = before?.view === view && before.open && !open ? before.open : '';
	if (before?.view !== view || before.open !== open) window.scrollTo(0, closed ? place : 0);
	const { activeElement } = document;
	if (activeElement !== document.body && activeElement?.checkVisibility()) return;
	const row = `.rows a[href="${CSS.escape(linkTo(view, query, closed))}"]`;
	/** @type {HTMLElement | null} */
	const next =
		document.querySelector('.opened h2') ??
		(closed ? document.querySelector(row) : null) ??
		document.querySelector('.rows');
	next?.focus({ preventScroll: true });
}

window.addEventListener('blur', markFrame);
window.addEventListener('focus', markFrame);
window.addEventListener('hashchange', follow);
listen(refresh, (now) => {
	connected = now;
	show();
});
refresh();
