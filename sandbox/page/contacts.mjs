// @ts-check
import { html } from 'lit/html.js';
import { keyed } from 'lit/directives/keyed.js';

import { schemaForm } from './forms.mjs';
import { panes } from './panes.mjs';
import { facts, foreign, linkTo, time } from './parts.mjs';
import { read, readOpen } from './server.mjs';

/** @typedef {import('../data/contacts.mts').Contact} Contact */
/** @typedef {import('./parts.mjs').Route} Route */
/** @typedef {import('./main.mjs').Page} Page */

/** @typedef {{data: Contact[], totalCount: number}} ContactList */

/** @param {Route} route @returns {Promise<{list: ContactList, contact?: Contact}>} */
export async function load({ open, query: { mode, search } }) {
	const [list, contact] = await Promise.all([
		read('/view/contacts', { mode, search }),
		readOpen('/view/contacts', open, { mode }),
	]);
	return { list, contact };
}

/** @param {Route} route @param {Awaited<ReturnType<typeof load>>} data @param {Page} page */
export function render(route, { list, contact }, page) {
	const { mode = 'test' } = route.query;
	return panes({
		route,
		title: 'Contacts',
		more: html`<a role="button" href=${linkTo('contacts', { mode }, 'new')}>New contact</a>`,
		list,
		idOf: ({ id }) => id,
		row: ({ email, updatedAt, ...contact }) =>
			html`<strong>${nameOf(contact)}</strong><br />${foreign(email)} ${time(updatedAt)}`,
		detail: route.open === 'new' ? newContact(mode, page) : contact && details(contact, mode, page),
	});
}

/** @param {Pick<Contact, 'firstName' | 'lastName' | 'id'>} contact */
const nameOf = ({ firstName, lastName, id }) =>
	foreign([firstName, lastName].filter(Boolean).join(' ').trim() || id);

/** @param {string} mode @param {Page} page */
function newContact(mode, { contactForm, attempt }) {
	return html`<h2>New contact</h2>
		${schemaForm(contactForm, async (body) => {
			const { data } = (await attempt('POST', `/contacts?mode=${mode}`, body)) ?? {};
			if (data) location.hash = linkTo('contacts', { mode }, data.id);
			return Boolean(data);
		})}`;
}

/** @param {Contact} contact @param {string} mode @param {Page} page */
function details(contact, mode, { contactForm, attempt }) {
	const path = `/contacts/${encodeURIComponent(contact.id)}?mode=${mode}`;
	/** @param {object} body */
	const save = async (body) => Boolean(await attempt('PATCH', path, body));
	const form = { ...contactForm, title: 'Save', text: 'Only changed fields are written.' };
	return html`<h2>${nameOf(contact)}</h2>
		${facts(
			Object.entries(contact).map(([name, value]) => [
				name,
				value === null ? null : foreign(String(value)),
			]),
		)}
		${keyed(
			JSON.stringify(contact),
			html`<details>
				<summary>Change</summary>
				${schemaForm(form, save, contact)}
			</details>`,
		)}
		<button class="secondary" @click=${() => attempt('DELETE', path)}>Delete</button>`;
}
