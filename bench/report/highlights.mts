import type { Figure } from '../case.mts';
import { shown, span } from './numbers.mts';
import type { Stored } from './stored.mts';
import { inMarkdown } from './tables.mts';

/** Where the README has them. */
const place = ['<!-- benchmarks -->', '<!-- end of benchmarks -->'] as const;

/** What the README tells, and by which figures: the name of the case, and that of the figure. */
const told: Array<{ words: string; figures: Array<[caseName: string, figure: string]> }> = [
	{
		words: 'All of 10,000 contacts, 50 ms for each answer',
		figures: [['list', '10,000 contacts, 50 ms: time']],
	},
	{
		words: 'Nightly sync of 10,000 rows, of which 200 changed (HTTP Request: a PUT for each row)',
		figures: [
			['sync', '10,000 rows, 200 changes: requests'],
			['sync', '10,000 rows, 200 changes: time'],
		],
	},
	{
		words: '300 messages, alone on the key',
		figures: [['sends', '300 sends alone: time']],
	},
	{
		words:
			'Two n8n that know nothing of one another, 300 messages each on one key, counted in the strictest way: never sent',
		figures: [['sends', '600 sends beside another process: not sent at the end']],
	},
];

/**
 * The README with the figures that it tells.
 * @throws an Error when it has no place for them, or a figure was not measured
 */
export function withHighlights(readme: string, stored: Stored): string {
	const [begin, end] = place;
	const [before, after] = [readme.split(begin)[0], readme.split(end)[1]];
	if (after === undefined) throw new Error(`The README has no ${place.join(' … ')}`);
	return `${before}${begin}\n\n${highlights(stored)}\n${end}${after}`;
}

function highlights(stored: Stored): string {
	const rows = told.map(({ words, figures }) => {
		const all = figures.map(([caseName, name]) => figureOf(stored, caseName, name));
		const cell = (who: 'ours' | 'other') => all.map((figure) => inWords(figure, who)).join(', ');
		return [words, cell('ours'), cell('other')];
	});
	return inMarkdown({ title: '', head: ['', 'this node', 'HTTP Request'], rows });
}

function figureOf(stored: Stored, caseName: string, name: string): Figure {
	const figure = stored[caseName]?.figures.find((one) => one.name === name);
	if (!figure)
		throw new Error(`The README tells '${name}' of '${caseName}', which was not measured`);
	return figure;
}

function inWords(figure: Figure, who: 'ours' | 'other'): string {
	const value = figure[who];
	if (value === null || figure.unit === 'messages') return shown(value);
	if (figure.unit === 's' && value >= 60) return span(value * 1000);
	return `${shown(value)} ${figure.unit}`;
}
