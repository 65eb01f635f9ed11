import type { IExecuteFunctions } from 'n8n-workflow';
import type { SendRequest } from '../../service/records';
import { validateAddress, validateHeader, isUuid } from '../../service/formats';
import { maxHtmlBytes } from '../../service/limits';
import { isUsed, findMissingTokens, parseTokens, type Token } from '../../service/tokens';
import { formatList, maxNameLength, shorten, trim } from '../../text/plainText';
import { getTexts } from '../../parameters/fixedExpressions';
import { adviseOnNames } from '../../parameters/missingValue';
import { readParameter, throwBraces, throwParameterError } from '../../parameters/parameter';
import { readMessageText } from './messageText';
import { content as contentProperty } from './properties';
import { readVariables, type GivenVariables } from './variables';

/** What an item sends, and what the run's hints need to know of it. */
export interface GivenMessage extends GivenVariables {
	message: SendRequest;
	/** The names of variables that no token uses; of a stored template, none is known. */
	unused: string[];
}

/** What the hints of a run need to know of a message, whose content is released once it is sent. */
export type GivenNames = Pick<GivenMessage, 'withoutValue' | 'areEntered' | 'unused'>;

/** A text of one line, by which the message finds its way or which stands in its head. */
interface Line {
	displayName: string;
	/** Why a text can't be right, in words that finish "<Field> …". */
	problemOf(text: string): string | undefined;
	advice: string;
	keepsTokens?: boolean;
}

const validateUuid = (text: string) => (isUuid(text) ? undefined : "isn't a UUID");
const uuidAdvice = 'It has to look like 3f1e6c1a-9d0b-4a5e-8c57-2b7f0f6f9a10.';

const lines = {
	subject: {
		displayName: 'Subject',
		problemOf: validateHeader,
		advice:
			'A subject has a single line. Remove this character, such as by {{ $json.title.replace(/\\s+/g, " ") }}.',
		keepsTokens: true,
	},
	fromName: {
		displayName: 'From Name',
		problemOf: (text) => (/[<>]/.test(text) ? 'has < or >' : validateHeader(text)),
		advice:
			"Enter a name only, in a single line. The channel decides the address; set 'Reply To' for replies.",
	},
	replyTo: {
		displayName: 'Reply To',
		problemOf: validateAddress,
		advice: 'Replies go to one address, written like care@example.com.',
	},
	channelId: { displayName: 'Channel ID', problemOf: validateUuid, advice: uuidAdvice },
	contactId: { displayName: 'Contact ID', problemOf: validateUuid, advice: uuidAdvice },
} satisfies Record<string, Line>;

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
	const added = (name: Exclude<keyof typeof lines, 'subject'>) =>
		readLine(context, `additionalFields.${name}`, itemIndex, lines[name]);
	const text = { itemIndex, displayName: 'Plain Text' };
	const message: SendRequest = {
		to,
		...readContent(context, itemIndex),
		...dropEmpty({
			text: readMessageText(context, 'additionalFields.text', text, true),
			fromName: added('fromName'),
			replyTo: added('replyTo'),
			channelId: added('channelId'),
			contactId: added('contactId'),
		}),
	};
	const given = readVariables(context, itemIndex);
	const tokens = checkTokens(context, itemIndex, message, given);
	// For blank text, the service shows the fallback of a token if it gets no value.
	const needed = findMissingTokens(tokens, {});
	const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === '';
	const entries = Object.entries(given.variables).filter(
		([name, value]) => message.html === undefined || needed.includes(name) || !isBlank(value),
	);
	if (entries.length > 0) message.variables = Object.fromEntries(entries);
	const isUnused = (name: string) => message.html !== undefined && !isUsed(name, tokens);
	const withoutValue = given.withoutValue.filter((name) => !isUnused(name));
	return { ...given, message, withoutValue, unused: Object.keys(given.variables).filter(isUnused) };
}

/** @throws NodeOperationError unless To is one address */
export function readRecipient(context: IExecuteFunctions, itemIndex: number): string {
	const to = trim(readMessageText(context, 'to', { itemIndex, displayName: 'To' }));
	const problem = validateAddress(to);
	if (!problem) return to;
	const advice =
		'Nothing was sent for this item. One message goes to one recipient, written like nathan@example.com, without a name or a comma. For several recipients, pass one item for each.';
	return throwParameterError(context, itemIndex, `'To' ${problem}`, advice);
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
	{ variables, withoutValue }: GivenVariables,
): Token[] {
	const fields = Object.entries({ Subject: subject, HTML: html, 'Plain Text': text }).map(
		([displayName, written]) => ({ displayName, ...parseTokens(written) }),
	);
	for (const { displayName, invalid } of fields)
		if (invalid) throwBraces(context, { itemIndex, displayName }, invalid);
	const gaps = fields.filter(({ tokens }) => findMissingTokens(tokens, variables).length > 0);
	const tokens = fields.flatMap((field) => field.tokens);
	if (gaps.length === 0) return tokens;
	const names = findMissingTokens(tokens, variables);
	const where = formatList(gaps.map(({ displayName }) => `'${displayName}'`));
	const problem = `Tokens in ${where} have no value: ${formatList(names)}`;
	const entered = getTexts(context.getNode().parameters, []).map(({ text }) => text);
	const misspelled = adviseOnNames(entered.join(' '), context.getInputData()[itemIndex].json);
	const reason = names.every((name) => withoutValue.includes(name))
		? `The variable is there, but has no value for this item. ${misspelled ?? 'Look at its expression.'}`
		: 'Add a variable of that name.';
	const advice = `Nothing was sent for this item. ${reason} A fallback in the token is written {{name|there}}, and a field of the item {{ $json.name }}.`;
	return throwParameterError(context, itemIndex, problem, advice);
}

function readContent(context: IExecuteFunctions, itemIndex: number): Partial<SendRequest> {
	if (readParameter(context, contentProperty, itemIndex) !== 'template')
		return readInlineContent(context, itemIndex);
	const ref = { itemIndex, displayName: 'Template Slug' };
	const templateSlug = trim(readMessageText(context, 'templateSlug', ref));
	if (templateSlug === '') {
		const advice =
			"Enter the slug of a template, or set 'Content' to HTML to write the message here.";
		throwParameterError(context, itemIndex, "'Template Slug' is empty", advice);
	}
	const subject = readLine(context, 'additionalFields.subject', itemIndex, lines.subject);
	return { templateSlug, ...dropEmpty({ subject }) };
}

function readInlineContent(context: IExecuteFunctions, itemIndex: number): Partial<SendRequest> {
	const subject = readLine(context, 'subject', itemIndex, lines.subject);
	const html = readMessageText(context, 'html', { itemIndex, displayName: 'HTML' }, true);
	const refuse = (problem: string, advice: string) =>
		throwParameterError(context, itemIndex, problem, advice);
	if (subject === '') refuse("'Subject' is empty", 'A message with HTML needs a subject.');
	if (html.trim() === '')
		refuse("'HTML' is empty", "Enter the body of the message, or set 'Content' to Template.");
	const bytes = Buffer.byteLength(html, 'utf8');
	if (bytes > maxHtmlBytes) {
		const problem = `'HTML' has ${bytes} bytes, and the service accepts at most ${maxHtmlBytes}`;
		refuse(problem, 'Shorten it, for example by linking images instead of embedding them.');
	}
	const [picture] = localPicture.exec(html) ?? [];
	if (picture) {
		const problem = `'HTML' has an image that a message can't show: ${shorten(picture, maxNameLength)}`;
		refuse(problem, 'The service sends no attachments. Link the image by its https address.');
	}
	return { subject, html };
}

/** A picture in an attachment, on a disk or beside the page, as in what Outlook and Word save. */
const localPicture =
	/<(?:img\b[^>]*\ssrc|[a-z]+\b[^>]*\sbackground)\s*=\s*["']?(?!\s*(?:https?:|\/\/|data:|#|\{\{))[^"'\s>]+|url\(["']?(?:cid|file):[^"')]*/i;

/** A line without the white space around it; empty if the user left it empty. */
function readLine(
	context: IExecuteFunctions,
	name: string,
	itemIndex: number,
	{ displayName, problemOf, advice, keepsTokens }: Line,
): string {
	const text = trim(readMessageText(context, name, { itemIndex, displayName }, keepsTokens));
	const problem = text === '' ? undefined : problemOf(text);
	if (problem) throwParameterError(context, itemIndex, `'${displayName}' ${problem}`, advice);
	return text;
}

/** Without empty fields, which are left to the service. Interface: SEND-16, SEND-22. */
function dropEmpty(fields: Record<string, string>): Record<string, string> {
	return Object.fromEntries(Object.entries(fields).filter(([, text]) => text.trim() !== ''));
}
