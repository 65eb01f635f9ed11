import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Replaces the text between `<!-- name -->` and `<!-- end of name -->` in a Markdown file.
 * @throws an Error if the file doesn't have both
 */
export function writeBlock(file: string, name: string, text: string): void {
	writeFileSync(file, replaceBlock(readFileSync(file, 'utf8'), name, text));
}

export function replaceBlock(markdown: string, name: string, text: string): string {
	const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
	const [before, after] = [markdown.split(begin)[0], markdown.split(end)[1]];
	if (after === undefined) throw new Error(`There is no ${begin} … ${end}`);
	return `${before}${begin}\n\n${text.trim()}\n\n${end}${after}`;
}
