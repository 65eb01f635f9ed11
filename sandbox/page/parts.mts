import type { ViewName } from '../control/schemas.mts';
import type { Mode } from '../identity.mts';
import type { State } from '../state.mts';
import { html, type Content, type Html } from './html.mts';

/** An address of the page. */
export interface Place {
	view: ViewName;
	mode: Mode;
	search: string;
	/** The ID of the opened entry; empty for none. */
	open: string;
}

/** What a view is made from. */
export interface Shown {
	state: State;
	place: Place;
	/** Of the sandbox, with its port. */
	host: string;
}

export function linkTo(place: Partial<Place>): string {
	const given = Object.entries(place).filter(([, value]) => value !== '');
	return `?${new URLSearchParams(given)}`;
}

/** Whether some texts contain what is searched for. */
export function contains(texts: unknown[], { search }: Place): boolean {
	return texts.join('\n').toLowerCase().includes(search.toLowerCase());
}

/** Text of someone else, which can't change the direction of the text around it. */
export const foreign = (text: Content): Html => html`<bdi>${text}</bdi>`;

/** A long text of someone else. Characters that change the direction are shown as escapes. */
export function block(title: string, text: string): Html {
	const beginning = text.length > 20_000 ? `${text.slice(0, 20_000)}\n…` : text;
	const visible = beginning.replace(
		/[\u202a-\u202e\u2066-\u2069]/g,
		(mark) => `\\u${mark.charCodeAt(0).toString(16)}`,
	);
	return html`<h3>${title}</h3>
		<pre tabindex="0" aria-label="${title}"><bdi>${visible}</bdi></pre>`;
}

/** A time in UTC, without the date if it is today. */
export function time(iso: string): Html {
	const today = new Date().toISOString().slice(0, 10);
	const text = `${iso.slice(0, 10)} ${iso.slice(11, 19)}`.replace(`${today} `, '');
	return html`<time datetime="${iso}" title="${iso}">${text}</time>`;
}

export const badge = (text: Content, kind: '' | 'good' | 'bad'): Html =>
	html`<span class="badge ${kind}">${text}</span>`;

/** Names and values, without empty ones. The page updates them. */
export function facts(id: string, entries: Array<[string, Content]>): Html {
	const given = entries.filter(([, value]) => value !== null && value !== undefined);
	return html`<dl id="facts-${id}" data-live>
		${given.map(
			([name, value]) =>
				html`<dt>${name}</dt>
					<dd>${value}</dd>`,
		)}
	</dl>`;
}

/** A control that the page uses, with a body that can be edited. */
export interface Control {
	title: string;
	method: 'POST' | 'PATCH' | 'DELETE';
	/** Below /_sandbox. */
	path: string;
	body?: object;
}

export function controlForm({ mode }: Place, { title, method, path, body }: Control): Html {
	return html`<form data-method="${method}" data-path="${path}?mode=${mode}">
		${body && editor(title, JSON.stringify(body, null, 2))}
		<button class="secondary">${title}</button>
	</form>`;
}

function editor(title: string, json: string): Html {
	const rows = json.split('\n').length;
	return html`<textarea name="body" rows="${rows}" aria-label="${title}">${json}</textarea>`;
}

/** The most entries of a list; a search finds the others. */
export const most = 100;

/** A list with a search field, beside the opened entry. */
export function panes<Entry>(parts: {
	place: Place;
	title: string;
	/** The newest ones, and how many there are. */
	entries: Entry[];
	totalCount: number;
	idOf: (entry: Entry) => string | number;
	row: (entry: Entry) => Html;
	detail: Html | undefined;
}): Html {
	const { place, title, entries, totalCount, idOf, row, detail } = parts;
	const { view, mode, search, open } = place;
	const rows = entries.slice(0, most).map((entry) => {
		const id = String(idOf(entry));
		const current = id === open ? html`aria-current="true"` : '';
		return html`<li><a href="${linkTo({ ...place, open: id })}" ${current}>${row(entry)}</a></li>`;
	});
	return html`<h1>${title}</h1>
		<div class="panes ${open && 'opened'}">
			<section class="list" aria-label="${title}">
				<form>
					<input type="hidden" name="view" value="${view}" />
					<input type="hidden" name="mode" value="${mode}" />
					<input type="search" name="search" value="${search}" aria-label="Search" />
				</form>
				<ul class="rows" id="rows" data-live>
					${rows}
				</ul>
				<p class="quiet" id="count" data-live>${rows.length} of ${totalCount}</p>
			</section>
			<section class="detail" aria-label="Details">
				${open &&
				html`<a class="back" href="${linkTo({ ...place, open: '' })}">Back to the list</a>`}
				${detail ??
				html`<p class="quiet">${open ? 'Not found.' : 'Open an entry of the list.'}</p>`}
			</section>
		</div>`;
}
