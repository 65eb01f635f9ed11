import { jsonParse, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';
import type { SendRequest } from '../../service/crmWorkspace';
import { emailProblem, isUuid } from '../../service/formats';
import { maxHtmlBytes } from '../../service/limits';
import { missingTokens } from '../../service/tokens';
import { spelledOut, visible } from '../../transport/visible';
import { refuse } from '../refuse';
import { textOf, textParameter, type TextSource } from '../textParameter';

/**
 * Reads an item's message from the node's parameters, without its idempotency key.
 * @throws NodeOperationError for everything that can be seen to be wrong without a request
 */
export function readMessage(context: IExecuteFunctions, itemIndex: number): SendRequest {
	const additional = context.getNodeParameter('additionalFields', itemIndex, {});
	const variables = withValues(readVariables(context, itemIndex));

	const to = visible(textParameter(context, 'to', { itemIndex, displayName: 'To' }));
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
			text: textOf(context, additional.text, { itemIndex, displayName: 'Text' }),
			fromName: textOf(context, additional.fromName, { itemIndex, displayName: 'From Name' }),
			replyTo: replyTo(context, additional, itemIndex),
			channelId: uuid(context, additional.channelId, { itemIndex, displayName: 'Channel ID' }),
			contactId: uuid(context, additional.contactId, { itemIndex, displayName: 'Contact ID' }),
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
		const source = { itemIndex, displayName: 'Template Slug' };
		const templateSlug = visible(textParameter(context, 'templateSlug', source));
		if (templateSlug === '') {
			refuse(
				context,
				itemIndex,
				'Template Slug is empty',
				'Enter the slug of a template, or set Content to HTML to write the message here.',
			);
		}
		const subject = textOf(context, additional.subject, { itemIndex, displayName: 'Subject' });
		return { templateSlug, ...given({ subject }) };
	}
	if (content === 'html') return readInlineContent(context, itemIndex, variables);
	return refuse(
		context,
		itemIndex,
		'Content is neither Template nor HTML',
		'A message has either a stored template or HTML. Choose one of the two, or let the expression give template or html.',
	);
}

function readInlineContent(
	context: IExecuteFunctions,
	itemIndex: number,
	variables: IDataObject,
): Partial<SendRequest> {
	const subject = textParameter(context, 'subject', { itemIndex, displayName: 'Subject' }).trim();
	if (subject === '') {
		refuse(context, itemIndex, 'Subject is empty', 'A message with HTML needs a subject.');
	}

	const html = textParameter(context, 'html', { itemIndex, displayName: 'HTML' });
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
			`HTML has tokens without a value: ${missing.map(spelledOut).join(', ')}`,
			'Add a variable of that name, or a default in the token itself, like {{name|there}}.',
		);
	}
	return { subject, html };
}

function readVariables(context: IExecuteFunctions, itemIndex: number): IDataObject {
	const input = context.getNodeParameter('variablesInput', itemIndex);
	if (input === 'json') return readVariablesJson(context, itemIndex);
	if (input !== 'fields') {
		refuse(
			context,
			itemIndex,
			'Specify Variables is neither Using Fields Below nor Using JSON',
			'Choose one of the two, or let the expression give fields or json.',
		);
	}
	const pairs = context.getNodeParameter('variables.variable', itemIndex, []) as IDataObject[];
	return Object.fromEntries(pairs.map((pair) => readVariable(context, itemIndex, pair)));
}

/** A variable's name and its value: a number or a boolean remains one. */
function readVariable(
	context: IExecuteFunctions,
	itemIndex: number,
	pair: IDataObject,
): [string, IDataObject[string]] {
	const source = { itemIndex, displayName: 'The name of a variable' };
	const name = visible(textOf(context, pair.name, source));
	if (name === '') refuse(context, itemIndex, 'Variables has an entry without a name');
	const { value } = pair;
	if (typeof value !== 'object' || value === null) return [name, value];
	return [name, textOf(context, value, { itemIndex, displayName: `The variable “${name}”` })];
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

/** Without those that are null: what they were to the service, nobody knows. */
function withValues(variables: IDataObject): IDataObject {
	return Object.fromEntries(
		Object.entries(variables).filter(([, value]) => value !== null && value !== undefined),
	);
}

function replyTo(context: IExecuteFunctions, additional: IDataObject, itemIndex: number): string {
	const source = { itemIndex, displayName: 'Reply To' };
	const address = visible(textOf(context, additional.replyTo, source));
	const problem = address === '' ? undefined : emailProblem(address);
	if (problem) refuse(context, itemIndex, `Reply To is ${problem}`);
	return address;
}

function uuid(context: IExecuteFunctions, value: unknown, source: TextSource): string {
	const id = visible(textOf(context, value, source));
	if (id !== '' && !isUuid(id)) {
		refuse(
			context,
			source.itemIndex,
			`${source.displayName} is not a UUID`,
			'It has to look like 3f1e6c1a-9d0b-4a5e-8c57-2b7f0f6f9a10.',
		);
	}
	return id;
}

/** Only the fields that have a value: what the user left empty is left to the service. */
function given(fields: Record<string, string>): Record<string, string> {
	return Object.fromEntries(Object.entries(fields).filter(([, text]) => text.trim() !== ''));
}
