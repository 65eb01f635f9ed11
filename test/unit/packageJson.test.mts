import { expect, test } from '@jest/globals';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { versions } from '../../playground/versions.mts';

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

test.each(['.', 'playground'])('every dependency of %s is pinned to one version', (folder) => {
	const { dependencies, devDependencies } = read(`${folder}/package.json`);
	const all = Object.entries<string>({ ...dependencies, ...devDependencies });
	expect(all.length).toBeGreaterThan(0);
	expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

test('n8n is pinned in one place: its engine follows, and README names all that the tests run in', () => {
	const { n8n } = read('playground/package.json').dependencies;
	const { packages } = read('playground/package-lock.json');
	const { devDependencies } = read('package.json');
	for (const name of ['n8n-core', 'n8n-workflow']) {
		expect(devDependencies[name]).toBe(packages['node_modules/n8n'].dependencies[name]);
	}
	expect(readFileSync('docs/compatibility.md', 'utf8')).toContain(n8n);
	const readme = readFileSync('README.md', 'utf8');
	expect(versions.filter((version) => !readme.includes(version.n8n))).toEqual([]);
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

test("n8n's links to the documentation are the page on npm, which is the README, and parts of it", () => {
	const page = `https://www.npmjs.com/package/${read('package.json').name}`;
	const codex = globSync('nodes/**/*.node.json').flatMap((file) =>
		Object.values<Array<{ url: string }>>(read(file).resources).flat(),
	);
	const credential = readFileSync('credentials/CrmWorkspaceApi.credentials.ts', 'utf8');
	const [, ofCredential] = /documentationUrl = '(.*)'/.exec(credential)!;
	const headings = readFileSync('README.md', 'utf8').match(/(?<=^#+ ).+$/gm)!;
	const anchors = headings.map((text) => `#${text.toLowerCase().replaceAll(' ', '-')}`);
	for (const url of [ofCredential, ...codex.map((one) => one.url)]) {
		expect(['', ...anchors].map((anchor) => page + anchor)).toContain(url);
	}
});

test('pictures and links in HTML of the documents lead to files', () => {
	const paths = globSync('{*,docs/*}.md').flatMap((file) => {
		const html = readFileSync(file, 'utf8').matchAll(/<\w[^>]* (?:src|srcset|href)="([^":#]+)"/g);
		return Array.from(html, ([, path]) => join(dirname(file), path));
	});
	expect(paths).not.toEqual([]);
	expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});
