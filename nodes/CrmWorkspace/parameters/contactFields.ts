import type { INodePropertyOptions } from 'n8n-workflow';
import { contactSources, type ContactFieldName } from '../service/records';
import { formatList } from '../text/plainText';

/** The fields of a contact as the user reads them. */
export const displayNames: Record<ContactFieldName, string> = {
	firstName: 'First Name',
	lastName: 'Last Name',
	email: 'Email',
	phone: 'Phone',
	company: 'Company',
	jobTitle: 'Job Title',
	accountId: 'Account ID',
	source: 'Source',
	tags: 'Tags',
	notes: 'Notes',
};

/** The names of fields in quotes, as errors and hints show them. */
export function formatFields(names: ContactFieldName[]): string {
	return formatList(names.map((name) => `'${displayNames[name]}'`));
}

const capitalized = (word: string) => word[0].toUpperCase() + word.slice(1);

/** The sources that a contact can be given, to choose from. Interface: CONTACT-12. */
export const sourceOptions: INodePropertyOptions[] = contactSources.map((source) => ({
	name: source.split('_').map(capitalized).join(' '),
	value: source,
}));
