import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { SendRequest } from '../../service/crmWorkspace';
import { addressProblem, isUuid } from '../../service/formats';
import { maxHtmlBytes } from '../../service/limits';
import { headProblem } from '../../service/characters';
import { missingTokens, tokenValues } from '../../service/tokens';
import { listed } from '../../text/plainText';
import { trimmed, visible } from '../../text/visible';
import {
	addedFieldsOf,
	parameterOf,
	readParameter,
	type ParameterRef,
} from '../../parameters/parameter';
import { refuse } from '../../parameters/refuse';
import { choice } from '../../parameters/setting';
import { quoted } from '../../parameters/shown';
import { textOf, textParameter } from '../../parameters/textParameter';
import { additionalFields, content as contentProperty } from './properties';
import { readVariables } from './variables';

/**
 * Reads an item's message from the node's parameters, without its idempotency key.
 * Interface: SEND-3, SEND-8, SEND-10, SEND-14.
 * @throws NodeOperationError for everything that can be seen to be wrong without a request
 */
export function readMessage(context: IExecuteFunctions, itemIndex: number): SendRequest {
	const additional = addedFieldsOf(context, additionalFields, itemIndex);
	const variables = readVariables(context, itemIndex);

	const to = trimmed(textParameter(context, 'to', { itemIndex, displayName: 'To' }));
	const problem = addressProblem(to);
	if (problem) {
		const advice = to.includes('{{')
			? 'To is set to Fixed, so the expression in it stayed as it is written. Switch it to Expression.'
			: 'One message goes to one recipient, written like nathan@example.com. For several recipients, pass one item for each.';
		refuse(context, itemIndex, `To ${problem}`, advice);
	}

	const message: SendRequest = {
		to,
		...readContent(context, itemIndex, additional, variables),
		...given({
			text: textOf(context, additional.text, { itemIndex, displayName: 'Text' }),
			fromName: headText(context, additional.fromName, { itemIndex, displayName: 'From Name' }),
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
	const value = parameterOf(context, contentProperty, itemIndex);
	const content = choice(context, contentProperty, value, itemIndex);
	if (content === 'template') {
		const ref = { itemIndex, displayName: 'Template Slug' };
		const templateSlug = visible(textParameter(context, 'templateSlug', ref));
		if (templateSlug === '') {
			refuse(
				context,
				itemIndex,
				'Template Slug is empty',
				'Enter the slug of a template, or set Content to HTML to write the message here.',
			);
		}
		const subject = readSubject(context, additional.subject, itemIndex, variables);
		return { templateSlug, ...given({ subject }) };
	}
	return readInlineContent(context, itemIndex, variables);
}

/** The subject, which has no line break, and gets none from a variable either. */
function readSubject(
	context: IExecuteFunctions,
	value: unknown,
	itemIndex: number,
	variables: IDataObject,
): string {
	const subject = headText(context, value, { itemIndex, displayName: 'Subject' });
	for (const [name, filling] of tokenValues(subject, variables)) {
		const ref = { itemIndex, displayName: `The variable ${quoted(name)} of the subject` };
		for (const text of textsIn(filling)) refuseUnfit(context, text, ref);
	}
	return subject;
}

/** The texts of a value, and of the lists and objects within it. */
function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, inner]) => [name, ...textsIn(inner)]);
}

function readInlineContent(
	context: IExecuteFunctions,
	itemIndex: number,
	variables: IDataObject,
): Partial<SendRequest> {
	const entered = readParameter(context, 'subject', { itemIndex, displayName: 'Subject' }, '');
	const subject = readSubject(context, entered, itemIndex, variables);
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
			`HTML has tokens without a value: ${listed(missing)}`,
			'Add a variable of that name, or a default in the token itself, like {{name|there}}.',
		);
	}
	return { subject, html };
}

function replyTo(context: IExecuteFunctions, additional: IDataObject, itemIndex: number): string {
	const ref = { itemIndex, displayName: 'Reply To' };
	const address = trimmed(textOf(context, additional.replyTo, ref));
	const problem = address === '' ? undefined : addressProblem(address);
	if (problem) refuse(context, itemIndex, `Reply To ${problem}`);
	return address;
}

/** A text for the head of the message, without the white space around it. */
function headText(context: IExecuteFunctions, value: unknown, ref: ParameterRef): string {
	const text = textOf(context, value, ref).trim();
	refuseUnfit(context, text, ref);
	return text;
}

function refuseUnfit(context: IExecuteFunctions, text: string, ref: ParameterRef): void {
	const problem = headProblem(text);
	if (problem === undefined) return;
	refuse(
		context,
		ref.itemIndex,
		`${ref.displayName} ${problem}`,
		'It goes into the head of the message, which is written in single lines. Take this character out, such as by {{ $json.title.replace(/\\s+/g, " ") }}.',
	);
}

function uuid(context: IExecuteFunctions, value: unknown, ref: ParameterRef): string {
	const id = visible(textOf(context, value, ref));
	if (id !== '' && !isUuid(id)) {
		refuse(
			context,
			ref.itemIndex,
			`${ref.displayName} is not a UUID`,
			'It has to look like 3f1e6c1a-9d0b-4a5e-8c57-2b7f0f6f9a10.',
		);
	}
	return id;
}

/**
 * Only the fields that have a value: what the user left empty is left to the service.
 * Interface: SEND-16, SEND-22.
 */
function given(fields: Record<string, string>): Record<string, string> {
	return Object.fromEntries(Object.entries(fields).filter(([, text]) => text.trim() !== ''));
}
