import type { INodeProperties } from 'n8n-workflow';
import { requestOptions } from '../requestOptions';
import { simplify, optionsProperty } from '../../parameters/sharedProperties';

export const content: INodeProperties = {
	displayName: 'Content',
	name: 'content',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Template', value: 'template', description: 'A template stored in the service' },
		{ name: 'HTML', value: 'html', description: 'HTML written here' },
	],
	default: 'template',
	description: 'Where the content of the message comes from',
};

const message: INodeProperties[] = [
	{
		displayName: 'To',
		name: 'to',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. nathan@example.com',
		description: 'The recipient: one address. For several recipients, pass one item for each.',
	},
	content,
	{
		displayName: 'Template Slug',
		name: 'templateSlug',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. welcome',
		description: 'The short name under which the service has the template, such as welcome',
		displayOptions: { show: { content: ['template'] } },
	},
	{
		displayName: 'Subject',
		name: 'subject',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. Your order has shipped',
		displayOptions: { show: { content: ['html'] } },
	},
	{
		displayName: 'HTML',
		name: 'html',
		type: 'string',
		typeOptions: { rows: 8 },
		default: '',
		required: true,
		placeholder: 'e.g. <p>Hello {{firstName|there}}</p>',
		description: 'The body of the message, at most 256 KB',
		hint: 'Use {{name}} for a variable defined below, or {{ $json.name }} for a field of the input item',
		displayOptions: { show: { content: ['html'] } },
	},
	{
		displayName:
			"The preview doesn't know tokens such as {{name}} or {{name|there}}: it shows them in red, as 0, or the whole text as null. They are sent as written, and the service replaces them.",
		name: 'previewNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { content: ['html'] } },
	},
];

export const variablesInput: INodeProperties = {
	displayName: 'Specify Variables',
	name: 'variablesInput',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Using Fields Below', value: 'fields' },
		{ name: 'Using JSON', value: 'json' },
	],
	default: 'fields',
	description: 'How to enter the values for the tokens in the content',
};

const variables: INodeProperties[] = [
	variablesInput,
	{
		displayName: 'Variables',
		name: 'variables',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Variable',
		default: {},
		description: 'A value for each token in the content. HTML in a value is shown as text.',
		options: [
			{
				displayName: 'Variable',
				name: 'variable',
				values: [
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						placeholder: 'e.g. firstName',
						description: 'The name in the token, without braces',
					},
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						placeholder: 'e.g. Nathan',
					},
				],
			},
		],
		displayOptions: { show: { variablesInput: ['fields'] } },
	},
	{
		displayName: 'Variables (JSON)',
		name: 'variablesJson',
		type: 'json',
		default: '{}',
		placeholder: 'e.g. { "firstName": "Nathan" }',
		description: 'A value for each token in the content. HTML in a value is shown as text.',
		displayOptions: { show: { variablesInput: ['json'] } },
	},
];

export const idempotency: INodeProperties = {
	displayName: 'Idempotency',
	name: 'idempotency',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'From Execution',
			value: 'execution',
			description: 'A retried execution sends nothing twice; a new execution sends again',
		},
		{
			name: 'Custom Key',
			value: 'custom',
			description: 'One message for each key, whichever execution sends it',
		},
		{
			name: 'None',
			value: 'none',
			description: 'Every try may send the message again',
		},
	],
	default: 'execution',
	description: 'What keeps a message from being sent twice',
};

const idempotencyKey: INodeProperties = {
	displayName: 'Idempotency Key',
	name: 'idempotencyKey',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. order-1042-shipped',
	description: 'What this message is about: the service sends one message for each key',
	displayOptions: { show: { idempotency: ['custom'] } },
};

export const additionalFields: INodeProperties = {
	displayName: 'Additional Fields',
	name: 'additionalFields',
	type: 'collection',
	placeholder: 'Add Field',
	default: {},
	options: [
		{
			displayName: 'Channel ID',
			name: 'channelId',
			type: 'string',
			default: '',
			placeholder: 'e.g. 3f1e6c1a-9d0b-4a5e-8c57-2b7f0f6f9a10',
			description:
				"The channel to send through. If empty, it is the template's own, or else the oldest verified one of the workspace.",
		},
		{
			displayName: 'Contact ID',
			name: 'contactId',
			type: 'string',
			default: '',
			placeholder: 'e.g. 7c9a1d52-6b1f-4f0e-9b1d-0c2f5a7e4d33',
			description: 'The contact that the service links the message to',
		},
		{
			displayName: 'From Name',
			name: 'fromName',
			type: 'string',
			default: '',
			placeholder: 'e.g. Customer Care',
			description: 'The name that the recipient sees as the sender',
		},
		{
			displayName: 'Reply To',
			name: 'replyTo',
			type: 'string',
			default: '',
			placeholder: 'e.g. care@example.com',
			description: 'The address that replies go to',
		},
		{
			displayName: 'Subject',
			name: 'subject',
			type: 'string',
			default: '',
			placeholder: 'e.g. Welcome aboard',
			description: "Replaces the template's own subject",
			displayOptions: { show: { '/content': ['template'] } },
		},
		{
			displayName: 'Text',
			name: 'text',
			type: 'string',
			typeOptions: { rows: 4 },
			default: '',
			description:
				'The message without HTML, for mail programs that show none. If empty, the service makes it from the HTML.',
		},
	],
};

export const onContentChanged: INodeProperties = {
	displayName: 'If Content Has Changed',
	name: 'onContentChanged',
	type: 'options',
	options: [
		{ name: 'Fail the Item', value: 'fail', description: 'The item ends with an error' },
		{
			name: 'Count as Done',
			value: 'output',
			description: 'The item is handed on as sent before, and nothing is sent',
		},
	],
	default: 'fail',
	description: 'What to do when an earlier try sent this message with other content',
};

export const onRejected: INodeProperties = {
	displayName: 'If Message Is Rejected',
	name: 'onRejected',
	type: 'options',
	options: [
		{ name: 'Fail the Item', value: 'fail', description: 'The item ends with an error' },
		{
			name: 'Output the Message',
			value: 'output',
			description: 'The message is handed on with its status and reason',
		},
	],
	default: 'fail',
	description: 'What to do when the service takes the message but does not deliver it',
};

export const onOriginalFailed: INodeProperties = {
	displayName: 'If Original Send Failed',
	name: 'onOriginalFailed',
	type: 'options',
	options: [
		{
			name: 'Send Again',
			value: 'sendAgain',
			description: 'Nothing was delivered then, so the message is sent now',
		},
		{ name: 'Fail the Item', value: 'fail', description: 'The item ends with an error' },
	],
	default: 'sendAgain',
	description: 'What to do when the service failed to send this message in an earlier try',
};

export const options = optionsProperty([
	requestOptions.concurrency,
	onContentChanged,
	onRejected,
	onOriginalFailed,
	requestOptions.timeout,
]);

/** What the user sees of Send Transactional Email. */
export const properties: INodeProperties[] = [
	...message,
	...variables,
	idempotency,
	idempotencyKey,
	additionalFields,
	simplify,
	options,
];
