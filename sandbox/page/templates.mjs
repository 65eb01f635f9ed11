// @ts-check
import { html } from 'lit/html.js';

import { panes } from './panes.mjs';
import { badge, facts, filterField, foreign, foreignFrame } from './parts.mjs';
import { read, readOpen } from './server.mjs';

/** @typedef {import('../control/viewRecords.mts').TemplateDetail} TemplateDetail */
/** @typedef {import('../control/viewRecords.mts').ShownRecord<import('../data/records.mts').Template>} ShownTemplate */
/** @typedef {import('../control/paging.mts').PageOf<ShownTemplate>} TemplatePage */
/** @typedef {import('./route.mjs').Route} Route */

/**
 * @param {Route} route
 * @returns {Promise<{list: TemplatePage, template: TemplateDetail | undefined}>}
 */
export async function load({ open, query: { mode, search, page } }) {
	const [list, template] = await Promise.all([
		read('/view/records/templates', { mode, search, page }),
		readOpen('/view/templates', open, { mode }),
	]);
	return { list, template };
}

/**
 * @param {Route} route
 * @param {{list: TemplatePage, template: TemplateDetail | undefined}} data
 */
export function render(route, { list, template }) {
	return panes({
		route,
		title: 'Templates',
		filters: filterField(route, 'search', 'Any text of a template'),
		list,
		what: list.totalCount === 1 ? 'template' : 'templates',
		idOf: ({ record }) => record.id,
		row: ({ record: { slug, subject } }) =>
			html`<span class="line"><strong>${foreign(slug)}</strong></span>
				<span class="line">${foreign(subject)}</span>`,
		empty: 'No templates.',
		detail: template && templateDetail(route, template),
	});
}

/** @param {Route} route @param {TemplateDetail} template */
function templateDetail({ query: { mode = 'test' } }, { id, slug, name, subject, tokens }) {
	return html`<article>
		<header><h2 tabindex="-1">${foreign(slug)}</h2></header>
		${facts([
			['Name', foreign(name)],
			['Subject', foreign(subject)],
			['Id', html`<code>${foreign(id)}</code>`],
		])}
		<section>
			<h3>Tokens</h3>
			<p class="quiet">What a message can be given as variables, by exactly these names.</p>
			${tokens.length > 0
				? html`<ul class="plain">
						${tokens.map(tokenItem)}
					</ul>`
				: 'None.'}
		</section>
		<h3>Without any variables</h3>
		${foreignFrame(
			`/_sandbox/view/templates/${encodeURIComponent(id)}/html?mode=${mode}`,
			'The template as it looks',
		)}
	</article>`;
}

/** @param {TemplateDetail['tokens'][number]} token */
function tokenItem({ name, fallback }) {
	return html`<li>
		<code>${foreign(name)}</code>
		${fallback === undefined
			? badge('needs a value', 'odd')
			: html`<span>otherwise “${foreign(fallback)}”</span>`}
	</li>`;
}
