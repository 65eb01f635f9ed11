/** Parameters that several operations and the trigger have, and the names of a contact's fields. */
import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { contactSources, type ContactFieldName } from '../api/records';
import { formatList } from '../common/text';

/** The Simplify parameter of all operations whose records have more than ten fields. */
export const simplify: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** A contact, to choose from a list or by its ID. */
export const contactLocator: INodeProperties = {
	displayName: 'Contact',
	name: 'contact',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a contact…',
			typeOptions: { searchListMethod: 'searchContacts', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 7c9a1d52-6b1f-4f0e-9b1d-0c2f5a7e4d33',
		},
	],
};

/** A resource locator as the node stores it; in a workflow that is written by hand, its value alone. */
export function toLocator(stored: unknown): IDataObject {
	const isAlone = typeof stored !== 'object' || stored === null;
	return isAlone ? { value: stored as string } : (stored as IDataObject);
}

/** Text that contacts have to match. Interface: LIST-11. */
export const search: INodeProperties = {
	displayName: 'Search',
	name: 'search',
	type: 'string',
	default: '',
	placeholder: 'e.g. example.com',
	description: 'Text to search contacts for; the service decides which fields it searches',
};

/** Options as n8n wants them: by their names. */
export function sortByName(options: INodePropertyOptions[]): INodePropertyOptions[] {
	return options.sort((one, other) => one.name.localeCompare(other.name));
}

/** The Options parameter, which a user adds single options to. */
export function optionsProperty(options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options,
	};
}

/** The options that all operations have, for their Options parameter. */
export const requestOptions = {
	concurrency: {
		displayName: 'Max Concurrent Requests',
		name: 'concurrency',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 20 },
		default: 5,
		description: 'Max number of requests at the same time, 1 to 20',
	},
	timeout: {
		displayName: 'Timeout (Seconds)',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 3600 },
		default: 30,
		description: 'How long to wait for each response',
	},
} as const satisfies Record<string, INodeProperties>;

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
export const sourceOptions = sortByName(
	contactSources.map((source) => ({
		name: source.split('_').map(capitalized).join(' '),
		value: source,
	})),
);
