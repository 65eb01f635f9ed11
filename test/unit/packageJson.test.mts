import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { versions } from '../../playground/versions.mts';

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const needed = ({ dependencies, devDependencies }: any): Record<string, string> => ({
	...dependencies,
	...devDependencies,
});

describe.each(['.', 'playground'])('every dependency of %s', (folder) => {
	const dependencies = needed(read(`${folder}/package.json`));
	const lock = read(`${folder}/package-lock.json`).packages;

	test('is pinned to one version', () => {
		const loose = Object.entries(dependencies).filter(([, it]) => !/^\d+\.\d+\.\d+$/.test(it));
		expect(Object.keys(dependencies).length).toBeGreaterThan(0);
		expect(loose).toEqual([]);
	});

	test('is in the lock file as it is in package.json', () => {
		const locked = Object.keys(dependencies).map((name) => [
			name,
			lock[`node_modules/${name}`]?.version,
		]);
		expect(Object.fromEntries(locked)).toEqual(dependencies);
		expect(needed(lock[''])).toEqual(dependencies);
	});
});

test('n8n is pinned in one place: its engine and the documents follow', () => {
	const { n8n } = read('playground/package.json').dependencies;
	const { packages } = read('playground/package-lock.json');
	const { devDependencies } = read('package.json');
	for (const name of ['n8n-core', 'n8n-workflow']) {
		expect(devDependencies[name]).toBe(packages['node_modules/n8n'].dependencies[name]);
	}
	for (const file of ['README.md', 'docs/compatibility.md']) {
		expect(readFileSync(file, 'utf8')).toContain(n8n);
	}
});

test('README names every n8n that the tests run in', () => {
	const readme = readFileSync('README.md', 'utf8');
	for (const { n8n } of versions) expect(readme).toContain(n8n);
});

test('the oldest Node.js is the same for the package and for its set-up', () => {
	const oldest = /^const oldestNode = (\d+);$/m.exec(readFileSync('tools/setup.mjs', 'utf8'))?.[1];
	expect(read('package.json').engines).toEqual({ node: `>=${oldest}` });
	expect(read('package-lock.json').packages[''].engines).toEqual({ node: `>=${oldest}` });
});

test('every install script of a dependency is allowed or, all but one, refused', () => {
	const { packages } = read('package-lock.json');
	const withScripts = Object.entries<any>(packages)
		.filter(([, { hasInstallScript }]) => hasInstallScript)
		.map(([path]) => path.replace(/^.*node_modules\//, ''));
	const { allowScripts } = read('package.json');
	expect(Object.keys(allowScripts).sort()).toEqual([...new Set(withScripts)].sort());
	expect(Object.entries(allowScripts).filter(([, allowed]) => allowed)).toEqual([['node', true]]);
});
