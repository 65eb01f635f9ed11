// @ts-check
import { html, nothing } from 'lit/html.js';
import { repeat } from 'lit/directives/repeat.js';

import { pager } from './parts.mjs';
import { linkTo, toBeMade } from './route.mjs';

/**
 * A list beside what is open of it; on a narrow screen one at a time.
 * @template Entry
 * @param {object} parts
 * @param {import('./route.mjs').Route} parts.route
 * @param {string} parts.title
 * @param {unknown} parts.filters
 * @param {string} [parts.add] what a link to make a new entry is called
 * @param {{data: Entry[], page: number, pages: number, totalCount: number}} parts.list
 * @param {string} parts.what the entries are called
 * @param {(entry: Entry) => string | number} parts.idOf
 * @param {(entry: Entry) => unknown} parts.row
 * @param {string} parts.empty what is said without entries
 * @param {unknown} parts.detail what is open, as far as it is there
 */
export function panes({ route, title, filters, add, list, what, idOf, row, empty, detail }) {
	const { view, query, open } = route;
	return html`<h1 class="unseen">${title}</h1>
		<div class="panes ${open ? 'opened' : ''}">
			<section class="list" aria-label=${title}>
				<form class="filters" aria-label="Filter" data-filters>
					${filters}
					${add ? html`<a class="add" href=${linkTo(view, query, toBeMade)}>${add}</a>` : nothing}
				</form>
				<ul class="rows" tabindex="-1">
					${repeat(
						list.data,
						idOf,
						(entry) =>
							html`<li>
								<a
									href=${linkTo(view, query, idOf(entry))}
									aria-current=${String(idOf(entry)) === open ? 'true' : nothing}
									>${row(entry)}</a
								>
							</li>`,
					)}
				</ul>
				${list.totalCount === 0 ? html`<p class="empty">${empty}</p>` : nothing}
				${pager(route, list, what)}
			</section>
			<section class="detail" aria-label="What is open">
				${open
					? html`<p class="back"><a href=${linkTo(view, query)}>Back to the list</a></p>
							${detail ?? html`<p class="empty">It is not there any more.</p>`}`
					: html`<p class="empty">Choose one on the left to see all of it.</p>`}
			</section>
		</div>`;
}
