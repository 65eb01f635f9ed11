import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { Figure, Plot } from '../../bench/case.mts';
import { document } from '../../bench/report/document.mts';
import { asJson, broken, figureTable, ratio } from '../../bench/report/figures.mts';
import { withHighlights } from '../../bench/report/highlights.mts';
import { rounded, shown, span } from '../../bench/report/numbers.mts';
import { readOptions } from '../../bench/report/options.mts';
import { decadesOfBars, decadesOfLines, ticks } from '../../bench/report/scales.mts';
import { merged, type StoredCase } from '../../bench/report/stored.mts';
import { inMarkdown } from '../../bench/report/tables.mts';

const figure: Figure = { name: 'time', ours: 30, other: 120, bound: 20, unit: 's' };

describe('a figure', () => {
	test('is compared with the other, else with the bound, else with nothing', () => {
		expect(ratio(figure)).toBe(0.25);
		expect(ratio({ ...figure, other: null })).toBe(1.5);
		expect(ratio({ ...figure, other: null, bound: null })).toBeNull();
		expect(ratio({ ...figure, other: 0 })).toBeNull();
	});

	test.each([
		[{}, []],
		[{ ours: 30, ofOther: 0.25, ofBound: 1.5 }, []],
		[{ ours: 29 }, ['at most 29']],
		[{ ofOther: 0.2 }, ['at most 0.2 of HTTP Request']],
		[{ ours: 29, ofBound: 1.4 }, ['at most 29', 'at most 1.4 of the bound']],
	])('that has to be %j breaks %j', (atMost, words) => {
		expect(broken({ ...figure, atMost })).toEqual(words);
	});

	test('breaks what is promised beside nothing, and keeps to nothing where the other has none', () => {
		expect(broken({ ...figure, other: null, atMost: { ofOther: 1 } })).toHaveLength(1);
		expect(broken({ ...figure, ours: NaN, atMost: { ours: 1 } })).toHaveLength(1);
		expect(broken({ ...figure, ours: 0, other: 0, atMost: { ofOther: 0.5 } })).toEqual([]);
	});

	test('has a mark and what was allowed in its table, only where a promise is broken', () => {
		const broke = { ...figure, atMost: { ours: 29 } };
		expect(figureTable([figure]).head).not.toContain('allowed');
		expect(figureTable([figure, broke]).rows.map((row) => row.at(-1))).toEqual([
			'',
			'✗ at most 29',
		]);
	});

	test('is printed as JSON with its case, and without NaN', () => {
		expect(asJson('sends', { ...figure, ours: 40.123456 })).toEqual({
			name: 'sends: time',
			ours: 40.12,
			other: 120,
			bound: 20,
			ratio: 0.3344,
			unit: 's',
		});
		const none = { ...figure, ours: 0, other: 0, bound: null };
		expect(JSON.parse(JSON.stringify(asJson('sends', none))).ratio).toBeNull();
	});
});

describe('numbers', () => {
	test.each([
		[1234567, '1,234,567'],
		[1234.5, '1,235'],
		[345.6, '346'],
		[0.0123456, '0.0123'],
		[0, '0'],
		[null, '–'],
		[NaN, '–'],
	])('%p is shown as %p', (value, words) => expect(shown(value)).toBe(words));

	test.each([
		[123456, 123456],
		[12345.6, 12346],
		[1.23456, 1.235],
		[Infinity, null],
	])('%p is %p in JSON', (value, inJson) => expect(rounded(value)).toBe(inJson));

	test('spans of time are in words', () => {
		expect([4_400, 65_000, 7_500_000].map(span)).toEqual(['4 s', '1 min 5 s', '2 h 5 min']);
	});

	test('a logarithmic axis is of powers of ten, and bars begin well below the least value', () => {
		expect(decadesOfBars([5, 4000])).toEqual({ from: 1, to: 4000 });
		expect(decadesOfBars([1, 0])).toEqual({ from: 0.1, to: 1 });
		expect(ticks(decadesOfLines([1000, 90_000]))).toEqual([1000, 10_000, 100_000]);
		expect(ticks({ from: 1, to: 30 })).toEqual([1, 2, 5, 10, 20]);
	});
});

describe('the document', () => {
	const run = async () => ({ figures: [] });
	const cases = {
		sends: { title: 'Sends', about: 'How.', run },
		sync: { title: 'Sync', about: 'Why.', run },
	};
	const stored = { figures: [figure], date: '2026-11-22' };
	const machine = { cpu: 'A CPU', cores: 2, memory: 8, system: 'Linux 6' };
	const one: StoredCase = { ...stored, n8n: '2.40.7', node: '24.21.0', machine };

	test('has tables with escaped cells and numbers to the right', () => {
		const table = { title: '', head: ['a|b', 'n'], rows: [['x\ny', 1234]] };
		expect(inMarkdown(table)).toBe('| a\\|b | n |\n| --- | ---: |\n| x y | 1,234 |\n');
	});

	test('keeps a case that was not run, in order, and drops one that there is no more', () => {
		const after = { ...one, date: '2026-11-23' };
		const all = merged(['first', 'second'], { gone: one, second: one }, { first: after });
		expect(Object.entries(all)).toEqual([
			['first', after],
			['second', one],
		]);
	});

	test('says of each case when and, where that differs, on what it was measured', () => {
		const elsewhere = { ...one, date: '2026-11-01', machine: { ...machine, cpu: 'Another CPU' } };
		const text = document(cases, { sends: one, sync: elsewhere }, 'benchmarks');
		expect(text).toContain('## Sends\n\nHow.\n');
		expect(text).toContain('| CPU | A CPU |');
		expect(text).toMatch(/2026-11-22 with .* 24\.21\.0\. `npm run bench -- sends`/);
		expect(text).toMatch(/2026-11-01 with .*, on another machine: Another CPU, 2 cores/);
	});

	test('shows a picture by the page it is on, with its data as alternative text', () => {
		const text = document(cases, { sends: { ...one, plots: [bars] } }, 'benchmarks');
		expect(text).toContain('srcset="benchmarks/waits.dark.svg"');
		expect(text).toContain('1 &lt; 2 &amp; &quot;3&quot;: CRM Workspace 5, HTTP Request 5,000');
	});
});

describe('what the project tells of itself', () => {
	const { cases: measured } = JSON.parse(readFileSync('docs/benchmarks.json', 'utf8'));

	test('is in the README what was measured', () => {
		const readme = readFileSync('README.md', 'utf8');
		expect(withHighlights(readme, measured)).toBe(readme);
	});

	test('is in the document what was measured, and what the cases say now', () => {
		const written = readFileSync('docs/benchmarks.md', 'utf8');
		expect(written).toBe(
			inModules(`
				import { readFileSync } from 'node:fs';
				import { cases } from './bench/cases.mts';
				import { document } from './bench/report/document.mts';
				const { cases: stored } = JSON.parse(readFileSync('docs/benchmarks.json', 'utf8'));
				process.stdout.write(document(cases, stored, 'benchmarks'));`),
		);
	});
});

describe('the command line', () => {
	const run = async () => ({ figures: [] });
	const known = {
		sends: { title: '', about: '', run },
		sync: { title: '', about: '', run, isLong: true },
	};
	const read = (...args: string[]) => readOptions(args, known);

	test('runs and writes all, and only shows named or quick ones', () => {
		expect(read()).toMatchObject({ names: ['sends', 'sync'], isWritten: true });
		expect(read('sync')).toMatchObject({ names: ['sync'], isWritten: false });
		expect(read('sync', '--write')).toMatchObject({ names: ['sync'], isWritten: true });
		expect(read('--quick')).toMatchObject({
			names: ['sends'],
			leftOut: ['sync'],
			isWritten: false,
		});
	});

	test('is refused in words', () => {
		expect(() => read('nap')).toThrow("There is no case 'nap'. There are: sends, sync");
		expect(() => read('--quick', '--write')).toThrow('leave out --quick or --write');
		expect(() => read('--quick', 'sync')).toThrow('Too long for a quick run: sync');
	});
});

const bars: Plot = {
	kind: 'bars',
	name: 'waits',
	title: 'Waits & more',
	values: 'seconds',
	isLogarithmic: true,
	bars: ['1 < 2 & "3"', 'second'].flatMap((group) => [
		{ group, series: 'CRM Workspace', value: 5, bound: 4 },
		{ group, series: 'HTTP Request', value: 5000, bound: 4 },
	]),
};

const lines: Plot = {
	kind: 'lines',
	name: 'growth',
	title: 'Growth',
	values: 'requests',
	along: 'rows',
	points: [10, 100].map((at) => ({ series: 'CRM Workspace', at, value: at / 10 })),
};

function draw(...plots: Plot[]): Record<string, string> {
	const program = `
		import { pictures } from './bench/report/plots.mts';
		const all = await Promise.all(JSON.parse(process.argv[1]).map(pictures));
		console.log(JSON.stringify(Object.fromEntries(all.flatMap((one) => [...one]))));`;
	return JSON.parse(inModules(program, JSON.stringify(plots)));
}

/** What a program prints, in a process of its own: Vega and n8n's engine are not loaded by Jest. */
function inModules(program: string, ...args: string[]): string {
	const flags = ['--input-type=module', '--eval', program, ...args];
	return execFileSync(process.execPath, flags, { encoding: 'utf8' });
}

describe('pictures', () => {
	const drawn = draw(bars, lines);

	test('are the same for the same figures, whatever was drawn before', () => {
		expect({ ...draw(lines), ...draw(bars) }).toEqual(drawn);
	});

	test('are there for light and dark pages, which differ', () => {
		const names = ['waits.light.svg', 'waits.dark.svg', 'growth.light.svg', 'growth.dark.svg'];
		expect(Object.keys(drawn)).toEqual(names);
		expect(new Set(Object.values(drawn)).size).toBe(4);
	});

	test('are well-formed, and as wide as they should be', () => {
		for (const svg of Object.values(drawn)) {
			expect(unclosed(svg)).toEqual([]);
			expect(svg).toContain('width="700"');
		}
	});

	test('name every group, series and value', () => {
		const words = ['Waits &amp; more', '1 &lt; 2 &amp; "3"', 'second', 'HTTP Request', '5,000'];
		for (const word of [...words, 'bound: the least possible']) {
			expect(drawn['waits.light.svg']).toContain(`>${word}</text>`);
		}
		expect(drawn['growth.dark.svg']).toContain('>rows</text>');
	});
});

/** The tags that are not closed in order, and what is neither tag nor text in well-formed XML. */
function unclosed(xml: string): string[] {
	const open: string[] = [];
	const rest = xml.replace(
		/<(\/?)([\w:]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/g,
		(_, end, tag, __, empty) => {
			if (end) {
				if (open.pop() !== tag) open.push(`/${tag}`);
			} else if (!empty) open.push(tag);
			return '';
		},
	);
	const stray = rest.match(/<|&(?!(?:amp|lt|gt|quot|apos|#\d+);)/g) ?? [];
	return [...open, ...stray];
}
