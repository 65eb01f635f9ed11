declare module 'html-to-text' {
	interface Options {
		/** Below `maxDepth` levels of elements, `...` stands for what there is. */
		limits: { maxDepth: number };
	}

	/** The plain text of an HTML document. */
	export function convert(html: string, options: Options): string;
}
