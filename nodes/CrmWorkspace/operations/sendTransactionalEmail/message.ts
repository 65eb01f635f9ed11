/** Reads an item's message, and refuses what can be seen to be wrong without a request. */
import { bareAddress, isUuid, validateAddress, validateHeader } from '../../api/formats';
import { maxHtmlBytes, type SendRequest } from '../../api/records';
import { findMissingTokens, findTokens, getTokenValue, isUsed, type Token } from '../../api/tokens';
import { normalizeName, textToHtml, trim } from '../../common/text';
import { findWrongType } from '../../parameters/holes';
import { toLocator } from '../../parameters/properties';
import { dataBrace, type ItemReader } from '../../parameters/itemReader';
import { additionalFields, content as contentProperty } from './properties';
import { texts } from './texts';
import { readVariables, type GivenVariables } from './variables';

/** What an item sends, and what the run's hints need to know of it. */
export interface GivenMessage extends GivenVariables {
	message: SendRequest;
	/** The names of variables that no token uses; of a stored template, none is known. */
	unused: string[];
	/** What is sent and may be a mistake. */
	doubts: ItemReader['doubts'];
}

/** What the hints of a run need to know of a message, whose content is released once it is sent. */
export type GivenNames = Pick<GivenMessage, 'withoutValue' | 'areEntered' | 'unused' | 'doubts'>;

/** A text of one line, by which the message finds its way or which stands in its head. */
interface Line {
	displayName: string;
	/** Makes the usual form of it. */
	clean?(text: string): string;
	/** Why a text can't be right, in words that finish "<Field> …". */
	problemOf(text: string): string | undefined;
	advice: string;
	hasTokens?: boolean;
}

const validateUuid = (text: string) => (isUuid(text) ? undefined : texts.notAUuid(text));

const lines = {
	subject: {
		displayName: 'Subject',
		// Models and forms end it in a line break, or write two lines.
		clean: (text) => text.replace(/[\r\n\u2028\u2029]+/g, ' '),
		problemOf: validateHeader,
		advice: texts.singleLine,
		hasTokens: true,
	},
	fromName: {
		displayName: 'From Name',
		problemOf: (text) => (/[<>]/.test(text) ? texts.brackets : validateHeader(text)),
		advice: texts.nameOnly,
	},
	replyTo: {
		displayName: 'Reply To',
		clean: bareAddress,
		problemOf: validateAddress,
		advice: texts.oneAddress,
	},
	channelId: {
		displayName: 'Channel ID',
		problemOf: validateUuid,
		advice: texts.formOfUuid,
	},
	contactId: {
		displayName: 'Contact',
		problemOf: validateUuid,
		advice: texts.formOfContact,
	},
} satisfies Record<string, Line>;

/** Additional Fields, as the node stores them. */
type AddedFields = Partial<Record<keyof typeof lines | 'text', unknown>>;

const uses = {
	html: { displayName: 'HTML', hasTokens: true, showsBraces: true },
	text: { displayName: 'Text', hasTokens: true, showsBraces: true },
	plainText: { displayName: 'Plain Text', hasTokens: true },
};

/**
 * Reads an item's message to a recipient from the node's parameters, without its idempotency key.
 * Interface: SEND-3, SEND-8, SEND-10, SEND-14.
 * @throws NodeOperationError for everything that can be seen to be wrong without a request
 */
export function readMessage(item: ItemReader, to: string): GivenMessage {
	const fields: AddedFields = item.storedFields(additionalFields);
	const added = (name: keyof typeof lines) => readLine(item, fields[name], lines[name]);
	const content = item.choice(contentProperty);
	const message: SendRequest = {
		to,
		...(content === 'template'
			? readTemplate(item, fields.subject)
			: readInline(item, content === 'text')),
		...dropEmpty({
			// The text of Content: Text is the plain text, too.
			text: content === 'text' ? '' : item.textOf(fields.text ?? '', uses.plainText),
			fromName: added('fromName'),
			replyTo: added('replyTo'),
			channelId: added('channelId'),
			contactId: readLine(item, toLocator(fields.contactId).value, lines.contactId),
		}),
	};
	const given = readVariables(item);
	const tokens = checkTokens(item, message, given, content === 'text');
	// For blank text, the service shows the fallback of a token if it gets no value.
	const needed = findMissingTokens(tokens, {});
	const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === '';
	const entries = Object.entries(given.variables).filter(
		([name, value]) => message.html === undefined || needed.includes(name) || !isBlank(value),
	);
	if (entries.length > 0) message.variables = Object.fromEntries(entries);
	const isUnused = (name: string) => message.html !== undefined && !isUsed(name, tokens);
	const withoutValue = given.withoutValue.filter((name) => !isUnused(name));
	const unused = Object.keys(given.variables).filter(isUnused);
	return { ...given, message, withoutValue, unused, doubts: item.doubts };
}

/** @throws NodeOperationError unless To is one address */
export function readRecipient(item: ItemReader): string {
	const to = bareAddress(item.textOf(item.stored('to'), { displayName: 'To' }));
	const problem = validateAddress(to);
	return problem ? item.refuse(texts.invalidRecipient(problem)) : to;
}

/**
 * Refuses a token that has no value, or an object, and notes what recipients see as it is written.
 * Interface: SEND-12. What it says of tokens in the HTML holds for the other texts, too.
 * @param isText whether HTML and plain text are made of the same text
 * @returns all tokens of the message's own texts
 */
function checkTokens(
	item: ItemReader,
	{ subject = '', html = '', text = '' }: SendRequest,
	{ variables, withoutValue }: GivenVariables,
	isText: boolean,
): Token[] {
	const body: Record<string, string> = isText ? { Text: html } : { HTML: html, 'Plain Text': text };
	const fields = Object.entries({ Subject: subject, ...body }).map(([name, written]) => {
		for (const [pattern, what] of leftovers)
			if (pattern.test(written)) item.doubts.sentences.add(texts.showsRecipients(name, what));
		return { name, tokens: findTokens(written) };
	});
	const tokens = fields.flatMap((field) => field.tokens);
	for (const { name } of tokens) {
		const wrong = findWrongType(getTokenValue(variables, name) ?? '');
		if (wrong) item.refuse(texts.unfitForToken(name, wrong));
	}
	const names = findMissingTokens(tokens, variables);
	doubtFallbacks(item, tokens, [...Object.keys(variables), ...withoutValue]);
	if (names.length === 0) return tokens;
	const gaps = fields.filter((field) => findMissingTokens(field.tokens, variables).length > 0);
	const known = {
		hasVariables: names.every((name) => withoutValue.includes(name)),
		names: item.adviseOnNames(item.context.getNode().parameters),
	};
	return item.refuse(
		texts.missingTokens(
			names,
			gaps.map(({ name }) => name),
			known,
		),
	);
}

/** @param given the names of all variables */
function doubtFallbacks(item: ItemReader, tokens: Token[], given: string[]): void {
	const fields = Object.keys(item.context.getInputData()[item.itemIndex].json).map(normalizeName);
	for (const { name } of tokens) {
		if (given.includes(name) || !fields.includes(normalizeName(name))) continue;
		item.doubts.sentences.add(texts.showsFallback(name));
	}
}

function readTemplate(item: ItemReader, storedSubject: unknown): Partial<SendRequest> {
	const use = { displayName: 'Template Slug' };
	const templateSlug = item.filled(item.stored('templateSlug'), use, texts.missingTemplate);
	const subject = readLine(item, storedSubject, lines.subject);
	return { templateSlug, ...dropEmpty({ subject }) };
}

/** @param isText whether the message is written as text, not as HTML */
function readInline(item: ItemReader, isText: boolean): Partial<SendRequest> {
	const use = isText ? uses.text : uses.html;
	const { displayName } = use;
	const [storedSubject, stored] = [item.stored('subject'), item.stored(isText ? 'text' : 'html')];
	const subject =
		readLine(item, storedSubject, lines.subject) ||
		item.refuseEmpty(storedSubject, lines.subject, texts.missingSubject(displayName));
	const written = item.textOf(stored, use);
	if (written.trim() === '') item.refuseEmpty(stored, use, texts.emptyBody);
	const html = showBraces(isText ? textToHtml(written) : written);
	const bytes = Buffer.byteLength(html, 'utf8');
	if (bytes > maxHtmlBytes) item.refuse(texts.tooLong(displayName, bytes));
	if (!isText) checkHtml(item, html);
	// A plain text can't show braces of data: the service creates it from the HTML then.
	const isPlain = isText && !written.includes(dataBrace);
	return { subject, html, ...(isPlain && { text: written }) };
}

/** @throws NodeOperationError for HTML that no reader could use */
function checkHtml(item: ItemReader, html: string): void {
	const written = html.trim();
	if (written.startsWith('```') && written.endsWith('```')) item.refuse(texts.inCodeFence);
	const [, picture] = localPicture.exec(html) ?? [];
	if (picture) item.refuse(texts.localPicture(picture));
	const hasNoTags = written.includes('\n') && !/<[a-z!/]/i.test(written);
	if (hasNoTags) item.doubts.sentences.add(texts.noTags);
}

/** Braces of data in HTML: the reader sees them, and the service takes them for no token. */
const showBraces = (html: string) => html.replaceAll(dataBrace, '&#123;');

/** A picture in an attachment or on a disk, as in what Outlook and Word save. */
const localPicture = /(?:\s(?:src|background)\s*=|url\()\s*["']?((?:cid|file):[^"'<>\s)]{0,99})/i;

/** What recipients see as it is written, by what a hint says of it. */
const leftovers: Array<[RegExp, string]> = [
	[/(?:^|>)```/m, texts.codeFence],
	[/\*\|[\w:]+\|\*/, texts.foreignTags],
	[/&lt;(?:\/[a-z]|br\b)/i, texts.escapedTags],
];

/** A line without the white space around it; empty if the user left it empty. */
function readLine(item: ItemReader, stored: unknown, line: Line): string {
	const { displayName, clean = (one) => one, problemOf, advice } = line;
	const text = clean(trim(item.textOf(stored ?? '', line)));
	const problem = text === '' ? undefined : problemOf(text);
	if (problem) item.refuse([`'${displayName}' ${problem}`, advice]);
	return text;
}

/** Without empty fields, which are left to the service. Interface: SEND-16, SEND-22. */
function dropEmpty(fields: Record<string, string>): Record<string, string> {
	return Object.fromEntries(Object.entries(fields).filter(([, text]) => text.trim() !== ''));
}
