import { globSync, readFileSync } from 'node:fs';

/** Some Markdown of the repository. */
export interface Document {
	/** Where it stands, relative to the repository. */
	file: string;
	markdown: string;
	/** The line of the file in which a character of the Markdown stands, from 1. */
	lineOf: (offset: number) => number;
	/** Read inside of n8n, where no file of the repository is. */
	inN8n: boolean;
}

/** Every document: those of the root, of docs/ and of parts, and the notes in the examples. */
export function documents(folder: string): Document[] {
	const files = ['*.md', 'docs/**/*.md', '{sandbox,playground}/README.md'];
	return [
		...globSync(files, { cwd: folder })
			.sort()
			.map((file) => documentOf(folder, file)),
		...globSync('examples/*.json', { cwd: folder })
			.sort()
			.flatMap((file) => notesOf(folder, file)),
	];
}

function documentOf(folder: string, file: string): Document {
	const markdown = readFileSync(`${folder}/${file}`, 'utf8');
	const lineOf = (offset: number) => markdown.slice(0, offset).split('\n').length;
	return { file, markdown, lineOf, inN8n: false };
}

/** The sticky notes of a workflow, each of which is one line of its file. */
function notesOf(folder: string, file: string): Document[] {
	const text = readFileSync(`${folder}/${file}`, 'utf8');
	const { nodes } = JSON.parse(text) as { nodes: { parameters: { content?: string } }[] };
	return nodes
		.map(({ parameters }) => parameters.content)
		.filter((content) => content !== undefined)
		.map((markdown) => {
			const line = text.slice(0, text.indexOf(JSON.stringify(markdown))).split('\n').length;
			return { file, markdown, lineOf: () => line, inN8n: true };
		});
}
