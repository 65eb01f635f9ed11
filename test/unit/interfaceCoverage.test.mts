import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { citationsIn } from '../../tools/interface/citations.mts';
import {
	coverageOfProject,
	variantsByStatement,
	statementsIn,
} from '../../tools/interface/coverage.mts';

describe('of this project', () => {
	const { statements, problems } = coverageOfProject();

	test('every statement has a test, and every citation a statement', () => {
		expect(statements.length).toBeGreaterThan(100);
		expect(problems).toEqual([]);
	});

	test('every variant of the sandbox is of statements that there are', () => {
		const known = statements.map(({ id }) => id);
		const cited = Object.values(variantsByStatement()).flat();
		expect(cited.filter((id) => !known.includes(id))).toEqual([]);
	});

	test('what is not told names the variants of it', () => {
		const byStatement = Object.entries(variantsByStatement());
		for (const { id, text } of statements.filter((one) => one.id.startsWith('OPEN'))) {
			const variants = byStatement.filter(([, ids]) => ids.includes(id)).map(([name]) => name);
			const [, named = ''] = text.split('Variants: ');
			expect([id, ...named.matchAll(/\w+/g)].map(String)).toEqual([id, ...variants]);
		}
	});
});

describe('a citation', () => {
	const found = (text: string, file = 'test/unit/example.test.mts') => citationsIn(file, text);

	test('is of the test below it, with the titles of its groups', () => {
		const text = `
			describe.each(names)('a list', () => {
				const other = 1;
				// Why it is so. Interface: LIST-1,
				// LIST-2.
				test.each([[1]])('comes in %d', () => {});
			});`;
		expect(found(text)).toEqual([
			expect.objectContaining({
				ids: ['LIST-1', 'LIST-2'],
				name: 'a list › comes in %d',
				isTest: true,
			}),
		]);
	});

	test.each([
		['/** Interface: LIST-1. */\nexport const limits = 1;', 'limits'],
		['/**\n * Lists.\n *\n * Interface: LIST-1.\n */\nasync function list() {}', 'list'],
		['export interface Page {\n\t/** Interface: LIST-1. */\n\trecords: [];\n}', 'Page.records'],
		['const a = {\n\t// Interface: LIST-1.\n\tb: 1,\n};', 'a.b'],
		['class Judge {\n\t/** Interface: LIST-1. */\n\t#check() {}\n}', 'Judge.#check'],
	])('is of the declaration below it: %s', (text, name) => {
		expect(found(text)).toEqual([
			{ ids: ['LIST-1'], file: 'test/unit/example.test.mts', name, isTest: false },
		]);
	});

	test('is none in a text', () => {
		expect(found("const text = '// Interface: LIST-1.';")).toEqual([]);
	});

	test.each([
		'// Interface: LIST-1\ntest("a", () => {});',
		'// Interface: LIST-1 LIST-2.\ntest("a", () => {});',
		'// Interface LIST-1.\ntest("a", () => {});',
		'// interface: LIST-1.\ntest("a", () => {});',
	])('in another form is an error: %s', (text) => {
		expect(() => found(text)).toThrow('example.test.mts cites in another form');
	});

	test.each([
		'// Interface: LIST-1.\nlist();',
		'describe("a", () => {\n\ttest("b", () => {});\n\t// Interface: LIST-1.\n});',
		'test("a", () => {});\n// Interface: LIST-1.',
	])('above nothing that has a name is an error: %s', (text) => {
		expect(() => found(text)).toThrow('is neither a test nor named');
	});
});

test('two statements with one id are an error', () => {
	expect(() => statementsIn('- **LIST-1** One.\n- **LIST-1** Two.')).toThrow('LIST-1');
});

describe('the script', () => {
	const documented =
		'## LIST: lists\n- **LIST-1** There are pages.\n- **LIST-2** They are small.\n';
	const tested = "// Interface: LIST-1.\ntest('has pages', () => {});\n";

	test('shows, counts, and names what has no test and what is no statement', () => {
		const { status, stdout, stderr } = run({
			'docs/interface.md': documented,
			'nodes/list.ts': '/** Interface: LIST-2. */\nexport const size = 1;\n',
			'sandbox/list.mts': '/** Interface: LIST-3. */\nexport const size = 1;\n',
			'test/list.test.mts': tested,
			'test/support/list.mts': '/** Interface: LIST-2. */\nexport const size = 1;\n',
		});
		expect(stdout).toMatch(/LIST-1 +│ +│ test\/list\.test\.mts: 1 /);
		expect(stdout).toMatch(/LIST-2 +│ nodes\/list\.ts: size +│ +│/);
		expect(stdout).toMatch(/2 statements, 1 with a test\n$/);
		expect(stderr).toBe(
			'LIST-2 has no test\nno statement has the id in sandbox/list.mts: LIST-3\n',
		);
		expect(status).toBe(1);
	});

	test('takes a rule of a judge for a test, and is content when nothing is missing', () => {
		const { status, stdout, stderr } = run({
			'docs/interface.md': documented,
			'test/list.test.mts': tested,
			'test/models/lists/judge.mts': '/** Interface: LIST-2. */\nfunction checkSize() {}\n',
		});
		expect([status, stderr]).toEqual([0, '']);
		expect(stdout).toMatch(/2 statements, 2 with a test\n$/);
	});
});

/** Runs the script in a folder with these files. */
function run(files: Record<string, string>) {
	const folder = mkdtempSync(join(tmpdir(), 'interface-'));
	try {
		for (const [file, text] of Object.entries(files)) {
			mkdirSync(dirname(join(folder, file)), { recursive: true });
			writeFileSync(join(folder, file), text);
		}
		const script = resolve('tools/interface/coverage.mts');
		return spawnSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' });
	} finally {
		rmSync(folder, { recursive: true });
	}
}
