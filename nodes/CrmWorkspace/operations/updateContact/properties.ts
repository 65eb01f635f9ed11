import type { INodeProperties } from 'n8n-workflow';
import { requestOptions } from '../requestOptions';
import { simplify, optionsProperty } from '../../parameters/sharedProperties';

export const contact: INodeProperties = {
	displayName: 'Contact',
	name: 'contact',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The contact to update. An email address must match in full; case is ignored.',
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
	default: true,
	description:
		'Whether to write nothing, and only read and compare: the output says what would be updated, and how',
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

export const skipUnchanged: INodeProperties = {
	displayName: 'Skip Unchanged',
	name: 'skipUnchanged',
	type: 'boolean',
	default: true,
	description:
		'Whether to compare with the current contact first and send nothing when it has these values already. Contacts named by email cost nothing more. For those named by ID all contacts are read, a hundred with each request, and only where that takes fewer requests than writing.',
};

export const tags: INodeProperties = {
	displayName: 'Tags',
	name: 'tags',
	type: 'options',
	options: [
		{
			name: 'Add',
			value: 'add',
			description: 'The contact gets the mapped tags and keeps all others',
		},
		{
			name: 'Remove',
			value: 'remove',
			description: 'The contact loses the mapped tags and keeps all others',
		},
		{
			name: 'Replace All',
			value: 'replace',
			description: 'The contact gets the mapped tags and loses all others',
		},
	],
	default: 'replace',
	description:
		'What happens to the tags of the contact when Tags is one of the mapped fields. For Add and Remove the contact is read first. Contacts named by email cost nothing more; for those named by ID all contacts are read, a hundred with each request.',
};

export const unmappedFields: INodeProperties = {
	displayName: 'Unmapped Fields',
	name: 'unmappedFields',
	type: 'options',
	options: [
		{
			name: 'Auto-Detect',
			value: 'auto',
			description: 'Compare each response with the contact, and preserve what the service clears',
		},
		{
			name: 'Always Preserve',
			value: 'preserve',
			description: 'Read the contact first, and send its other values along',
		},
		{
			name: "Don't Preserve",
			value: 'leave',
			description: 'Send only the mapped fields',
		},
	],
	default: 'auto',
	description:
		"What to do about fields that aren't mapped, because the service may clear them. For contacts by ID, Auto-Detect doesn't know their values: use 'Always Preserve'.",
};

export const options = optionsProperty([
	requestOptions.concurrency,
	dryRun,
	emptyFields,
	skipUnchanged,
	tags,
	requestOptions.timeout,
	unmappedFields,
]);

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
		description: 'What to change: fields that are not mapped keep their values',
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
		displayName:
			'Tags are separated by commas. They replace all others of the contact, unless Tags in the options is Add or Remove. Notes replace the earlier notes. Automatic mapping takes columns named like a field, such as First Name or first_name.',
		name: 'fieldsNotice',
		type: 'notice',
		default: '',
	},
	{
		...simplify,
		description:
			'Whether to return a simplified version of the response instead of the raw data. Each item also has <code>_result</code>, which says what was done: updated, unchanged, or wouldUpdate in a dry run. Where the contact was read first, <code>_changes</code> has the old and the new value of each field that differs.',
	},
	options,
];
