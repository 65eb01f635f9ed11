import { readFileSync, writeFileSync } from 'node:fs';
import { type N8nVersion, pinned, versions } from '../playground/versions.mts';
import { replaceBlock } from './markdown/block.mts';

/** Tests of the node in n8n's engine, and of the package in an n8n instance. */
export type Kind = 'engine' | 'real';

/** By version, whether all tests passed. */
export type Results = Map<N8nVersion, boolean>;

const file = 'docs/compatibility.md';

/** Writes results to the page. */
export function writeCompatibility(kind: Kind, results: Results): void {
	writeFileSync(file, withResults(readFileSync(file, 'utf8'), kind, results));
	console.log(`Written to ${file}`);
}

/** The page with a line for each version. What wasn't tested keeps its result. */
export function withResults(page: string, kind: Kind, results: Results): string {
	const lines = versions.map((version) => {
		const name = version === pinned ? `**${version.n8n}**` : version.n8n;
		const before = page.split('\n').find((line) => line.startsWith(`| ${name} |`));
		const [, , , engine = '–', real = '–'] = before?.split(/ ?\| ?/) ?? [];
		const passed = results.get(version);
		const cells = { engine, real };
		if (passed !== undefined) cells[kind] = passed ? 'passed' : 'failed';
		return `| ${name} | ${version.node} | ${cells.engine} | ${cells.real} |`;
	});
	const head = "| n8n | Node.js | n8n's engine | n8n instance |\n| --- | --- | --- | --- |";
	return replaceBlock(page, 'versions', [head, ...lines].join('\n'));
}
