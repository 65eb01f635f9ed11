// @ts-check
import { html, nothing } from 'lit/html.js';

import { bodyFrom, field, formOf } from './forms.mjs';
import { panes } from './panes.mjs';
import { badge, facts, filterField, foreign, named, time } from './parts.mjs';
import { linkTo, toBeMade } from './route.mjs';
import { read, readOpen } from './server.mjs';

/** @typedef {import('../control/viewRecords.mts').ShownRecord} ShownRecord */
/** @typedef {import('../control/paging.mts').PageOf<ShownRecord>} RecordPage */
/** @typedef {import('./main.mjs').Page} Page */
/** @typedef {import('./route.mjs').Route} Route */

/**
 * Records that can be added, for a workflow that waits for one.
 * @typedef {object} Kind
 * @property {'activities' | 'tasks'} collection
 * @property {string} one what an entry is called
 * @property {(shown: ShownRecord) => unknown} row
 * @property {string} text what is said above the form
 * @property {(page: Page) => unknown} fields of a new one
 * @property {(filled: Record<string, unknown>) => object} recordFrom what was filled in
 */

export const activities = viewOf({
	collection: 'activities',
	one: 'activity',
	row: ({ record }) =>
		html`<span class="line"><strong>${textOf(record.summary)}</strong></span>
			<span class="line quiet">${textOf(record.type)}${time(record.createdAt)}</span>`,
	text: 'It stands in the feed of activities at once.',
	fields: () =>
		html`${field('type', 'Type', {
			choices: ['note', 'call', 'email', 'meeting', 'stage_change'],
		})}
		${field('summary', 'Summary', { required: true })}`,
	recordFrom: (filled) => filled,
});

export const tasks = viewOf({
	collection: 'tasks',
	one: 'task',
	row: ({ record, listed }) =>
		html`<span class="line"
				><strong>${textOf(record.title)}</strong>${listed ? badge('overdue', 'odd') : nothing}</span
			>
			<span class="line quiet"
				><span>${record.completedAt ? 'done, was due' : 'due'}</span>${time(
					textFrom(record.dueAt),
				)}</span
			>`,
	text: 'Due now or earlier, it is overdue at once. Due later, it is when the time has come, or when the clock is moved there: see Controls.',
	fields: ({ overview: { now } }) =>
		html`${field('title', 'Title', { required: true })}
		${field('dueAt', 'Due, in UTC', {
			type: 'datetime-local',
			value: now.slice(0, 16),
			required: true,
		})}`,
	recordFrom: ({ dueAt, ...filled }) => ({
		...filled,
		dueAt: new Date(`${dueAt}Z`).toISOString(),
		completedAt: null,
	}),
});

/** The part of the page for one kind of records. @param {Kind} kind */
function viewOf(kind) {
	const { collection, one, row } = kind;
	return {
		/**
		 * @param {Route} route
		 * @returns {Promise<{list: RecordPage, shown: ShownRecord | undefined}>}
		 */
		async load({ open, query: { mode, search, page } }) {
			const [list, shown] = await Promise.all([
				read(`/view/records/${collection}`, { mode, search, page }),
				readOpen(`/view/records/${collection}`, open, { mode }),
			]);
			return { list, shown };
		},
		/**
		 * @param {Route} route
		 * @param {{list: RecordPage, shown: ShownRecord | undefined}} data
		 * @param {Page} page
		 */
		render: (route, { list, shown }, page) =>
			panes({
				route,
				title: `${collection[0].toUpperCase()}${collection.slice(1)}`,
				filters: filterField(route, 'search', 'Any text'),
				add: `New ${one}`,
				list,
				what: list.totalCount === 1 ? one : collection,
				idOf: ({ record }) => record.id,
				row,
				empty: `No ${collection}.`,
				detail:
					route.open === toBeMade
						? newRecord(kind, route, page)
						: shown && recordDetail(shown, route),
			}),
	};
}

/** @param {Kind} kind @param {Route} route @param {Page} page */
function newRecord({ collection, one, text, fields, recordFrom }, { query }, page) {
	const { mode = 'test', contact } = query;
	const title = `New ${one}`;
	return html`<article>
		<header><h2 tabindex="-1">${title}</h2></header>
		<p>${text}</p>
		${formOf({
			title,
			fields: html`${fields(page)} ${field('contactId', 'Id of a contact', { value: contact })}`,
			button: 'Add',
			onSubmit: (form) =>
				page.attempt(
					'POST',
					`/records/${collection}?mode=${mode}`,
					recordFrom(bodyFrom(form)),
					`The ${one} is added.`,
					({ data }) => linkTo(collection, { mode }, data.id),
				),
		})}
	</article>`;
}

/** @param {ShownRecord} shown @param {Route} route */
function recordDetail({ record }, { query: { mode } }) {
	const { summary, title, contactId } = record;
	/** @type {Array<[string, unknown]>} */
	const fields = Object.entries(record).map(([name, value]) => [name, textOf(value)]);
	return html`<article>
		<header>
			<h2 tabindex="-1">${foreign(named(textFrom(summary ?? title ?? ''), record.id))}</h2>
		</header>
		${facts(fields)}
		${contactId
			? html`<p><a href=${linkTo('contacts', { mode }, textFrom(contactId))}>Its contact</a></p>`
			: nothing}
	</article>`;
}

/** A value of whatever kind. @param {unknown} value */
function textFrom(value) {
	return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** @param {unknown} value */
const textOf = (value) => foreign(textFrom(value));
