import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { drawCharts } from '../../bench/report/chart.mts';
import { withFigures } from '../../bench/report/page.mts';

const read = (file: string) => readFileSync(file, 'utf8');
const stored = JSON.parse(read('docs/benchmarks.json'));
const page = read('docs/benchmarks.md');
const readme = read('README.md');

test('the page and the README show the stored figures', () => {
	expect(withFigures(page, stored, false)).toBe(page);
	expect(withFigures(readme, stored, true)).toBe(readme);
});

test('the page shows all charts, drawn from the stored figures', () => {
	const charts = drawCharts(stored);
	expect(readdirSync('docs/benchmarks').sort()).toEqual([...charts.keys()].sort());
	for (const [file, svg] of charts) {
		expect(page).toContain(`(benchmarks/${file})`);
		expect(read(`docs/benchmarks/${file}`)).toBe(svg);
	}
});
