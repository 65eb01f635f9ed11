// @ts-check
import { toBeMade } from './route.mjs';

const controls = '/_sandbox';

/**
 * Reads something of the sandbox.
 * @param {string} path below /_sandbox
 * @param {Record<string, string | undefined>} [query] what is empty is left out
 * @returns {Promise<any>}
 * @throws {Error} with what the sandbox answered
 */
export async function read(path, query = {}) {
	const given = Object.entries(query).filter(([, value]) => value);
	const search = new URLSearchParams(/** @type {string[][]} */ (given));
	return await call('GET', search.size > 0 ? `${path}?${search}` : path);
}

/**
 * Reads what is open, which a reset may have taken away in the meantime.
 * @param {string} list below /_sandbox
 * @param {string} open its id; empty for none
 * @param {Record<string, string | undefined>} [query]
 * @returns {Promise<any>} undefined if there is no such thing
 */
export async function readOpen(list, open, query) {
	if (!open || open === toBeMade) return undefined;
	return await read(`${list}/${encodeURIComponent(open)}`, query).catch(() => undefined);
}

/**
 * Uses a control that changes something.
 * @param {string} method
 * @param {string} path below /_sandbox
 * @param {object} [body]
 * @returns {Promise<any>}
 * @throws {Error} with what the sandbox answered
 */
export async function change(method, path, body) {
	return await call(method, path, {
		headers: { 'content-type': 'application/json' },
		body: body && JSON.stringify(body),
	});
}

/**
 * @param {string} method
 * @param {string} path
 * @param {RequestInit} [options]
 */
async function call(method, path, options) {
	const answer = await fetch(controls + path, { method, ...options }).catch(() => {
		throw new Error('The sandbox does not answer');
	});
	const text = await answer.text();
	const body = text ? JSON.parse(text) : undefined;
	if (!answer.ok) throw new Error(body?.error ?? `The sandbox answered ${answer.status}`);
	return body;
}

/**
 * Listens for what is new, as long as someone looks: a browser has few connections to one server,
 * and hidden tabs would hold them all.
 * @param {() => void} onChange
 * @param {(connected: boolean) => void} onConnection
 */
export function listen(onChange, onConnection) {
	/** @type {EventSource | undefined} */
	let events;
	const follow = () => {
		events?.close();
		events = undefined;
		if (document.hidden) return;
		events = new EventSource(`${controls}/view/events`);
		events.addEventListener('changed', onChange);
		events.addEventListener('open', () => onConnection(true));
		events.addEventListener('error', () => onConnection(false));
	};
	document.addEventListener('visibilitychange', follow);
	follow();
}
