declare module 'html-to-text' {
	interface Options {
		/** Elements below `maxDepth` levels are replaced by `...`. */
		limits: { maxDepth: number };
	}

	/** The plain text of an HTML document. */
	export function convert(html: string, options: Options): string;
}
