import type { IExecuteFunctions } from 'n8n-workflow';
import type { SendRequest } from '../../service/records';
import { addressProblem, headProblem, isUuid } from '../../service/formats';
import { maxHtmlBytes } from '../../service/limits';
import { missingTokens, parseTokens, withoutBlanks, type Token } from '../../service/tokens';
import { listed, maxNameLength, shortened, trimmed } from '../../text/plainText';
import {
	type ParameterRef,
	readParameter,
	throwBraces,
	throwParameterError,
} from '../../parameters/parameter';
import { adviceForEmptyValue } from '../../parameters/emptyValue';
import { readMessageText } from './messageText';
import { content as contentProperty } from './properties';
import { readVariables, type GivenVariables } from './variables';

/** What an item sends, and what the run's hints need to know of it. */
export interface GivenMessage extends GivenVariables {
	message: SendRequest;
	/** The tokens of its own texts; those of a stored template aren't known. */
	tokens: Token[];
}

/**
 * Reads an item's message to a recipient from the node's parameters, without its idempotency key.
 * Interface: SEND-3, SEND-8, SEND-10, SEND-14.
 * @throws NodeOperationError for everything that can be seen to be wrong without a request
 */
export function readMessage(
	context: IExecuteFunctions,
	itemIndex: number,
	to: string,
): GivenMessage {
	const added = (
		name: string,
		displayName: string,
		keepsTokens = false,
	): [string, ParameterRef] => {
		const ref = { itemIndex, displayName };
		return [readMessageText(context, `additionalFields.${name}`, ref, keepsTokens), ref];
	};
	const message: SendRequest = {
		to,
		...readContent(context, itemIndex),
		...withoutEmpty({
			text: added('text', 'Text', true)[0],
			fromName: parseFromName(context, ...added('fromName', 'From Name')),
			replyTo: parseReplyTo(context, ...added('replyTo', 'Reply To')),
			channelId: parseUuid(context, ...added('channelId', 'Channel ID')),
			contactId: parseUuid(context, ...added('contactId', 'Contact ID')),
		}),
	};
	const given = readVariables(context, itemIndex);
	const tokens = checkTokens(context, itemIndex, message, given);
	const variables = withoutBlanks(given.variables, tokens);
	if (Object.keys(variables).length > 0) message.variables = variables;
	return { ...given, message, tokens };
}

/** @throws NodeOperationError unless To is one address */
export function readRecipient(context: IExecuteFunctions, itemIndex: number): string {
	const ref = { itemIndex, displayName: 'To' };
	const to = trimmed(readMessageText(context, 'to', ref));
	const problem = addressProblem(to);
	if (!problem) return to;
	const example =
		'Enter an address, or an expression that leads to one, such as {{ $json.email }}.';
	const { json } = context.getInputData()[itemIndex];
	const advice =
		to === ''
			? adviceForEmptyValue(context.getNode().parameters.to, json, example)
			: 'Nothing was sent for this item. One message goes to one recipient, written like nathan@example.com, without a name or a comma. For several recipients, pass one item for each.';
	return throwParameterError(context, itemIndex, `To ${problem}`, advice);
}

/**
 * Refuses what isn't a token, and a token that has no value.
 * Interface: SEND-12. What it says of tokens in the HTML holds for the other texts, too.
 * @returns all tokens of the message's own texts
 */
function checkTokens(
	context: IExecuteFunctions,
	itemIndex: number,
	{ subject = '', html = '', text = '' }: SendRequest,
	{ variables, gaveNothing }: GivenVariables,
): Token[] {
	const fields = Object.entries({ Subject: subject, HTML: html, Text: text }).map(
		([field, written]) => ({ field, ...parseTokens(written) }),
	);
	for (const { field, invalid } of fields)
		if (invalid) throwBraces(context, { itemIndex, displayName: field }, invalid);
	const gaps = fields.filter(({ tokens }) => missingTokens(tokens, variables).length > 0);
	const tokens = fields.flatMap((field) => field.tokens);
	if (gaps.length === 0) return tokens;
	const where = listed(gaps.map(({ field }) => field));
	const names = missingTokens(tokens, variables);
	const problem = `Tokens in ${where} have no value: ${listed(names)}`;
	const hasVariable = names.every((name) => gaveNothing.includes(name));
	const advice = `Nothing was sent for this item. ${hasVariable ? 'The variable is there, but its expression gave nothing: look at the item' : 'Add a variable of that name'}, or a fallback in the token itself, like {{name|there}}. A field of the item is written {{ $json.name }}.`;
	return throwParameterError(context, itemIndex, problem, advice);
}

function readContent(context: IExecuteFunctions, itemIndex: number): Partial<SendRequest> {
	if (readParameter(context, contentProperty, itemIndex) === 'template') {
		const ref = { itemIndex, displayName: 'Template Slug' };
		const templateSlug = trimmed(readMessageText(context, 'templateSlug', ref));
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
	return parseHeadText(context, readMessageText(context, name, ref, true), ref);
}

function readInlineContent(context: IExecuteFunctions, itemIndex: number): Partial<SendRequest> {
	const subject = readSubject(context, 'subject', itemIndex);
	if (subject === '') {
		const advice = 'A message with HTML needs a subject.';
		throwParameterError(context, itemIndex, 'Subject is empty', advice);
	}

	const html = readMessageText(context, 'html', { itemIndex, displayName: 'HTML' }, true);
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
	const [picture] = localPicture.exec(html) ?? [];
	if (picture) {
		const problem = `HTML has a picture that no message can show: ${shortened(picture, maxNameLength)}`;
		const advice = 'The service sends no attachments. Link the picture by its https address.';
		throwParameterError(context, itemIndex, problem, advice);
	}
	return { subject, html };
}

/** A picture in an attachment or on somebody's disk, as in what Outlook saves. */
const localPicture =
	/(?:src|background)\s*=\s*["']?(?:cid|file):[^"'\s>]*|url\(["']?(?:cid|file):[^"')]*/i;

function parseReplyTo(context: IExecuteFunctions, text: string, ref: ParameterRef): string {
	const address = trimmed(text);
	const problem = address === '' ? undefined : addressProblem(address);
	if (problem) {
		const advice = 'Replies go to one address, written like care@example.com.';
		throwParameterError(context, ref.itemIndex, `Reply To ${problem}`, advice);
	}
	return address;
}

/** The sender's name as it is, not a token and not an address, which mail programs would show. */
function parseFromName(context: IExecuteFunctions, text: string, ref: ParameterRef): string {
	if (/[<>]|\{\{/.test(text)) {
		const advice =
			'Enter a name alone. The channel decides the address, and answers go to Reply To; tokens are not replaced here.';
		throwParameterError(context, ref.itemIndex, 'From Name has < or > or braces', advice);
	}
	return parseHeadText(context, text, ref);
}

/** A text for the head of the message, without the white space around it. */
function parseHeadText(context: IExecuteFunctions, text: string, ref: ParameterRef): string {
	const problem = headProblem(text.trim());
	if (problem !== undefined) {
		const advice =
			'It goes into the head of the message, which is written in single lines. Take this character out, such as by {{ $json.title.replace(/\\s+/g, " ") }}.';
		throwParameterError(context, ref.itemIndex, `${ref.displayName} ${problem}`, advice);
	}
	return text.trim();
}

function parseUuid(context: IExecuteFunctions, text: string, ref: ParameterRef): string {
	const id = trimmed(text);
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
