import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A place where the address of the repository stands. It follows from `repository` in package.json,
 * the one that is edited by hand.
 */
export interface Place {
	file: string;
	/** What the place is called in the file. */
	name: string;
	/** What stands there; undefined when nothing does. */
	value: string | undefined;
	/** What has to stand there. */
	expected: string;
}

export interface PackageJson {
	name: string;
	version: string;
	author?: unknown;
	homepage?: string;
	repository?: { url?: string };
	bugs?: { url?: string };
}

export function packageJson(folder: string): PackageJson {
	return readJson(folder, 'package.json') as PackageJson;
}

/** The page of the repository that package.json names: `https://github.com/owner/name`. */
export function repositoryOf({ repository }: PackageJson): string {
	return (repository?.url ?? '').replace(/^git\+/, '').replace(/\.git$/, '');
}

/** Every place besides `repository` itself, with what follows from that. */
export function places(folder: string): Place[] {
	const { homepage, bugs, ...rest } = packageJson(folder);
	const page = repositoryOf(rest);
	return [
		{ file: 'package.json', name: 'homepage', value: homepage, expected: `${page}#readme` },
		{ file: 'package.json', name: 'bugs', value: bugs?.url, expected: `${page}/issues` },
		...documentationPlaces(folder).map((place) => ({
			...place,
			expected: `${page}${anchorOf(place.value)}`,
		})),
	];
}

/** Where n8n finds the documentation of the credential and of the nodes: parts of the README. */
export function documentationPlaces(folder: string): Omit<Place, 'expected'>[] {
	return [
		...globSync('credentials/*.credentials.ts', { cwd: folder }).map((file) => {
			const value = /documentationUrl = '(.*)'/.exec(readFileSync(join(folder, file), 'utf8'))?.[1];
			return { file, name: 'documentationUrl', value };
		}),
		...codexFiles(folder).flatMap((file) => {
			const { resources } = readJson(folder, file) as Codex;
			return Object.entries(resources).flatMap(([name, entries]) =>
				entries.map(({ url }) => ({ file, name, value: url })),
			);
		}),
	];
}

/** What n8n knows of a node besides its description: https://docs.n8n.io has its fields. */
export interface Codex {
	node: string;
	categories: string[];
	resources: Record<string, { url: string }[]>;
}

export function codexFiles(folder: string): string[] {
	return globSync('nodes/**/*.node.json', { cwd: folder }).sort();
}

/** With its `#`, or nothing. */
export function anchorOf(address = ''): string {
	return /#.*$/.exec(address)?.[0] ?? '';
}

export function readJson(folder: string, file: string): unknown {
	return JSON.parse(readFileSync(join(folder, file), 'utf8'));
}
