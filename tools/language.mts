/** Holds documents, and the texts and comments of what ships, to the rules in language.yml. */
import { execSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { lexer, Parser, walkTokens } from 'marked';
import { parse } from 'yaml';

interface Text {
	file: string;
	text: string;
}

const rules = parse(readFileSync('tools/language.yml', 'utf8'));
const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
const parser = new Parser();
/** A piece of code counts as one word, which can begin a sentence. */
Object.assign(parser.textRenderer, { codespan: () => 'Code', html: () => ' ' });
/** Begins a sentence, too, although it isn't a capital letter. */
const beginning = /(?<=[.!?][)”"’]? )(?:n8n|\d)/g;

/** The words of some pages together, if they are too many. */
function findLongPages(pages: Text[]): string[] {
	return Object.entries<number>(rules.budgets).flatMap(([name, budget]) => {
		const texts = pages.filter(({ file }) =>
			name === 'all' ? file !== 'CHANGELOG.md' : name === file,
		);
		const count = countWords(texts.map(({ text }) => text).join('\n'));
		return count > budget ? `${name}: ${count} words, budget ${budget}` : [];
	});
}

/** Long sentences of paragraphs and list items. */
function findLongSentences({ file, text }: Text): string[] {
	const found: string[] = [];
	void walkTokens(lexer(text), (token) => {
		if (!/^(paragraph|text)$/.test(token.type) || !('tokens' in token)) return;
		const inline = parser.parseInline(token.tokens!, parser.textRenderer);
		const plain = inline.replaceAll(/(?:\s+[—–→·])*\s+/g, ' ').replaceAll(beginning, 'N');
		for (const { segment } of segmenter.segment(plain)) {
			const count = countWords(segment);
			if (count > rules.sentence) found.push(`${file}: ${count} words: ${segment.slice(0, 60)}…`);
		}
	});
	return found;
}

/** Words that don't belong. */
function findWords({ file, text }: Text): string[] {
	const lines = [...text.split('\n').entries()];
	return Object.entries(rules.words).flatMap(([words, instead]) => {
		const pattern = new RegExp(`(?<![\\w/-])(?:${words})(?![\\w/]|\\.\\w)`, 'i');
		return lines.flatMap(([index, line]) => {
			const [found] = pattern.exec(line) ?? [];
			return found ? `${file}:${index + 1}: “${found}”: ${instead}` : [];
		});
	});
}

/** As `wc -w` does. */
function countWords(text: string): number {
	return text.match(/[^ \t\n\v\f\r]+/g)?.length ?? 0;
}

/** The sticky notes of a workflow. */
function notesOf({ file, text }: Text): Text[] {
	const { nodes } = JSON.parse(text) as { nodes: { parameters: { content?: string } }[] };
	return nodes.flatMap(({ parameters: { content } }) => (content ? { file, text: content } : []));
}

const read = (file: string): Text => ({ file, text: readFileSync(file, 'utf8') });
const pages = execSync('git ls-files "*.md"').toString().trim().split('\n').map(read);
const documents = [
	...pages.filter(({ file }) => file !== 'LICENSE.md'),
	...globSync('examples/*.json').map(read).flatMap(notesOf),
];
const sources = globSync('{nodes,credentials}/**/*.ts').map(read);
const findings = [
	...findLongPages(pages),
	...documents.flatMap(findLongSentences),
	...[...documents, ...sources].flatMap(findWords),
];
console.error([...findings, `language: ${findings.length} findings`].join('\n'));
if (findings.length > 0) process.exitCode = 1;
