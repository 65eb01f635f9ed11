import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { Figure } from '../../bench/case.mts';
import { drawChart } from '../../bench/report/chart.mts';
import { asJson, broken, figureTable, ratio } from '../../bench/report/figures.mts';
import { rounded, shown, span } from '../../bench/report/numbers.mts';
import { readOptions } from '../../bench/report/options.mts';
import { drawCharts, withFigures } from '../../bench/report/page.mts';
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
});

test('tables for Markdown escape their cells, and have numbers to the right', () => {
	const table = { title: '', head: ['a|b', 'n'], rows: [['x\ny', 1234]] };
	expect(inMarkdown(table)).toBe('| a\\|b | n |\n| --- | ---: |\n| x y | 1,234 |\n');
});

test('a case that was not run keeps its figures, in order, and a removed one goes', () => {
	const one: StoredCase = {
		...{ figures: [figure], date: '2026-11-22', n8n: '2.40.7', node: '24.21.0' },
		machine: { cpu: 'A CPU', cores: 2, memoryGb: 8, system: 'Linux 6' },
	};
	const after = { ...one, date: '2026-11-23' };
	const all = merged(['first', 'second'], { gone: one, second: one }, { first: after });
	expect(Object.entries(all)).toEqual([
		['first', after],
		['second', one],
	]);
});

describe('the pages', () => {
	const { cases } = JSON.parse(readFileSync('docs/benchmarks.json', 'utf8'));
	const page = readFileSync('docs/benchmarks.md', 'utf8');
	const pictures = drawCharts(cases);

	test('have the stored figures', () => {
		expect(withFigures(page, cases)).toBe(page);
	});

	test('have a part of them in the README', () => {
		const readme = readFileSync('README.md', 'utf8');
		expect(withFigures(readme, cases, true)).toBe(readme);
	});

	test('show all charts, drawn from the stored figures', () => {
		expect(readdirSync('docs/benchmarks').sort()).toEqual([...pictures.keys()].sort());
		for (const [name, svg] of pictures) {
			expect(page).toContain(`"benchmarks/${name}"`);
			expect(readFileSync(`docs/benchmarks/${name}`, 'utf8')).toBe(svg);
		}
	});
});

describe('a chart', () => {
	const figures = [
		{ ...figure, name: '1 < 2 & 3: time' },
		{ ...figure, ours: 1000, other: null },
	];
	const widths = (isLogarithmic: boolean) => {
		const svg = drawChart('Waits & more', figures, 'light', isLogarithmic);
		return Array.from(svg.matchAll(/width="(\d+)" height="16"/g), ([, width]) => Number(width));
	};

	test('names its title, groups, nodes and values', () => {
		const svg = drawChart('Waits & more', figures, 'light');
		const words = ['Waits &amp; more', '1 &lt; 2 &amp; 3', 'time', 'HTTP Request', '1,000', '–'];
		for (const word of words) expect(svg).toContain(`>${word}</text>`);
	});

	test('has bars as long as the values or, on a logarithmic scale, their powers of ten', () => {
		const [ours, other, most, none] = widths(false);
		expect([ours / most, other / most, none]).toEqual([
			expect.closeTo(0.03, 2),
			expect.closeTo(0.12, 2),
			0,
		]);
		expect(widths(true)[0] / widths(true)[2]).toBeCloseTo(1 - Math.log10(1000 / 30) / 2, 2);
	});
});

describe('the command line', () => {
	const run = async () => ({ figures: [] });
	const known = {
		sends: { title: '', run },
		sync: { title: '', run, isLong: true },
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

	test('writes the pages without running anything', () => {
		expect(read('--page')).toMatchObject({ names: [], isWritten: true });
	});

	test('is refused in words', () => {
		expect(() => read('nap')).toThrow("There is no case 'nap'. There are: sends, sync");
		expect(() => read('--quick', '--write')).toThrow('leave out --quick or --write');
		expect(() => read('--quick', 'sync')).toThrow('Too long for a quick run: sync');
	});
});
