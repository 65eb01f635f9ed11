/** The parameters of Send Transactional Email. */
import type { INodeProperties } from 'n8n-workflow';
import { output } from '../../parameters/output';
import { contactLocator, optionsProperty, requestOptions } from '../../parameters/properties';

export const content: INodeProperties = {
	displayName: 'Content',
	name: 'content',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'HTML', value: 'html', description: 'Write the HTML in this node' },
		{ name: 'Template', value: 'template', description: 'Use a template stored in the service' },
		{ name: 'Text', value: 'text', description: 'Write plain text in this node' },
	],
	default: 'template',
	description: 'Where the content of the message comes from',
};

const tokensHint =
	'Use {{name}} for a variable defined below, or {{ $json.name }} for a field of the input item';

const tokensAdvice = {
	propertyHint:
		'The service replaces tokens like {{name}}: keep them in a fixed text, and define their values in Variables',
};

const message: INodeProperties[] = [
	{
		displayName: 'To',
		name: 'to',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. nathan@example.com',
		description: 'Email address of the recipient; pass one item per recipient',
	},
	content,
	{
		displayName: 'Template Slug',
		name: 'templateSlug',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. welcome',
		description: 'Short name of the template in the service, such as welcome',
		displayOptions: { show: { content: ['template'] } },
	},
	{
		displayName: 'Subject',
		name: 'subject',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. Your order has shipped',
		displayOptions: { show: { content: ['html', 'text'] } },
	},
	{
		displayName: 'HTML',
		name: 'html',
		type: 'string',
		typeOptions: { rows: 8 },
		default: '',
		required: true,
		placeholder: 'e.g. <p>Hello {{firstName|there}}</p>',
		description: 'Body of the message, at most 256 KB',
		hint: tokensHint,
		builderHint: tokensAdvice,
		displayOptions: { show: { content: ['html'] } },
	},
	{
		displayName: 'Text',
		name: 'text',
		type: 'string',
		typeOptions: { rows: 8 },
		default: '',
		required: true,
		placeholder: 'e.g. Hello {{firstName|there}}, your order has shipped.',
		description: 'Body of the message; its lines are kept, and addresses become links',
		hint: tokensHint,
		builderHint: tokensAdvice,
		displayOptions: { show: { content: ['text'] } },
	},
	{
		displayName:
			"The preview can't show tokens such as {{name}}: it shows 0, an error or nothing instead. The node sends them as written, and the service replaces them.",
		name: 'previewNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { content: ['html', 'text'] } },
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
	description: 'How to enter values for the tokens in the content',
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
		description: 'Values for the tokens in the content; HTML in a value is shown as text',
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
						description: 'Name in the token, without braces',
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
		required: true,
		placeholder: 'e.g. { "firstName": "Nathan" }',
		description: 'Values for the tokens in the content; HTML in a value is shown as text',
		displayOptions: { show: { variablesInput: ['json'] } },
	},
];

export const idempotency: INodeProperties = {
	displayName: 'Idempotency Key',
	name: 'idempotency',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Custom',
			value: 'custom',
			description: 'Send one message per key, across all executions',
		},
		{
			name: 'From Execution',
			value: 'execution',
			description: "Retries of an execution don't send duplicates. A new execution sends again.",
		},
		{ name: 'None', value: 'none', description: 'Every attempt may send the message again' },
	],
	default: 'execution',
	description: 'How to prevent duplicate messages',
};

const idempotencyKey: INodeProperties = {
	displayName: 'Custom Key',
	name: 'idempotencyKey',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. order-1042-shipped',
	description: 'Text that identifies this message, such as an order number and an event',
	builderHint: { propertyHint: 'Another one for each message, the same if an event comes again' },
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
				'Channel to send through; by default that of the template, or the oldest verified one',
		},
		{ ...contactLocator, name: 'contactId', description: 'Contact to link the message to' },
		{
			displayName: 'From Name',
			name: 'fromName',
			type: 'string',
			default: '',
			placeholder: 'e.g. Customer Care',
			description: 'Sender name that the recipient sees',
		},
		{
			displayName: 'Plain Text',
			name: 'text',
			type: 'string',
			typeOptions: { rows: 4 },
			default: '',
			description: 'Message without HTML; by default the service creates it from the HTML',
			displayOptions: { show: { '/content': ['template', 'html'] } },
		},
		{
			displayName: 'Reply To',
			name: 'replyTo',
			type: 'string',
			default: '',
			placeholder: 'e.g. care@example.com',
			description: 'Address for replies',
		},
		{
			displayName: 'Subject',
			name: 'subject',
			type: 'string',
			default: '',
			placeholder: 'e.g. Welcome aboard',
			description: "Subject to use instead of the template's",
			displayOptions: { show: { '/content': ['template'] } },
		},
	],
};

export const onContentChanged: INodeProperties = {
	displayName: 'If Already Sent With Different Content',
	name: 'onContentChanged',
	type: 'options',
	options: [
		{ name: 'Fail', value: 'fail', description: 'Fail the item' },
		{
			name: 'Treat as Sent',
			value: 'output',
			description: 'Output the item as sent before, and send nothing',
		},
	],
	default: 'fail',
	description: 'What to do if an earlier attempt sent this message with different content',
};

export const onRejected: INodeProperties = {
	displayName: 'If Message Is Rejected',
	name: 'onRejected',
	type: 'options',
	options: [
		{ name: 'Fail', value: 'fail', description: 'Fail the item' },
		{
			name: 'Output Message',
			value: 'output',
			description: 'Output the message with its status and reason',
		},
	],
	default: 'fail',
	description: "What to do if the service accepts the message but doesn't deliver it",
};

export const onOriginalFailed: INodeProperties = {
	displayName: 'If Earlier Attempt Failed',
	name: 'onOriginalFailed',
	type: 'options',
	options: [
		{ name: 'Fail', value: 'fail', description: 'Fail the item' },
		{
			name: 'Send Again',
			value: 'sendAgain',
			description: 'Send the message now, because nothing was delivered',
		},
	],
	default: 'sendAgain',
	description: 'What to do if the service failed to send this message in an earlier attempt',
};

export const options = optionsProperty([
	onContentChanged,
	onOriginalFailed,
	onRejected,
	requestOptions.concurrency,
	requestOptions.timeout,
]);

export const properties: INodeProperties[] = [
	...message,
	...variables,
	idempotency,
	idempotencyKey,
	additionalFields,
	...output,
	options,
];
