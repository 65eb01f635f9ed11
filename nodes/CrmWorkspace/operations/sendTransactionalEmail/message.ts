import { jsonParse, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';
import type { SendRequest } from '../../service/crmWorkspace';
import { emailProblem, isUuid } from '../../service/formats';
import { maxHtmlBytes } from '../../service/limits';
import { missingTokens } from '../../service/tokens';
import { refuse } from '../refuse';

/**
 * Reads an item's message from the node's parameters, without its idempotency key.
 * @throws NodeOperationError for everything that can be seen to be wrong without a request
 */
export function readMessage(context: IExecuteFunctions, itemIndex: number): SendRequest {
	const read = (name: string) => textParameter(context, name, itemIndex);
	const additional = context.getNodeParameter('additionalFields', itemIndex, {});
	const variables = readVariables(context, itemIndex);

	const to = read('to');
	const problem = emailProblem(to);
	if (problem) {
		refuse(
			context,
			itemIndex,
			`To is ${problem}`,
			'One message goes to one recipient, written like nathan@example.com. For several recipients, pass one item for each.',
		);
	}

	const message: SendRequest = {
		to,
		...readContent(context, itemIndex, additional, variables),
		...given({
			text: additional.text,
			fromName: additional.fromName,
			replyTo: replyTo(context, additional, itemIndex),
			channelId: uuid(context, 'Channel ID', additional.channelId, itemIndex),
			contactId: uuid(context, 'Contact ID', additional.contactId, itemIndex),
		}),
	};
	if (Object.keys(variables).length > 0) message.variables = variables;
	return message;
}

function readContent(
	context: IExecuteFunctions,
	itemIndex: number,
	additional: IDataObject,
	variables: IDataObject,
): Partial<SendRequest> {
	const content = context.getNodeParameter('content', itemIndex);
	if (content === 'template') {
		const templateSlug = textParameter(context, 'templateSlug', itemIndex);
		if (templateSlug === '') {
			refuse(
				context,
				itemIndex,
				'Template Slug is empty',
				'Enter the slug of a template, or set Content to HTML to write the message here.',
			);
		}
		return { templateSlug, ...given({ subject: additional.subject }) };
	}
	if (content === 'html') return readInlineContent(context, itemIndex, variables);
	return refuse(
		context,
		itemIndex,
		'Content is neither Template nor HTML',
		'A message has either a stored template or HTML. Choose one of the two.',
	);
}

function readInlineContent(
	context: IExecuteFunctions,
	itemIndex: number,
	variables: IDataObject,
): Partial<SendRequest> {
	const subject = textParameter(context, 'subject', itemIndex);
	if (subject === '') {
		refuse(context, itemIndex, 'Subject is empty', 'A message with HTML needs a subject.');
	}

	const html = String(context.getNodeParameter('html', itemIndex) ?? '');
	if (html.trim() === '') {
		refuse(
			context,
			itemIndex,
			'HTML is empty',
			'Enter the body of the message, or set Content to Template.',
		);
	}
	const bytes = Buffer.byteLength(html, 'utf8');
	if (bytes > maxHtmlBytes) {
		refuse(
			context,
			itemIndex,
			`HTML has ${bytes} bytes, and the service accepts at most ${maxHtmlBytes}`,
			'Shorten it, for example by linking pictures instead of embedding them.',
		);
	}

	const missing = missingTokens(html, variables);
	if (missing.length > 0) {
		refuse(
			context,
			itemIndex,
			`HTML has tokens without a value: ${missing.join(', ')}`,
			'Add a variable of that name, or a default in the token itself, like {{name|there}}.',
		);
	}
	return { subject, html };
}

function readVariables(context: IExecuteFunctions, itemIndex: number): IDataObject {
	if (context.getNodeParameter('variablesInput', itemIndex) === 'json') {
		return readVariablesJson(context, itemIndex);
	}
	const pairs = context.getNodeParameter('variables.variable', itemIndex, []) as Array<{
		name: string;
		value: string;
	}>;
	if (pairs.some(({ name }) => String(name ?? '').trim() === '')) {
		refuse(context, itemIndex, 'Variables has an entry without a name');
	}
	return Object.fromEntries(pairs.map(({ name, value }) => [name.trim(), value]));
}

function readVariablesJson(context: IExecuteFunctions, itemIndex: number): IDataObject {
	const input = context.getNodeParameter('variablesJson', itemIndex);
	const variables: unknown =
		typeof input === 'string' ? jsonParse(input || '{}', { fallbackValue: null }) : input;
	if (typeof variables !== 'object' || variables === null || Array.isArray(variables)) {
		refuse(
			context,
			itemIndex,
			'Variables (JSON) is not an object',
			'It has to look like { "firstName": "Nathan" }, with a value for each token.',
		);
	}
	return variables as IDataObject;
}

function replyTo(
	context: IExecuteFunctions,
	additional: IDataObject,
	itemIndex: number,
): string | undefined {
	const address = String(additional.replyTo ?? '').trim();
	const problem = address === '' ? undefined : emailProblem(address);
	if (problem) refuse(context, itemIndex, `Reply To is ${problem}`);
	return address;
}

function uuid(
	context: IExecuteFunctions,
	displayName: string,
	value: unknown,
	itemIndex: number,
): string | undefined {
	const id = String(value ?? '').trim();
	if (id !== '' && !isUuid(id)) {
		refuse(
			context,
			itemIndex,
			`${displayName} is not a UUID`,
			'It has to look like 3f1e6c1a-9d0b-4a5e-8c57-2b7f0f6f9a10.',
		);
	}
	return id;
}

/** Only the fields that have a value: what the user left empty is left to the service. */
function given(fields: Record<string, unknown>): Record<string, string> {
	return Object.fromEntries(
		Object.entries(fields)
			.map(([name, value]) => [name, String(value ?? '')])
			.filter(([, value]) => value.trim() !== ''),
	) as Record<string, string>;
}

function textParameter(context: IExecuteFunctions, name: string, itemIndex: number): string {
	return String(context.getNodeParameter(name, itemIndex) ?? '').trim();
}
