// @ts-check
import { html, nothing } from 'lit/html.js';

import { linkTo } from './route.mjs';

/** @typedef {import('../control/view.mts').Overview} Overview */

/**
 * What stands around every view: where one is, where one can go, and how the sandbox is.
 * @param {object} parts
 * @param {import('./route.mjs').Route} parts.route
 * @param {Overview} parts.overview
 * @param {boolean} parts.connected whether what is new appears by itself
 * @param {string} parts.said what came of the last thing that was done
 * @param {string} parts.problem why what is shown may be old
 * @param {unknown} parts.content
 */
export function frame({ route, overview, connected, said, problem, content }) {
	return html`<header>
			<div class="top">
				<a class="brand" href=${linkTo('inbox')}>Sandbox</a>
				<nav class="views" aria-label="Views">${viewLinks(route, overview)}</nav>
				${modeLinks(route)}
				<span class="connection ${connected ? 'on' : 'off'}" role="status"
					>${connected ? 'connected' : 'not connected'}</span
				>
			</div>
			<p class="what">
				A stand-in for the service, on this machine:
				<code>${overview.baseUrl}</code>.
				${overview.realMail
					? html`<strong>Real mail leaves it ${overview.realMail}.</strong>`
					: 'Nothing leaves it, messages go to this inbox only.'}
			</p>
			<p class="said" role="status">${said === problem ? '' : said}</p>
			${problem ? html`<p class="problem" role="alert">${problem}</p>` : nothing}
		</header>
		<main>${content}</main>`;
}

/** @param {import('./route.mjs').Route} route @param {Overview} overview */
function viewLinks({ view, query: { mode } }, { inbox, requests, variants, faults }) {
	const changed = variants.filter(({ value, allowed }) => value !== allowed[0]).length;
	/** @type {Array<[string, string, number]>} */
	const links = [
		['inbox', 'Inbox', inbox[mode ?? 'test']],
		['contacts', 'Contacts', 0],
		['templates', 'Templates', 0],
		['activities', 'Activities', 0],
		['tasks', 'Tasks', 0],
		['requests', 'Requests', requests],
		['variants', 'Variants', changed],
		['controls', 'Controls', faults.length],
	];
	return links.map(
		([name, title, count]) =>
			html`<a href=${linkTo(name, { mode })} aria-current=${name === view ? 'page' : nothing}
				>${title}${count > 0
					? html` <span class="count">${count.toLocaleString('en')}</span>`
					: nothing}</a
			>`,
	);
}

const ofOneWorkspace = ['inbox', 'contacts', 'templates', 'activities', 'tasks'];

/** Which workspace is looked at. @param {import('./route.mjs').Route} route */
function modeLinks({ view, query }) {
	if (!ofOneWorkspace.includes(view)) return nothing;
	return html`<nav class="modes" aria-label="Workspace">
		${['test', 'live'].map(
			(mode) =>
				html`<a
					href=${linkTo(view, { ...query, page: '', mode: mode === 'test' ? '' : mode })}
					aria-current=${mode === (query.mode ?? 'test') ? 'true' : nothing}
					>${mode} data</a
				>`,
		)}
	</nav>`;
}
