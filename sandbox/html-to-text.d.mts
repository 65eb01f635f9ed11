declare module 'html-to-text' {
	/** The plain text of an HTML document. */
	export function convert(html: string): string;
}
