// @ts-check
import { html, nothing } from 'lit/html.js';
import { repeat } from 'lit/directives/repeat.js';

import { linkTo } from './parts.mjs';

/**
 * A list with a search field, beside the opened entry.
 * @template Entry
 * @param {object} parts
 * @param {import('./parts.mjs').Route} parts.route
 * @param {string} parts.title
 * @param {unknown} [parts.more] further filters and links
 * @param {{data: Entry[], totalCount: number}} parts.list
 * @param {(entry: Entry) => string | number} parts.idOf
 * @param {(entry: Entry) => unknown} parts.row
 * @param {unknown} parts.detail the opened entry, if it exists
 */
export function panes({ route, title, more = nothing, list, idOf, row, detail }) {
	const { view, query, open } = route;
	/** @param {string | number} id */
	const isOpen = (id) => (String(id) === open ? 'true' : nothing);
	return html`<h1>${title}</h1>
		<div class="panes ${open ? 'opened' : ''}">
			<section class="list" aria-label=${title}>
				<form data-filters role="search">
					<input name="search" type="search" aria-label="Search" .value=${query.search ?? ''} />
					${more}
				</form>
				<ul class="rows">
					${repeat(
						list.data,
						idOf,
						(entry) =>
							html`<li>
								<a href=${linkTo(view, query, idOf(entry))} aria-current=${isOpen(idOf(entry))}
									>${row(entry)}</a
								>
							</li>`,
					)}
				</ul>
				<p class="quiet">${list.data.length} of ${list.totalCount.toLocaleString('en')}</p>
			</section>
			<section class="detail" aria-label="Details">
				${open ? html`<a class="back" href=${linkTo(view, query)}>Back to the list</a>` : nothing}
				${detail ??
				html`<p class="quiet">${open ? 'Not found.' : 'Open an entry of the list.'}</p>`}
			</section>
		</div>`;
}
