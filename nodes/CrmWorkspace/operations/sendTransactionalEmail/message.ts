import { maxHtmlBytes, type SendRequest } from '../../service/records';
import { bareAddress, validateAddress, validateHeader, isUuid } from '../../service/formats';
import { isUsed, findMissingTokens, findTokens, type Token } from '../../service/tokens';
import {
	formatList,
	maxNameLength,
	normalizeName,
	shorten,
	textToHtml,
	trim,
} from '../../text/plainText';
import { dataBrace, type ItemReader } from '../itemReader';
import { content as contentProperty } from './properties';
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

const validateUuid = (text: string) => (isUuid(text) ? undefined : "isn't a UUID");
const uuidAdvice = 'It has to look like 3f1e6c1a-9d0b-4a5e-8c57-2b7f0f6f9a10.';

const lines = {
	subject: {
		displayName: 'Subject',
		// Models and forms end it in a line break, or write two lines.
		clean: (text) => text.replace(/[\r\n\u2028\u2029]+/g, ' '),
		problemOf: validateHeader,
		advice:
			'A subject has a single line. Remove this character, such as by {{ $json.title.replace(/\\s+/g, " ") }}.',
		hasTokens: true,
	},
	fromName: {
		displayName: 'From Name',
		problemOf: (text) => (/[<>]/.test(text) ? 'has < or >' : validateHeader(text)),
		advice:
			"Enter a name only, in a single line. The channel decides the address; set 'Reply To' for replies.",
	},
	replyTo: {
		displayName: 'Reply To',
		clean: bareAddress,
		problemOf: validateAddress,
		advice: 'Replies go to one address, written like care@example.com.',
	},
	channelId: { displayName: 'Channel ID', problemOf: validateUuid, advice: uuidAdvice },
	contactId: { displayName: 'Contact ID', problemOf: validateUuid, advice: uuidAdvice },
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
	const fields = Object(item.stored('additionalFields', {})) as AddedFields;
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
			contactId: added('contactId'),
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
	if (!problem) return to;
	const advice =
		'Nothing was sent for this item. One message goes to one recipient, written like nathan@example.com. For several recipients, pass one item for each.';
	return item.refuse(`'To' ${problem}`, advice);
}

/**
 * Refuses a token that has no value, and notes what recipients see as it is written.
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
			if (pattern.test(written)) item.doubts.sentences.add(`'${name}' shows recipients ${what}`);
		return { name, tokens: findTokens(written) };
	});
	const tokens = fields.flatMap((field) => field.tokens);
	const names = findMissingTokens(tokens, variables);
	doubtFallbacks(item, tokens, [...Object.keys(variables), ...withoutValue]);
	if (names.length === 0) return tokens;
	const gaps = fields.filter((field) => findMissingTokens(field.tokens, variables).length > 0);
	const where = formatList(gaps.map(({ name }) => `'${name}'`));
	const misspelled = item.adviseOnNames(item.context.getNode().parameters);
	const reason = names.every((name) => withoutValue.includes(name))
		? `The variable is there, but has no value for this item. ${misspelled ?? 'Look at its expression.'}`
		: `Add ${names.length > 1 ? 'variables of these names' : 'a variable of that name'}.`;
	const isBlock = names.some((name) => /^(?:else|this)\b/.test(name));
	const blocks = isBlock ? '{{else}} and {{this.…}} are of another template language. ' : '';
	const advice = `Nothing was sent for this item. ${blocks}${reason} A fallback in the token is written {{name|there}}, and a field of the item {{ $json.name }}.`;
	return item.refuse(`Tokens in ${where} have no value: ${formatList(names)}`, advice);
}

/** @param given the names of all variables */
function doubtFallbacks(item: ItemReader, tokens: Token[], given: string[]): void {
	const fields = Object.keys(item.context.getInputData()[item.itemIndex].json).map(normalizeName);
	for (const { name } of tokens) {
		if (given.includes(name) || !fields.includes(normalizeName(name))) continue;
		const problem = `The token {{${name}|…}} shows its fallback: no variable has its name`;
		item.doubts.sentences.add(`${problem}. To show the item's field, add the variable ${name}`);
	}
}

function readTemplate(item: ItemReader, storedSubject: unknown): Partial<SendRequest> {
	const use = { displayName: 'Template Slug' };
	const advice =
		"Enter the slug of a template, or set 'Content' to HTML or Text to write the message here.";
	const templateSlug = item.filled(item.stored('templateSlug'), use, advice);
	const subject = readLine(item, storedSubject, lines.subject);
	return { templateSlug, ...dropEmpty({ subject }) };
}

/** @param isText whether the message is written as text, not as HTML */
function readInline(item: ItemReader, isText: boolean): Partial<SendRequest> {
	const use = isText ? uses.text : uses.html;
	const { displayName } = use;
	const [storedSubject, stored] = [item.stored('subject'), item.stored(isText ? 'text' : 'html')];
	const needsSubject = `A message with ${displayName} needs a subject.`;
	const subject =
		readLine(item, storedSubject, lines.subject) ||
		item.refuseEmpty(storedSubject, lines.subject, needsSubject);
	const written = item.textOf(stored, use);
	const advice = "Enter the body of the message, or set 'Content' to Template.";
	if (written.trim() === '') item.refuseEmpty(stored, use, advice);
	const html = showBraces(isText ? textToHtml(written) : written);
	const bytes = Buffer.byteLength(html, 'utf8');
	if (bytes > maxHtmlBytes) {
		const problem = `'${displayName}' has ${bytes} bytes, and the service accepts at most ${maxHtmlBytes}`;
		item.refuse(problem, 'Shorten it, for example by linking images instead of embedding them.');
	}
	if (!isText) checkHtml(item, html);
	// A plain text can't show braces of data: the service creates it from the HTML then.
	const isPlain = isText && !written.includes(dataBrace);
	return { subject, html, ...(isPlain && { text: written }) };
}

/** @throws NodeOperationError for HTML that no reader could use */
function checkHtml(item: ItemReader, html: string): void {
	const written = html.trim();
	if (written.startsWith('```') && written.endsWith('```')) {
		const advice =
			'Ask the model for HTML without a fence, or remove it: add .trim().replace(/^```\\w*\\n|\\n```$/g, "") to the expression.';
		item.refuse("'HTML' is in a code fence (```), as models write it", advice);
	}
	const [, picture] = localPicture.exec(html) ?? [];
	if (picture) {
		const problem = `'HTML' has an image that a message can't show: ${shorten(picture, maxNameLength)}`;
		item.refuse(problem, 'The service sends no attachments. Link the image by its https address.');
	}
	const doubt =
		"'HTML' has several lines and no tags, so they run together. For plain text, set 'Content' to Text";
	if (written.includes('\n') && !/<[a-z!/]/i.test(written)) item.doubts.sentences.add(doubt);
}

/** Braces of data in HTML: the reader sees them, and the service takes them for no token. */
const showBraces = (html: string) => html.replaceAll(dataBrace, '&#123;');

/** A picture in an attachment or on a disk, as in what Outlook and Word save. */
const localPicture = /(?:\s(?:src|background)\s*=|url\()\s*["']?((?:cid|file):[^"'<>\s)]{0,99})/i;

/** What recipients see as it is written, by what a hint says of it. */
const leftovers: Array<[RegExp, string]> = [
	[/(?:^|>)```/m, 'a code fence (```). Ask the model for the message alone'],
	[/\*\|[\w:]+\|\*/, 'tags of another tool, such as *|NAME|*. A token is written like {{name}}'],
	[/&lt;(?:\/[a-z]|br\b)/i, "HTML tags. Set 'Content' to HTML, and don't escape them"],
];

/** A line without the white space around it; empty if the user left it empty. */
function readLine(item: ItemReader, stored: unknown, line: Line): string {
	const { displayName, clean = (one) => one, problemOf, advice } = line;
	const text = clean(trim(item.textOf(stored ?? '', line)));
	const problem = text === '' ? undefined : problemOf(text);
	return problem ? item.refuse(`'${displayName}' ${problem}`, advice) : text;
}

/** Without empty fields, which are left to the service. Interface: SEND-16, SEND-22. */
function dropEmpty(fields: Record<string, string>): Record<string, string> {
	return Object.fromEntries(Object.entries(fields).filter(([, text]) => text.trim() !== ''));
}
