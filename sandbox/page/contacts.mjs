// @ts-check
import { html, nothing } from 'lit/html.js';
import { keyed } from 'lit/directives/keyed.js';

import { contactActions, newContact } from './contactForm.mjs';
import { panes } from './panes.mjs';
import { badge, facts, filterField, foreign, named, time } from './parts.mjs';
import { linkTo, toBeMade } from './route.mjs';
import { read, readOpen } from './server.mjs';

/** @typedef {import('../data/contacts.mts').Contact} Contact */
/** @typedef {import('../control/paging.mts').PageOf<Contact>} ContactPage */
/** @typedef {import('./main.mjs').Page} Page */
/** @typedef {import('./route.mjs').Route} Route */

/**
 * @param {Route} route
 * @returns {Promise<{list: ContactPage, contact: Contact | undefined}>}
 */
export async function load({ open, query: { mode, search, page } }) {
	const [list, contact] = await Promise.all([
		read('/view/contacts', { mode, search, page }),
		readOpen('/view/contacts', open, { mode }),
	]);
	return { list, contact };
}

/**
 * @param {Route} route
 * @param {{list: ContactPage, contact: Contact | undefined}} data
 * @param {Page} page
 */
export function render(route, { list, contact }, page) {
	return panes({
		route,
		title: 'Contacts',
		filters: filterField(route, 'search', 'Any field of a contact'),
		add: 'New contact',
		list,
		what: list.totalCount === 1 ? 'contact' : 'contacts',
		idOf: ({ id }) => id,
		row: contactRow,
		empty: 'No contacts.',
		detail:
			route.open === toBeMade
				? newContact(route, page)
				: contact && contactDetail(route, contact, page),
	});
}

/** Each part by itself, so that none turns the other. @param {Contact} contact */
function nameOf({ firstName, lastName, email, id }) {
	const names = [firstName, lastName].filter((name) => name?.trim());
	const shown = names.length > 0 ? names : [named(email ?? '', id)];
	return shown.map((name) => html`${foreign(name)} `);
}

/** @param {Contact} contact */
function contactRow(contact) {
	const { email, company, updatedAt } = contact;
	return html`<span class="line"><strong>${nameOf(contact)}</strong></span>
		<span class="line">${foreign(email)}</span>
		<span class="line quiet">${foreign(company)}${time(updatedAt)}</span>`;
}

/** @param {Route} route @param {Contact} contact @param {Page} page */
function contactDetail(route, contact, page) {
	const { mode } = route.query;
	const { id, email, tags } = contact;
	/** @param {keyof Contact} field */
	const value = (field) => contact[field] && foreign(String(contact[field]));
	return html`<article>
		<header><h2 tabindex="-1">${nameOf(contact)}</h2></header>
		${facts([
			['First name', value('firstName')],
			['Last name', value('lastName')],
			['Email', value('email')],
			['Phone', value('phone')],
			['Company', value('company')],
			['Job title', value('jobTitle')],
			['Source', value('source')],
			['Tags', tags && tags.map((tag) => html`${badge(tag)} `)],
			['Notes', value('notes')],
			['Account', value('accountId')],
			['Id', html`<code>${foreign(contact.id)}</code>`],
			['Created', time(contact.createdAt)],
			['Updated', time(contact.updatedAt)],
		])}
		<ul class="plain">
			${email
				? html`<li>
						<a href=${linkTo('inbox', { mode, choice: 'all', search: email })}
							>Messages to this address</a
						>
					</li>`
				: nothing}
			<li><a href=${linkTo('activities', { mode, contact: id }, toBeMade)}>New activity</a></li>
			<li><a href=${linkTo('tasks', { mode, contact: id }, toBeMade)}>New task</a></li>
		</ul>
		${keyed(id, contactActions(route, contact, page))}
	</article>`;
}
