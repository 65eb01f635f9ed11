/** How many characters of words of others are shown. */
export const longestWords = 500;

/** How many characters of a name, a code or an ID of others are shown. */
export const longestName = 100;

/** How many names of a list are shown. */
const mostNames = 10;

/**
 * What nobody sees, but that may change how a text reads, as the signs that turn its direction do.
 * Joiners and the signs that choose a form are left where other scripts and emoji need them.
 */
const unseen =
	/(?!\u200c|\u200d|[\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}|(?<![^\0-\x7f\u200c\u200d])(?:\u200c|\u200d|[\ufe00-\ufe0f])/gu;

/**
 * Text as a person may be shown it anywhere, whoever wrote parts of it: n8n's editor takes hints
 * and errors for HTML, and others take them for Markdown. So no tag, reference or link is left of
 * what looks like one. It is one line, and signs that nobody sees are spelled out. Text that was
 * given by this function stays as it is.
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

/** A sign as its code, like `\u200b`. */
function spelledOut(sign: string): string {
	const code = sign.codePointAt(0)!.toString(16);
	return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}

/** The beginning of a text, if it is longer than so many characters. */
export function shortened(text: string, longest = longestWords): string {
	if (text.length <= longest) return text;
	// A sign of two halves is not cut in two.
	return `${text.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Some names of a list, each in short, and how many others there are. */
export function listed(names: string[]): string {
	const shown = names.slice(0, mostNames).map((name) => shortened(name, longestName));
	const others = names.length - shown.length;
	return shown.join(', ') + (others > 0 ? ` and ${others} more` : '');
}
