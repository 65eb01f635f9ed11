import type { IExecuteFunctions } from 'n8n-workflow';
import type { SendRequest } from '../../service/records';
import { addressProblem, headProblem, isUuid } from '../../service/formats';
import { maxHtmlBytes } from '../../service/limits';
import { missingTokens } from '../../service/tokens';
import { listed, trimmed } from '../../text/plainText';
import { type ParameterRef, readParameter, throwParameterError } from '../../parameters/parameter';
import { parseText, readText } from '../../parameters/value';
import { adviceForTo, adviceForTokens } from './advice';
import { contentText, readField } from './contentText';
import { content as contentProperty } from './properties';
import { readVariables } from './variables';

/**
 * Reads an item's message from the node's parameters, without its idempotency key.
 * Interface: SEND-3, SEND-8, SEND-10, SEND-14.
 * @throws NodeOperationError for everything that can be seen to be wrong without a request
 */
export function readMessage(context: IExecuteFunctions, itemIndex: number): SendRequest {
	const added = (name: string, displayName: string): [unknown, ParameterRef] => {
		const ref = { itemIndex, displayName };
		return [readField(context, `additionalFields.${name}`, ref), ref];
	};
	const variables = readVariables(context, itemIndex);

	const message: SendRequest = {
		to: readRecipient(context, itemIndex),
		...readContent(context, itemIndex),
		...withoutEmpty({
			text: contentText(context, 'additionalFields.text', { itemIndex, displayName: 'Text' }),
			fromName: readHeadText(context, ...added('fromName', 'From Name')),
			replyTo: readReplyTo(context, ...added('replyTo', 'Reply To')),
			channelId: readUuid(context, ...added('channelId', 'Channel ID')),
			contactId: readUuid(context, ...added('contactId', 'Contact ID')),
		}),
	};
	if (Object.keys(variables).length > 0) message.variables = variables;
	refuseMissingTokens(context, itemIndex, message);
	return message;
}

function readRecipient(context: IExecuteFunctions, itemIndex: number): string {
	const ref = { itemIndex, displayName: 'To' };
	const to = trimmed(readText(context, 'to', ref));
	const problem = addressProblem(to);
	if (!problem) return to;
	const { json } = context.getInputData()[itemIndex];
	const advice = adviceForTo(to, context.getNode().parameters.to, json);
	return throwParameterError(context, itemIndex, `To ${problem}`, advice);
}

/** Interface: SEND-12. What it says of tokens in the HTML holds for the other texts, too. */
function refuseMissingTokens(
	context: IExecuteFunctions,
	itemIndex: number,
	{ subject = '', html = '', text = '', variables = {} }: SendRequest,
): void {
	const gaps = Object.entries({ Subject: subject, HTML: html, Text: text })
		.map(([field, written]) => ({ field, names: missingTokens(written, variables) }))
		.filter(({ names }) => names.length > 0);
	if (gaps.length === 0) return;
	const fields = listed(gaps.map(({ field }) => field));
	const names = new Set(gaps.flatMap((gap) => gap.names));
	const problem = `Tokens in ${fields} have no value: ${listed([...names])}`;
	throwParameterError(context, itemIndex, problem, adviceForTokens([...names], fields));
}

function readContent(context: IExecuteFunctions, itemIndex: number): Partial<SendRequest> {
	if (readParameter(context, contentProperty, itemIndex) === 'template') {
		const ref = { itemIndex, displayName: 'Template Slug' };
		const templateSlug = trimmed(readText(context, 'templateSlug', ref));
		if (templateSlug === '') {
			const advice =
				'Enter the slug of a template, or set Content to HTML to write the message here.';
			throwParameterError(context, itemIndex, 'Template Slug is empty', advice);
		}
		const subject = readSubject(context, 'additionalFields.subject', itemIndex);
		return { templateSlug, ...withoutEmpty({ subject }) };
	}
	return readInlineContent(context, itemIndex);
}

function readSubject(context: IExecuteFunctions, name: string, itemIndex: number): string {
	const ref = { itemIndex, displayName: 'Subject' };
	return readHeadText(context, contentText(context, name, ref), ref);
}

function readInlineContent(context: IExecuteFunctions, itemIndex: number): Partial<SendRequest> {
	const subject = readSubject(context, 'subject', itemIndex);
	if (subject === '') {
		const advice = 'A message with HTML needs a subject.';
		throwParameterError(context, itemIndex, 'Subject is empty', advice);
	}

	const html = contentText(context, 'html', { itemIndex, displayName: 'HTML' });
	if (html.trim() === '') {
		const advice = 'Enter the body of the message, or set Content to Template.';
		throwParameterError(context, itemIndex, 'HTML is empty', advice);
	}
	const bytes = Buffer.byteLength(html, 'utf8');
	if (bytes > maxHtmlBytes) {
		const problem = `HTML has ${bytes} bytes, and the service accepts at most ${maxHtmlBytes}`;
		const advice = 'Shorten it, for example by linking pictures instead of embedding them.';
		throwParameterError(context, itemIndex, problem, advice);
	}
	return { subject, html };
}

function readReplyTo(context: IExecuteFunctions, value: unknown, ref: ParameterRef): string {
	const address = trimmed(parseText(context, value, ref));
	const problem = address === '' ? undefined : addressProblem(address);
	if (problem) {
		const advice = 'Replies go to one address, written like care@example.com.';
		throwParameterError(context, ref.itemIndex, `Reply To ${problem}`, advice);
	}
	return address;
}

/** A text for the head of the message, without the white space around it. */
function readHeadText(context: IExecuteFunctions, value: unknown, ref: ParameterRef): string {
	const text = parseText(context, value, ref).trim();
	refuseUnfit(context, text, ref);
	return text;
}

function refuseUnfit(context: IExecuteFunctions, text: string, ref: ParameterRef): void {
	const problem = headProblem(text);
	if (problem === undefined) return;
	const advice =
		'It goes into the head of the message, which is written in single lines. Take this character out, such as by {{ $json.title.replace(/\\s+/g, " ") }}.';
	throwParameterError(context, ref.itemIndex, `${ref.displayName} ${problem}`, advice);
}

function readUuid(context: IExecuteFunctions, value: unknown, ref: ParameterRef): string {
	const id = trimmed(parseText(context, value, ref));
	if (id !== '' && !isUuid(id)) {
		const advice = 'It has to look like 3f1e6c1a-9d0b-4a5e-8c57-2b7f0f6f9a10.';
		throwParameterError(context, ref.itemIndex, `${ref.displayName} is not a UUID`, advice);
	}
	return id;
}

/** Without empty fields, which are left to the service. Interface: SEND-16, SEND-22. */
function withoutEmpty(fields: Record<string, string>): Record<string, string> {
	return Object.fromEntries(Object.entries(fields).filter(([, text]) => text.trim() !== ''));
}
