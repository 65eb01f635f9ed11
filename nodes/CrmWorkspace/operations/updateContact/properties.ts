import type { INodeProperties } from 'n8n-workflow';
import { requestOptions } from '../requestOptions';

/** What the user sees of Update Contact. */
export const properties: INodeProperties[] = [
	{
		displayName: 'Contact',
		name: 'contact',
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		description: 'The contact to update',
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
	},
	{
		displayName: 'Fields',
		name: 'fields',
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'defineBelow', value: null },
		required: true,
		description: 'What to change. Fields that are left empty are not sent.',
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
		displayName: 'Simplify',
		name: 'simplify',
		type: 'boolean',
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			requestOptions.concurrency,
			{
				displayName: 'Omitted Fields',
				name: 'omittedFields',
				type: 'options',
				options: [
					{
						name: 'Leave to the Service',
						value: 'leave',
						description: 'Only the fields above are sent',
					},
					{
						name: 'Preserve',
						value: 'preserve',
						description: 'The current values of all other fields are read and sent along',
					},
				],
				default: 'leave',
				description:
					'What happens to the fields that are not sent. The service does not say whether they keep their values: choose Preserve if it blanks them.',
			},
			{
				displayName: 'Skip Unchanged',
				name: 'skipUnchanged',
				type: 'boolean',
				default: false,
				description:
					'Whether to compare with the current contact first and send nothing when it has these values already',
			},
			requestOptions.timeout,
		],
	},
];
