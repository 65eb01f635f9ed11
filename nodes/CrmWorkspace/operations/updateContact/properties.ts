import type { INodeProperties } from 'n8n-workflow';
import { requestOptions } from '../requestOptions';
import { simplify } from '../../parameters/simplify';

export const contact: INodeProperties = {
	displayName: 'Contact',
	name: 'contact',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description:
		'The contact to update. An email address has to be exactly that of the contact, whatever its case.',
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
		{
			displayName: 'By Email',
			name: 'email',
			type: 'string',
			placeholder: 'e.g. nathan@example.com',
		},
	],
};

export const dryRun: INodeProperties = {
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: false,
	description:
		'Whether to read and compare everything and write nothing: the output says what would be updated, and how',
};

export const emptyFields: INodeProperties = {
	displayName: 'Empty Fields',
	name: 'emptyFields',
	type: 'options',
	options: [
		{
			name: 'Change Nothing',
			value: 'ignore',
			description: 'A field without a value is not sent',
		},
		{
			name: 'Clear',
			value: 'clear',
			description: 'A field that is mapped to an empty value loses its value',
		},
	],
	default: 'ignore',
	description: 'What a mapped field without a value does, such as an empty cell of the input',
};

export const omittedFields: INodeProperties = {
	displayName: 'Omitted Fields',
	name: 'omittedFields',
	type: 'options',
	options: [
		{
			name: 'Leave to the Service',
			value: 'leave',
			description: 'Only the mapped fields are sent',
		},
		{
			name: 'Preserve',
			value: 'preserve',
			description: 'The current values of all other fields are read and sent along',
		},
	],
	default: 'leave',
	description:
		'What happens to the fields that are not mapped. The service does not say whether they keep their values: choose Preserve unless you have seen that they do. Reading contacts named by ID then takes a walk through all contacts; contacts named by email cost nothing more.',
};

export const skipUnchanged: INodeProperties = {
	displayName: 'Skip Unchanged',
	name: 'skipUnchanged',
	type: 'boolean',
	default: false,
	description:
		'Whether to compare with the current contact first and send nothing when it has these values already. Contacts named by ID are compared only where reading all contacts takes fewer requests than writing.',
};

export const tags: INodeProperties = {
	displayName: 'Tags',
	name: 'tags',
	type: 'options',
	options: [
		{
			name: 'Add',
			value: 'add',
			description: 'The contact keeps its tags and gets the mapped ones',
		},
		{
			name: 'Remove',
			value: 'remove',
			description: 'The contact loses the mapped tags, if it has them, and keeps all others',
		},
		{
			name: 'Replace All',
			value: 'replace',
			description: 'The contact has the mapped tags and no others',
		},
	],
	default: 'replace',
	description:
		'What the tags mapped in Fields do to those that the contact has. Add and Remove read the contact first: that costs nothing more for contacts named by email, and takes a walk through all contacts for those named by ID.',
};

export const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [
		requestOptions.concurrency,
		dryRun,
		emptyFields,
		omittedFields,
		skipUnchanged,
		tags,
		requestOptions.timeout,
	],
};

/** What the user sees of Update Contact. */
export const properties: INodeProperties[] = [
	contact,
	{
		displayName: 'Fields',
		name: 'fields',
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'defineBelow', value: null },
		required: true,
		description:
			'What to change. Tags are a list, JSON of one, or text separated by commas; they take the place of those that the contact has, unless Tags in the options says otherwise. Columns mapped automatically have to be named like the fields: firstName, lastName, email, phone, company, jobTitle, accountId, source, tags, notes.',
		typeOptions: {
			resourceMapper: {
				resourceMapperMethod: 'getContactFields',
				mode: 'add',
				fieldWords: { singular: 'field', plural: 'fields' },
				addAllFields: false,
				supportAutoMap: true,
			},
		},
	},
	{
		...simplify,
		description:
			'Whether to return a simplified version of the response instead of the raw data. Either has <code>_result</code> beside the fields of the contact: updated, unchanged or wouldUpdate, and <code>_changes</code> with the old and the new value of each field that differs, where the earlier record is known.',
	},
	options,
];
