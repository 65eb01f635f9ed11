/** Holds documents, texts of the editor, errors and comments to the rules in language.yml. */
import { execSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, matchesGlob, resolve } from 'node:path';
import { lexer, Parser, walkTokens } from 'marked';
import * as ts from 'typescript';
import { parse } from 'yaml';

/** A breach of a rule, at a character of the text. */
type Finding = { at: number; what: string };

const rules = parse(readFileSync(join(import.meta.dirname, 'language.yml'), 'utf8'));
const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
const parser = new Parser();
/** A piece of code counts as one word, which can begin a sentence. */
Object.assign(parser.textRenderer, { codespan: () => 'Code', html: () => ' ' });
/** Begins a sentence, too, although it isn't a capital letter. */
const beginning = /(?<=[.!?][)”"’]? )(?:n8n|\d)/g;

/** Whether a page exceeds its budget, or has none. */
function checkBudget(file: string, markdown: string): Finding[] {
	const glob = Object.keys(rules.budgets).find((pattern) => matchesGlob(file, pattern));
	const [count, budget] = [countWords(markdown), glob && rules.budgets[glob]];
	return count <= budget ? [] : [{ at: 0, what: `${count} words, budget ${budget ?? 'missing'}` }];
}

/** Long sentences of paragraphs and list items. */
function findLongSentences(markdown: string): Finding[] {
	const found: Finding[] = [];
	let at = 0;
	walkTokens(lexer(markdown), (token) => {
		if (!/^(paragraph|text)$/.test(token.type) || !('tokens' in token)) return;
		// Tokens have no positions, and within a list their later lines have lost the indentation.
		at = Math.max(markdown.indexOf(token.raw.split('\n')[0], at), at);
		const inline = parser.parseInline(token.tokens!, parser.textRenderer);
		const text = inline.replaceAll(/(?:\s+[—–→·])*\s+/g, ' ').replaceAll(beginning, 'N');
		for (const { segment } of segmenter.segment(text)) {
			const what = `sentence of ${countWords(segment)} words: ${segment.slice(0, 60)}…`;
			if (countWords(segment) > rules.sentence) found.push({ at, what });
		}
	});
	return found;
}

/** Words that don't belong, in a document or a source file. */
function findWords(text: string): Finding[] {
	return Object.entries(rules.words).flatMap(([words, instead]) => {
		const pattern = `(?<![\\w/-])${words.replaceAll(' ', '[\\s*/]+')}(?![\\w/]|\\.\\w)`;
		return find(text, new RegExp(pattern, 'gi'), `: ${instead}`);
	});
}

/** Parameter names without quotes, where these can be told from other words. */
function findBareNames(strings: string, names: string[]): Finding[] {
	const escaped = names.map((name) => name.replaceAll(/[()]/g, '\\$&'));
	escaped.sort((one, other) => other.length - one.length);
	const anyOf = (some: string[]) => `(?:${some.join('|')})(?![\\w'])`;
	const several = anyOf(escaped.filter((name) => name.includes(' ')));
	const contexts = rules.names.join('|').replaceAll('SEVERAL', several);
	const pattern = new RegExp(contexts.replaceAll('ANY', anyOf(escaped)), 'g');
	return find(strings, pattern, " without 'single quotes'");
}

function find(text: string, pattern: RegExp, advice: string): Finding[] {
	return Array.from(text.matchAll(pattern), ({ 0: found, index: at }) => {
		return { at, what: `“${found.replaceAll(/[\s*/]+/g, ' ')}”${advice}` };
	});
}

/** Tooltips and notices of properties, nested ones included, that are too long. */
function findLongTooltips(properties: unknown): string[] {
	return objectsIn(properties)
		.flatMap((one) => [one.description, one.hint, one.type === 'notice' && one.displayName])
		.filter((text) => typeof text === 'string')
		.filter((text) => countWords(text) > rules.tooltip);
}

/** The string literals of TypeScript, with all else blanked. */
function stringsOf(typescript: string): string {
	const source = ts.createSourceFile('', typescript, ts.ScriptTarget.Latest, true);
	let strings = blank(typescript);
	(function visit(node: ts.Node): void {
		const isTemplate = ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
		const [start, end] = [node.getStart(source) + 1, node.end - 1];
		if (isTemplate || ts.isStringLiteralLike(node))
			strings = strings.slice(0, start) + typescript.slice(start, end) + strings.slice(end);
		ts.forEachChild(node, visit);
	})(source);
	return strings;
}

/** Replaces text by what no pattern matches. */
function blank(text: string): string {
	return text.replaceAll(/[^\n]/g, '¦');
}

/** As `wc -w` does. */
function countWords(text: string): number {
	return text.match(/[^ \t\n\v\f\r]+/g)?.length ?? 0;
}

function objectsIn(value: unknown): Array<Record<string, unknown>> {
	if (typeof value !== 'object' || value === null) return [];
	return [value as Record<string, unknown>, ...Object.values(value).flatMap(objectsIn)];
}

/** The Markdown of the sticky notes of a workflow. */
function notesOf(workflow: string): string[] {
	const { nodes } = JSON.parse(workflow) as { nodes: { parameters: { content?: string } }[] };
	return nodes.flatMap(({ parameters: { content } }) => content ?? []);
}

/** An object of each class of a source file, compiled as for the package. */
function load(file: string): object[] {
	const require = createRequire(import.meta.url);
	const { compilerOptions } = require('../tsconfig.json');
	require.extensions['.ts'] = (module, path) =>
		Object(module)._compile(ts.transpile(readFileSync(path, 'utf8'), compilerOptions), path);
	return Object.values<new () => object>(require(resolve(file))).map((Type) => new Type());
}

if (import.meta.main) {
	const lines: string[] = [];
	const lineIn = (text: string) => (at: number) => text.slice(0, at).split('\n').length;
	const add = (file: string, lineOf: (at: number) => number, found: Finding[]) =>
		lines.push(...found.map(({ at, what }) => `${file}:${lineOf(at)}: ${what}`));
	const read = (file: string) => ({ file, text: readFileSync(file, 'utf8') });

	const tracked = execSync('git ls-files "*.md" ":!LICENSE.md"').toString().split('\n');
	for (const { file, text } of tracked.filter((path) => existsSync(path)).map(read)) {
		const long = [...checkBudget(file, text), ...findLongSentences(text)];
		add(file, lineIn(text), [...long, ...findWords(text)]);
	}
	for (const { file, text } of globSync('examples/*.json').map(read)) {
		for (const note of notesOf(text)) {
			// In the file, a note is a single line.
			const line = lineIn(text)(text.indexOf(JSON.stringify(note)));
			add(file, () => line, [...findLongSentences(note), ...findWords(note)]);
		}
	}

	const sources = globSync('{nodes,credentials}/**/*.ts').map(read);
	const types = globSync('{nodes,credentials}/**/*.{node,credentials}.ts').flatMap(load);
	const names = objectsIn(types)
		.filter((one) => 'default' in one && one.type !== 'notice')
		.map(({ displayName }) => String(displayName));
	for (const { file, text } of sources)
		add(file, lineIn(text), [...findWords(text), ...findBareNames(stringsOf(text), names)]);
	for (const tooltip of findLongTooltips(types)) {
		const start = tooltip.slice(0, 40);
		const { file, text } = sources.find((source) => source.text.includes(start)) ?? sources[0];
		const what = `tooltip of ${countWords(tooltip)} words: ${start}…`;
		add(file, lineIn(text), [{ at: text.indexOf(start), what }]);
	}
	lines.sort(new Intl.Collator('en', { numeric: true }).compare);
	console.error([...lines, `language: ${lines.length} findings`].join('\n'));
	if (lines.length > 0) process.exitCode = 1;
}
