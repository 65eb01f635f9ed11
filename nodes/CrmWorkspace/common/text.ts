/** Texts that people read, and the ones they enter. */

/** What to say to the user: what happened, and what to do next. */
export type Explanation = readonly [message: string, advice?: string];

/** What the user may want to know of a run that has ended well. */
export interface Hint {
	message: string;
	type?: 'info' | 'warning';
}

/** The texts of a folder by name: as they are, or with values. */
export type Texts = Record<
	string,
	Explanation | string | ((...values: never[]) => Explanation | string)
>;

/** Thrown for what goes wrong otherwise than by a failed request, such as an email no contact has. */
export class ExplainedError extends Error {
	readonly advice?: string;

	constructor([message, advice]: Explanation) {
		super(message);
		this.advice = advice;
	}
}

/** Shown length of a text from outside of this package, in characters. */
const maxTextLength = 500;

/** Shown length of a name, a code or an ID. */
export const maxNameLength = 100;

/** Shown length of a message, a description or a hint. */
const maxDisplayLength = 2000;

/** Shown length of a list, in names. */
const maxNames = 10;

/** One line without markup: n8n's editor renders errors and hints as HTML. */
export function toPlainText(text: string): string {
	return text
		.replace(/[\s\p{Cc}]+/gu, ' ')
		.replaceAll('<', '‹')
		.replaceAll('>', '›')
		.trim();
}

/** A message, a description or a hint as it is shown: plain and bounded. */
export function toDisplayText(text: string): string {
	return shorten(toPlainText(text), maxDisplayLength);
}

/** The beginning of a text that is longer than so many characters. */
export function shorten(text: string, maxLength = maxTextLength): string {
	if (text.length <= maxLength) return text;
	// Does not cut a surrogate pair in two.
	return `${text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The first names of a list, shortened, and the number of the others. */
export function formatList(names: string[]): string {
	const shown = names.slice(0, maxNames).map((name) => shorten(name, maxNameLength));
	const others = names.length - shown.length;
	return shown.join(', ') + (others > 0 ? ` and ${others} more` : '');
}

/** A span in words, such as “45 s” or “12 min”. */
export function formatDuration(ms: number): string {
	const seconds = Math.round(ms / 1000);
	if (seconds < 120) return `${seconds} s`;
	return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

/** Not the joiners, which some scripts need, and not the tags that a flag ends with. */
const edge = /(?:(?![\u{e0020}-\u{e007f}\u200c\u200d])[\s\p{Cc}\p{Cf}\ufe0e])/u.source;
const edges = new RegExp(`^${edge}+|(?<!${edge})${edge}+$`, 'gu');

/** A text without what is pasted along around it: white space, control and invisible characters. */
export function trim(text: string): string {
	return text.replace(edges, '');
}

/** The letters and digits of a name, by which names are compared that differ in form. */
export function normalizeName(text: string): string {
	return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** Stays as it is in HTML. */
const token = /\{\{[^{}]*\}\}/.source;

/** An address in a text, without the punctuation or the marks of Markdown that follow it. */
const link = new RegExp(
	`(https?://(?:${token}|(?!${token})[^\\s<>"*\`])*(?:${token}|[^\\s<>".,;:!?'()[\\]*_\`…]))`,
);

const tokenOrSpace = new RegExp(`${token}|  |\\n`, 'g');
const spaces: Record<string, string> = { '  ': '&nbsp; ', '\n': '<br>' };

/**
 * HTML that looks like a text: its signs, spaces and lines are kept, also those of the values that
 * the service puts in for tokens, and addresses are links.
 */
export function textToHtml(text: string): string {
	const parts = text.replace(/\r\n?/g, '\n').split(link);
	const html = parts.map((part, at) => {
		const escaped = part.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
		return at % 2 === 1 ? `<a href="${escaped}">${escaped}</a>` : escaped;
	});
	// Outlook shows neither lines nor spaces by their style.
	const kept = html.join('').replace(tokenOrSpace, (found) => spaces[found] ?? found);
	return `<div style="white-space: pre-wrap">${kept}</div>`;
}

/**
 * A text without a secret, which an error response may repeat: as it is, in any case,
 * percent-encoded, or escaped as in JSON, however often.
 * @param secret an API key, in ASCII
 */
export function redact(text: string, secret: string): string {
	const codes = [...trim(secret)].map((sign) => sign.charCodeAt(0).toString(16));
	const signs = codes.map((hex) => `(?:\\x${hex}|%${hex}|\\\\{1,8}(?:\\x${hex}|u00${hex}))`);
	return text.replace(new RegExp(signs.join(''), 'gi'), '[API key]');
}
