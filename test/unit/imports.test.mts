import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from '@jest/globals';

const root = 'nodes/CrmWorkspace';

/** Floors below the nodes, counted downwards: imports lead to the same or a lower one. */
const floors = { operations: 1, trigger: 1, parameters: 2, n8n: 3, api: 4, client: 5, common: 6 };

/** The floor of a file; undefined in a folder that has none. */
function floorOf(file: string): number | undefined {
	const [folder, ...below] = relative(root, file).split('/');
	return below.length === 0 ? 0 : floors[folder as keyof typeof floors];
}

/** What a file imports: files of this package by their path, packages by their name. */
function importsOf(file: string): string[] {
	const text = readFileSync(file, 'utf8');
	return [...text.matchAll(/^(?:import|export|\}).* from '(.+)';$/gm)].map(([, name]) =>
		name.startsWith('.') ? join(dirname(file), name) : name,
	);
}

test.each(globSync(`${root}/**/*.ts`))('%s imports from no floor above its own', (file) => {
	const floor = floorOf(file);
	const own = importsOf(file).filter((name) => name.startsWith(root));
	expect(floor).toBeDefined();
	expect(own.filter((other) => floorOf(other)! < floor!)).toEqual([]);
});

test.each(globSync(`${root}/{api,client,common}/**/*.ts`))('%s knows nothing of n8n', (file) => {
	const packages = importsOf(file).filter((name) => !name.startsWith(root));
	expect(packages.filter((name) => name !== 'crypto')).toEqual([]);
});

const operations = ['list', 'sendTransactionalEmail', 'updateContact'].map(
	(name) => `${root}/operations/${name}`,
);

test.each(operations)('%s knows no operation beside it', (own) => {
	const others = operations.filter((one) => one !== own);
	const reached = globSync(`${own}/*.ts`).flatMap(importsOf);
	expect(reached.length).toBeGreaterThan(0);
	expect(reached.filter((name) => others.some((one) => name.startsWith(one)))).toEqual([]);
});
