import { compareVersions } from '../../playground/versions.mts';
import { replaceBlock } from '../../tools/markdown/block.mts';
import type { Figure } from '../case.mts';
import { drawChart, schemes } from './chart.mts';
import { shown, span } from './numbers.mts';
import type { Stored } from './stored.mts';
import { inMarkdown } from './tables.mts';

/** A row of the table. The README quotes some. */
type Row = [isQuoted: boolean, words: string, caseName: string, ...figures: string[]];

const rows: Row[] = [
	[true, 'Return All: 10,000 contacts, 50 ms per response', 'list', '10,000 contacts, 50 ms: time'],
	[
		false,
		'Return All: 100,000 contacts (time, memory)',
		'list',
		'100,000 contacts, 50 ms: time',
		'100,000 contacts, 50 ms: memory added',
	],
	[
		false,
		'Return All: 10,000 contacts, 20 pages simultaneously',
		'list',
		'10,000 contacts, 50 ms, 20 pages at a time: time',
	],
	[
		true,
		'Nightly sync: 10,000 rows, 200 changed (HTTP Request: PUT per row)',
		'sync',
		'10,000 rows, 200 changes: requests',
		'10,000 rows, 200 changes: time',
	],
	[false, 'Nightly sync: no row changed', 'sync', '10,000 rows, 0 changes: requests'],
	[false, 'Nightly sync: all rows changed', 'sync', '10,000 rows, 10,000 changes: requests'],
	[true, '300 messages', 'sends', '300 sends alone: time'],
	[false, '60 messages', 'atOnce', '60 sends, 5 at a time: time'],
	[
		true,
		'Two n8n processes, unaware of each other, 300 messages each: never sent',
		'sends',
		'600 sends beside another process: not sent at the end',
	],
	[
		false,
		'Eight n8n processes, number configured, 2,400 messages',
		'processes',
		'8 processes, declared: time',
	],
	[
		false,
		'Urgent messages during a sync: failed',
		'urgent',
		'HTTP Request at 60 a minute: sends that failed',
	],
	[
		false,
		'Urgent messages, HTTP Request syncs slower: longest wait',
		'urgent',
		'HTTP Request at 50 a minute: wait, longest',
	],
	[false, 'CPU time per message', 'computing', 'sends: CPU time of an item'],
	[
		false,
		'Trigger poll without events, 10,000 contacts',
		'trigger',
		'10,000 contacts, by update, newest first: a poll in which nothing happened',
	],
];

/** For each figure with this ending, a bar of each node. */
const charts = [
	{
		file: 'return-all-time',
		title: 'Return All: time in seconds (logarithmic scale)',
		figures: ['list', ' ms: time'],
		isLogarithmic: true,
	},
	{
		file: 'return-all-memory',
		title: 'Return All: memory added to n8n at its peak, in MB',
		figures: ['list', ' ms: memory added'],
	},
	{ file: 'sync-requests', title: 'Nightly sync: requests', figures: ['sync', ': requests'] },
];

/** The page, or the README, with the rows of its table. */
export function withFigures(markdown: string, stored: Stored, isReadme = false): string {
	const shownRows = rows.filter(([isQuoted]) => isQuoted || !isReadme);
	const cells = shownRows.map(([, words, caseName, ...figures]) => {
		const found = figures.map((name) => findFigure(stored, caseName, name));
		const cell = (who: 'ours' | 'other') => found.map((figure) => inWords(figure, who)).join(', ');
		return [words, cell('ours'), cell('other')];
	});
	const table = inMarkdown({ title: '', head: ['', 'This node', 'HTTP Request'], rows: cells });
	return replaceBlock(markdown, 'benchmarks', isReadme ? table : `${table}\n${measured(stored)}`);
}

/** The files of the charts and their SVG. */
export function drawCharts(stored: Stored): Map<string, string> {
	const drawn = charts.flatMap(({ file, title, figures: [caseName, ending], isLogarithmic }) => {
		const figures = stored[caseName].figures.filter(({ name }) => name.endsWith(ending));
		return schemes.map(
			(scheme) =>
				[`${file}.${scheme}.svg`, drawChart(title, figures, scheme, isLogarithmic)] as const,
		);
	});
	return new Map(drawn);
}

function measured(stored: Stored): string {
	const between = (what: 'date' | 'n8n' | 'node') => {
		const all = Object.values(stored).map((one) => one[what]);
		const [first, last] = [all.sort(compareVersions)[0], all.at(-1)];
		return first === last ? first : `${first} to ${last}`;
	};
	const versions = `n8n ${between('n8n')} and Node.js ${between('node')}`;
	return `Measured ${between('date')} with ${versions}.`;
}

function findFigure(stored: Stored, caseName: string, name: string): Figure {
	const figure = stored[caseName]?.figures.find((one) => one.name === name);
	if (!figure) throw new Error(`'${name}' of '${caseName}' was not measured`);
	return figure;
}

function inWords(figure: Figure, who: 'ours' | 'other'): string {
	const value = figure[who];
	if (value === null || figure.unit === 'messages') return shown(value);
	if (figure.unit === 's' && value >= 60) return span(value * 1000);
	return value === 1 && figure.unit === 'requests' ? '1 request' : `${shown(value)} ${figure.unit}`;
}
