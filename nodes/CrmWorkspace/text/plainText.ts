/**
 * Words for people, and what was meant by theirs. What is shown is plain text, whoever wrote it;
 * what was typed or pasted is freed of characters that nobody sees. Imports nothing.
 */

/** What is shown of a text from outside of this package, in characters. */
export const maxTextLength = 500;

/** The same of a name, a code or an ID. */
export const maxNameLength = 100;

/** The same of a list, in names. */
const maxNames = 10;

/**
 * Invisible characters, which may change how a text reads, as those that turn its direction do.
 * Joiners and variation selectors are left where other scripts and emoji need them.
 */
const unseen =
	/(?!\u200c|\u200d|[\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}|(?<![^\0-\x7f\u200c\u200d])(?:\u200c|\u200d|[\ufe00-\ufe0f])/gu;

/**
 * Text as a person may be shown it anywhere, whoever wrote parts of it: n8n's editor takes hints
 * and errors for HTML, and others take them for Markdown. So tags, entities and links are broken
 * up. The result is one line, with invisible characters spelled out. Applying the function again
 * changes nothing.
 */
export function plainText(text: string): string {
	return text
		.replace(/[\s\p{Cc}]+/gu, ' ')
		.replace(unseen, spelledOut)
		.replace(/\p{Cs}/gu, '\ufffd')
		.replaceAll('<', '‹')
		.replaceAll('>', '›')
		.replace(/&(?=[#a-z])/gi, '＆')
		.replace(/\](?=[([])/g, '] ')
		.trim();
}

/** A character as its code, like `\u200b`. */
function spelledOut(character: string): string {
	const code = character.codePointAt(0)!.toString(16);
	return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}

/** The beginning of a text, if it is longer than so many characters. */
export function shortened(text: string, longest = maxTextLength): string {
	if (text.length <= longest) return text;
	// Does not cut a surrogate pair in two.
	return `${text.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Some names of a list, each in short, and how many others there are. */
export function listed(names: string[]): string {
	const shown = names.slice(0, maxNames).map((name) => shortened(name, maxNameLength));
	const others = names.length - shown.length;
	return shown.join(', ') + (others > 0 ? ` and ${others} more` : '');
}
