import { describe, expect, test } from '@jest/globals';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

	test('is locked for every platform, without which npm ci refuses', () => {
		const locked = new Set(Object.keys(lock).map((path) => path.split('node_modules/').at(-1)));
		const optional = Object.values<any>(lock).flatMap(({ optionalDependencies = {} }) =>
			Object.keys(optionalDependencies),
		);
		expect(optional.filter((name) => !locked.has(name))).toEqual([]);
	});
});

test('each tool has a use: something names it or its command, or needs it beside itself', () => {
	const { devDependencies, scripts } = read('package.json');
	const { packages } = read('package-lock.json');
	const folders = '{.github,bench,credentials,nodes,playground,sandbox,test,tools}/**/*';
	const files = globSync([`${folders}.{ts,mts,mjs,yml}`, '*.{js,mjs}']);
	const text = files.map((file) => readFileSync(file, 'utf8')).join('\n');
	const commands = Object.values(scripts).join(' && ');

	const isNamed = (name: string) => new RegExp(`['"/]${name}['"/]`).test(text);
	const isCommand = (name: string) => new RegExp(`(^|&& |--use )${name}[ =]`).test(commands);
	const inLock = (name: string) => packages[`node_modules/${name}`];
	const isUsed = (name: string) =>
		[name, ...Object.keys(inLock(name).bin ?? {})].some((it) => isNamed(it) || isCommand(it));
	const isTypes = (name: string) => {
		const typed = name.replace('@types/', '');
		return typed !== name && (typed in devDependencies || typed === 'node');
	};
	const isPeer = (name: string) =>
		Object.keys(devDependencies).some((other) => name in (inLock(other).peerDependencies ?? {}));
	const tools = Object.keys(devDependencies);
	expect(tools.filter((name) => !isUsed(name) && !isTypes(name) && !isPeer(name))).toEqual([]);
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
	for (const file of globSync('{*,docs/*}.md')) {
		const html = readFileSync(file, 'utf8').matchAll(/<\w[^>]* (?:src|srcset|href)="([^":#]+)"/g);
		for (const [, path] of html)
			expect([file, existsSync(join(dirname(file), path))]).toEqual([file, true]);
	}
});
