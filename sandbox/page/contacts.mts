import { settableFields, type Contact } from '../data/contacts.mts';
import { html, type Html } from './html.mts';
import {
	controlForm,
	facts,
	foreign,
	most,
	panes,
	time,
	type Place,
	type Shown,
} from './parts.mts';

/** How the page lists contacts, whatever the variants of the service are. */
const forPeople = { listOrder: 'updatedDescending', searchCovers: 'everyField' } as const;

/** Contacts, the last changed first. */
export function showContacts({ state, place }: Shown): Html {
	const { mode, search, open } = place;
	const { contacts, totalCount } = state.contacts.page(
		mode,
		search,
		{ offset: 0, limit: most },
		forPeople,
	);
	const opened = state.contacts.find(mode, open);
	return panes({
		place,
		title: 'Contacts',
		entries: contacts,
		totalCount,
		idOf: ({ id }) => id,
		row: (contact) =>
			html`<strong>${nameOf(contact)}</strong><br />${foreign(contact.email)}
				${time(contact.updatedAt)}`,
		detail: open === '' ? newContact(place) : opened && contactDetail(place, opened),
	});
}

const nameOf = ({ firstName, lastName, id }: Contact): Html =>
	foreign([firstName, lastName].filter(Boolean).join(' ').trim() || id);

const example = { firstName: 'Maya', lastName: 'Diaz', email: 'maya.diaz@example.com' };

function newContact(place: Place): Html {
	const create = { title: 'Create', method: 'POST', path: '/contacts', body: example } as const;
	return html`<h2>New contact</h2>
		${controlForm(place, create)}`;
}

function contactDetail(place: Place, contact: Contact): Html {
	const path = `/contacts/${encodeURIComponent(contact.id)}`;
	const body = Object.fromEntries(settableFields.map((field) => [field, contact[field]]));
	const values = Object.entries(contact).map(([name, value]): [string, Html | null] => [
		name,
		value && foreign(String(value)),
	]);
	return html`<h2>${nameOf(contact)}</h2>
		${facts(contact.id, values)}
		${controlForm(place, { title: 'Change', method: 'PATCH', path, body })}
		${controlForm(place, { title: 'Delete', method: 'DELETE', path })}`;
}
