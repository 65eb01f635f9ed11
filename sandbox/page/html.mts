import { escapeHtml } from '../escapeHtml.mts';

/** A piece of a page. */
export class Html {
	readonly text: string;

	constructor(text: string) {
		this.text = text;
	}
}

/** What a piece can contain. */
export type Content = Html | string | number | null | undefined | readonly Content[];

/** A template for HTML, which escapes all values that aren't pieces themselves. */
export function html(strings: TemplateStringsArray, ...values: Content[]): Html {
	return new Html(String.raw({ raw: strings }, ...values.map(textOf)));
}

function textOf(content: Content): string {
	if (content instanceof Html) return content.text;
	if (Array.isArray(content)) return content.map(textOf).join('');
	return escapeHtml(String(content ?? ''));
}
