// @ts-check
import { searchFrom } from './parts.mjs';

/**
 * Uses a control.
 * @param {string} method
 * @param {string} path below /_sandbox
 * @param {object} [body]
 * @returns {Promise<any>} the response's body
 * @throws {Error} with the sandbox's message
 */
export async function call(method, path, body) {
	const options = method === 'GET' ? {} : { headers: { 'content-type': 'application/json' } };
	const response = await fetch(`/_sandbox${path}`, {
		method,
		...options,
		body: body && JSON.stringify(body),
	}).catch(() => {
		throw new Error('The sandbox does not respond');
	});
	const text = await response.text();
	const parsed = text ? JSON.parse(text) : {};
	if (!response.ok) throw new Error(parsed.error ?? `The sandbox responded ${response.status}`);
	return parsed;
}

/**
 * @param {string} path below /_sandbox
 * @param {Record<string, string | undefined>} [query] without its empty values
 */
export const read = (path, query = {}) => call('GET', path + searchFrom(query));

/**
 * Reads the opened entry of a list.
 * @param {string} list @param {string} id @param {Record<string, string | undefined>} [query]
 * @returns {Promise<any>} undefined if none is open, or it no longer exists
 */
export const readOpen = async (list, id, query) =>
	id ? read(`${list}/${encodeURIComponent(id)}`, query).catch(() => undefined) : undefined;
