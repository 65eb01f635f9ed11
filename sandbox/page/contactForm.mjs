// @ts-check
import { html } from 'lit/html.js';

import { changesFrom, field, formOf } from './forms.mjs';
import { linkTo } from './route.mjs';

/** @typedef {import('../data/contacts.mts').Contact} Contact */
/** @typedef {import('./main.mjs').Page} Page */
/** @typedef {import('./route.mjs').Route} Route */

/** A form for a contact that is not there yet. @param {Route} route @param {Page} page */
export function newContact({ query: { mode = 'test' } }, { overview, attempt }) {
	return html`<article>
		<header><h2 tabindex="-1">New contact</h2></header>
		${formOf({
			title: 'New contact',
			fields: contactFields(overview),
			button: 'Create',
			onSubmit: (form) =>
				attempt(
					'POST',
					`/contacts?mode=${mode}`,
					contactFrom(form),
					'The contact is created.',
					({ data }) => linkTo('contacts', { mode }, data.id),
				),
		})}
	</article>`;
}

/** What can be done with a contact. @param {Route} route @param {Contact} contact @param {Page} page */
export function contactActions({ query }, contact, { overview, act, attempt }) {
	const path = `/contacts/${encodeURIComponent(contact.id)}?mode=${query.mode ?? 'test'}`;
	const remove = () =>
		confirm('Delete this contact?') &&
		act('DELETE', path, undefined, 'The contact is deleted.', () => linkTo('contacts', query));
	return html`<details>
			<summary>Change</summary>
			${formOf({
				title: 'Change',
				fields: contactFields(overview, contact),
				button: 'Save',
				onSubmit: (form) => attempt('PATCH', path, contactFrom(form), 'The contact is changed.'),
			})}
		</details>
		<button class="contrast outline" @click=${remove}>Delete</button>`;
}

/** @param {Page['overview']} overview @param {Partial<Contact>} [contact] as it is */
function contactFields({ contactSources }, contact = {}) {
	const { source } = contact;
	/** @type {string[]} */
	const choices = ['', ...contactSources];
	/** @param {keyof Contact} name @param {string} label @param {string} [type] */
	const text = (name, label, type) =>
		field(name, label, { value: contact[name]?.toString(), type });
	return html`<div class="pair">
			${text('firstName', 'First name')} ${text('lastName', 'Last name')}
		</div>
		<div class="pair">${text('email', 'Email', 'email')} ${text('phone', 'Phone', 'tel')}</div>
		<div class="pair">${text('company', 'Company')} ${text('jobTitle', 'Job title')}</div>
		<div class="pair">
			${field('source', 'Source', {
				choices: source && !choices.includes(source) ? [source, ...choices] : choices,
				value: source,
			})}
			${field('tags', 'Tags, with commas between', { value: contact.tags?.join(', ') })}
		</div>
		${text('notes', 'Notes', 'textarea')}`;
}

/** Only what was changed: the rest may have become another one in the meantime. @param {HTMLFormElement} form */
function contactFrom(form) {
	const { tags, ...fields } = changesFrom(form);
	if (tags === undefined) return fields;
	const names = String(tags ?? '').split(',');
	return { ...fields, tags: names.map((name) => name.trim()).filter(Boolean) };
}
