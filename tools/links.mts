import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { hasExampleDomain } from './release/exampleDomain.mts';
import { anchorOf, documentationPlaces } from './release/places.mts';
import { anchors } from './markdown/anchors.mts';
import { documents, type Document } from './markdown/documents.mts';
import { references, type Reference } from './markdown/references.mts';

/** What a look at every document of the repository found. */
export interface Links {
	/** Those that lead nowhere, each with file, line and reason; none when all is well. */
	broken: string[];
	/** Addresses outside of the repository, each once. No one was asked whether they answer. */
	external: string[];
}

/** Looks at every link and picture of the repository's documents. */
export function links(folder: string): Links {
	const broken: string[] = [];
	const external = new Set<string>();
	for (const document of documents(folder)) {
		for (const reference of references(document.markdown)) {
			const { file, lineOf } = document;
			const flaw = flawOf(reference, document, folder);
			if (flaw) broken.push(`${file}:${lineOf(reference.start)}: ${reference.target} ${flaw}`);
			if (isAddress(reference.target)) external.add(reference.target);
		}
	}
	broken.push(...strayDocumentation(folder));
	return { broken, external: [...external].sort() };
}

/** n8n links to parts of the README, which stands elsewhere by then. */
function strayDocumentation(folder: string): string[] {
	const there = anchors(readFileSync(join(folder, 'README.md'), 'utf8'));
	return documentationPlaces(folder)
		.map(({ file, name, value }) => ({ file, name, anchor: anchorOf(value).slice(1) }))
		.filter(({ anchor }) => anchor !== '' && !there.has(anchor))
		.map(
			({ file, name, anchor }) =>
				`${file}: ${name} leads to #${anchor}, which README.md does not have`,
		);
}

function flawOf(reference: Reference, document: Document, folder: string): string | undefined {
	if (reference.alternative?.trim() === '') return 'is a picture without an alternative text';
	if (isAddress(reference.target)) return flawOfAddress(reference.target);
	if (document.inN8n) return 'is no address, and in n8n there are no files of the repository';
	return flawOfPath(reference.target, document, folder);
}

/** Example addresses are written as code, which is no link: what is a link is the project's own. */
function flawOfAddress(address: string): string | undefined {
	if (!/^(https:|mailto:|http:\/\/127\.0\.0\.1[:/])/i.test(address)) return 'is not https';
	return hasExampleDomain(address) ? 'is an example address: write it as code' : undefined;
}

function flawOfPath(target: string, { file, markdown }: Document, folder: string) {
	const [path, anchor] = decodeURI(target).split('#');
	if (path === '') return anchors(markdown).has(anchor) ? undefined : 'is no anchor here';
	const to = posix.join(posix.dirname(file), path);
	if (to.startsWith('..') || path.startsWith('/')) return 'leads out of the repository';
	if (!existsSync(join(folder, to))) return 'does not exist';
	if (anchor === undefined) return undefined;
	const there = to.endsWith('.md') ? anchors(readFileSync(join(folder, to), 'utf8')) : new Set();
	return there.has(anchor) ? undefined : 'has no such anchor';
}

function isAddress(target: string): boolean {
	return /^([a-z][a-z\d+.-]*:|\/\/)/i.test(target);
}

if (import.meta.main) {
	const { broken, external } = links('.');
	console.log(
		[...external, `links: ${external.length} addresses outside of the repository`].join('\n'),
	);
	for (const line of broken) console.error(line);
	console.error(`links: ${broken.length} lead nowhere`);
	if (broken.length > 0) process.exitCode = 1;
}
