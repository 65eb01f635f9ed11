import { shortened } from '../../text/plainText';

/** Whether a text is a web page, or a piece of one. White space before it does not count. */
export function isMarkup(text: string): boolean {
	return /^\s*<[a-z!?]/i.test(text);
}

/** Undefined when a web page has none. */
export function titleOf(html: string): string | undefined {
	const element = html.search(/<title/i);
	const begin = element < 0 ? -1 : html.indexOf('>', element) + 1;
	const end = begin > 0 ? html.indexOf('<', begin) : -1;
	return end < 0 ? undefined : html.slice(begin, end).trim() || undefined;
}

/** A web page, or a piece of one, in a few words. */
export function describeWebPage(html: string): string {
	const title = titleOf(html);
	return title ? `a web page titled “${shortened(title)}”` : 'a web page';
}

/** What a reader of a web page sees, more or less: neither scripts, styles and comments nor tags. */
export function visibleText(html: string): string {
	return withoutScripts(html).replace(/<[^>]*>?/g, ' ');
}

/** A web page without what only its browser reads: scripts, styles and comments. */
export function withoutScripts(html: string): string {
	let kept = '';
	let from = 0;
	for (;;) {
		const begin = find(html, opening, from);
		if (!begin) return kept + html.slice(from);
		kept += html.slice(from, begin.index);
		const end = find(html, closings[begin[0].toLowerCase()], begin.index);
		// Without its end it goes on to the end of the text.
		if (!end) return kept;
		from = end.index + end[0].length;
	}
}

const opening = /<script|<style|<!--/gi;

const closings: Record<string, RegExp> = {
	'<script': /<\/script/gi,
	'<style': /<\/style/gi,
	'<!--': /-->/g,
};

function find(text: string, what: RegExp, from: number): RegExpExecArray | null {
	what.lastIndex = from;
	return what.exec(text);
}
