import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from '@jest/globals';

const root = 'nodes/CrmWorkspace';

/** Floors from the top down: imports lead to the same or a lower one. */
const floors = [
	['node'],
	['operations', 'trigger'],
	['parameters'],
	['n8n'],
	['api'],
	['client'],
	['common'],
];

/** The floor of a file. */
function floorOf(file: string): number {
	const [top, ...below] = relative(root, file).split('/');
	if (below.length === 0) return 0;
	return floors.findIndex((names) => names.includes(top));
}

function importsOf(file: string): string[] {
	const text = readFileSync(file, 'utf8');
	return [...text.matchAll(/from '(\.[^']+)'/g)].map(([, path]) => join(dirname(file), path));
}

test.each(globSync(`${root}/**/*.ts`))('%s imports from no floor above its own', (file) => {
	expect(floorOf(file)).toBeGreaterThanOrEqual(0);
	expect(importsOf(file).filter((other) => floorOf(other) < floorOf(file))).toEqual([]);
});

test.each(globSync(`${root}/{api,client,common}/**/*.ts`))('%s knows nothing of n8n', (file) => {
	const text = readFileSync(file, 'utf8');
	const packages = [...text.matchAll(/^(?:import|export|\}).* from '([^.'][^']*)';$/gm)].map(
		([, name]) => name,
	);
	expect(packages.filter((name) => name !== 'crypto')).toEqual([]);
});

test('no operation and no poll knows an operation beside it', () => {
	const folders = ['list', 'sendTransactionalEmail', 'updateContact'];
	for (const folder of folders) {
		const others = folders.filter((one) => one !== folder).map((one) => `operations/${one}/`);
		const files = globSync(`${root}/operations/${folder}/*.ts`);
		const reached = files
			.flatMap(importsOf)
			.filter((path) => others.some((one) => path.includes(one)));
		expect(reached).toEqual([]);
	}
});
