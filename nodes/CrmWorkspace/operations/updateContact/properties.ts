/** The parameters of Update Contact. */
import type { INodeProperties } from 'n8n-workflow';
import { output } from '../../parameters/output';
import { contactLocator, optionsProperty, requestOptions } from '../../parameters/properties';

export const contact: INodeProperties = {
	...contactLocator,
	required: true,
	builderHint: { propertyHint: 'Use the mode email for an address from a form or a table' },
	description: 'Contact to update; an email address has to match exactly, ignoring case',
	modes: [
		...contactLocator.modes!,
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
	description: 'Whether to output the changes that an update would make, without writing them',
};

export const emptyValues: INodeProperties = {
	displayName: 'Empty Values',
	name: 'emptyValues',
	type: 'options',
	options: [
		{ name: 'Clear', value: 'clear', description: 'Remove the value of the field' },
		{ name: 'Ignore', value: 'ignore', description: 'Leave the field unchanged' },
	],
	default: 'ignore',
	description: 'What to do if a mapped field has no value, such as an empty cell',
};

export const skipUnchanged: INodeProperties = {
	displayName: 'Skip Unchanged',
	name: 'skipUnchanged',
	type: 'boolean',
	default: true,
	description:
		'Whether to compare with the contact first and write only changes. By ID, the node reads all contacts if that takes fewer requests than writing.',
};

export const tagMode: INodeProperties = {
	displayName: 'Tag Mode',
	name: 'tagMode',
	type: 'options',
	options: [
		{ name: 'Add', value: 'add', description: 'Add the mapped tags and keep all others' },
		{ name: 'Remove', value: 'remove', description: 'Remove the mapped tags and keep all others' },
		{ name: 'Replace All', value: 'replace', description: 'Replace all tags with the mapped ones' },
	],
	default: 'replace',
	description:
		'How to combine the mapped tags with those of the contact; without this option, an AI agent adds tags. By ID, Add and Remove read all contacts.',
};

export const unmappedFields: INodeProperties = {
	displayName: 'Unmapped Fields',
	name: 'unmappedFields',
	type: 'options',
	options: [
		{
			name: 'Always Preserve',
			value: 'preserve',
			description: 'Read the contact first, and send its other values along',
		},
		{
			name: 'Auto-Detect',
			value: 'auto',
			description:
				'Compare each response with the contact, and restore values that the service clears',
		},
		{ name: "Don't Preserve", value: 'leave', description: 'Send only the mapped fields' },
	],
	default: 'auto',
	description:
		"What to do with fields that aren't mapped, because the service may clear them. For contacts by ID, only 'Always Preserve' knows their values.",
};

export const options = optionsProperty([
	dryRun,
	emptyValues,
	requestOptions.concurrency,
	skipUnchanged,
	tagMode,
	requestOptions.timeout,
	unmappedFields,
]);

export const properties: INodeProperties[] = [
	contact,
	{
		displayName: 'Fields',
		name: 'fields',
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'defineBelow', value: null },
		required: true,
		description: 'Fields to change; the others keep their values',
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
			"Separate tags with commas. They replace all others, or are added by an AI agent, unless 'Tag Mode' is set. Notes replace earlier notes.",
		name: 'fieldsNotice',
		type: 'notice',
		default: '',
	},
	...output,
	options,
];
