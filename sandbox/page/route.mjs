// @ts-check

/**
 * Where in the page one is: everything that a link can say.
 * @typedef {object} Route
 * @property {string} view
 * @property {string} open the message, contact or request that is open; empty for none
 * @property {Record<string, string>} query filters and page, by the names that the controls know
 */

/** What is open where something new is to be made. */
export const toBeMade = 'new';

/**
 * @param {string} hash such as `#/requests/7?status=4xx`
 * @returns {Route}
 */
export function routeFrom(hash) {
	const [path, query] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
	const [view, open = ''] = path.split('/');
	return {
		view: view || 'inbox',
		open: decoded(open),
		query: Object.fromEntries(new URLSearchParams(query)),
	};
}

/**
 * @param {string} view
 * @param {Record<string, string | undefined>} [query] what is empty is left out
 * @param {string | number} [open]
 * @returns {string} the address of this place in the page
 */
export function linkTo(view, query = {}, open = '') {
	const given = Object.entries(query).filter(([, value]) => value);
	const search = new URLSearchParams(/** @type {string[][]} */ (given));
	const path = open === '' ? view : `${view}/${encodeURIComponent(open)}`;
	return `#/${path}${search.size > 0 ? `?${search}` : ''}`;
}

/** @param {string} text */
function decoded(text) {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}
