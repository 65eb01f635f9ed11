import type { TopLevelSpec } from 'vega-lite';
import type { Bars } from '../case.mts';
import { shown } from './numbers.mts';
import { decadesOfBars, ticks } from './scales.mts';
import { colours, columns, config, inks, textWidth, titleLines, type Scheme } from './theme.mts';

const barHeight = 18;
const labelSize = 12;
const bound = 'bound: the least possible';

/** The Vega-Lite of grouped bars with their values, and a line across each where its bound is. */
export function barsSpec(plot: Bars, scheme: Scheme, width: number): TopLevelSpec {
	const series = [...new Set(plot.bars.map((bar) => bar.series))];
	const groups = [...new Set(plot.bars.map((bar) => bar.group))];
	const { x, from } = along(plot);
	const rows = {
		y: { field: 'group', type: 'nominal', sort: groups, axis: groupAxis, scale: gaps },
		yOffset: { field: 'series', sort: series },
	} as const;
	const values = plot.bars.map((bar) => ({
		...bar,
		value: Math.max(bar.value, from),
		end: Math.max(bar.value, bar.bound ?? from, from),
		label: shown(bar.value),
	}));
	return {
		data: { values },
		width,
		height: heightOf(groups.length, series.length),
		autosize: { type: 'fit-x', contains: 'padding' },
		padding: 8,
		title: { text: titleLines(plot.title, width - 16), subtitle: subtitle(plot) },
		config: config(scheme),
		layer: [
			{
				mark: { type: 'bar', height: barHeight - 2 },
				encoding: { ...rows, x, x2: { datum: from }, color: colour(plot, series, scheme, width) },
			},
			...boundLayers(plot, rows, scheme),
			{
				mark: { type: 'text', align: 'left', dx: 7, fontSize: labelSize, color: inks[scheme].text },
				encoding: { ...rows, x: { field: 'end', type: 'quantitative' }, text: { field: 'label' } },
			},
		],
	} as TopLevelSpec;
}

const groupAxis = { title: null, ticks: false, domain: false, labelPadding: 10 };
const gaps = { paddingInner: 0.35, paddingOuter: 0.15 };

/** Pixels in which every bar has its height. A height in steps would do, but not with a fixed width. */
function heightOf(groups: number, series: number): number {
	const { paddingInner, paddingOuter } = gaps;
	const step = (series * barHeight) / (1 - paddingInner);
	return Math.round(step * (groups - paddingInner + 2 * paddingOuter));
}

function subtitle({ values, isLogarithmic }: Bars): string {
	return isLogarithmic ? `${values}, logarithmic scale` : values;
}

/** The axis of the values, which leaves room for the longest label, and where its bars begin. */
function along({ bars, isLogarithmic }: Bars) {
	const all = bars.flatMap(({ value, bound }) => (bound === undefined ? [value] : [value, bound]));
	const room = Math.max(...bars.map(({ value }) => textWidth(shown(value), labelSize))) + 14;
	const decades = isLogarithmic ? decadesOfBars(all) : { from: 0, to: Math.max(...all, 1e-9) };
	const scale = {
		type: isLogarithmic ? 'log' : 'linear',
		domain: [decades.from, decades.to],
		nice: false,
		range: [0, { expr: `width - ${Math.ceil(room)}` }],
	};
	const lines = isLogarithmic ? { values: ticks(decades) } : { tickCount: 5 };
	const axis = { title: null, domain: false, ticks: false, format: ',~r', ...lines };
	return { x: { field: 'value', type: 'quantitative', scale, axis }, from: decades.from };
}

function colour({ bars }: Bars, series: string[], scheme: Scheme, width: number) {
	const hasBounds = bars.some((bar) => bar.bound !== undefined);
	if (series.length === 1 && !hasBounds) return { value: colours(series, scheme)[0] };
	const [domain, range] = [[...series], colours(series, scheme)];
	if (hasBounds) {
		domain.push(bound);
		range.push(inks[scheme].text);
	}
	const labels = bars.map(({ group }) => textWidth(group, labelSize));
	const room = width - Math.max(...labels) - 40;
	return {
		field: 'series',
		scale: { domain, range },
		legend: { ...legend, columns: columns(domain, room) },
	};
}

/** The entry of the bound is drawn as what it stands for: a line. */
const shape = { signal: `datum.value === '${bound}' ? 'M-.2-1.2h.4v2.4h-.4z' : 'square'` };
const legend = {
	symbolSize: 130,
	symbolStrokeWidth: 0,
	encoding: { symbols: { shape: { value: shape } } },
};

/** A line across each bar that has a bound, with an edge that keeps it apart from the bar. */
function boundLayers({ bars }: Bars, rows: object, scheme: Scheme): object[] {
	if (bars.every((bar) => bar.bound === undefined)) return [];
	const x = { field: 'bound', type: 'quantitative' };
	const stroke = (thickness: number, size: number, color: string) => ({
		transform: [{ filter: 'isValid(datum.bound)' }],
		mark: { type: 'tick', orient: 'vertical', thickness, size, color },
		encoding: { ...rows, x },
	});
	const { page, text } = inks[scheme];
	return [stroke(5, barHeight, page), stroke(2.5, barHeight + 2, text)];
}
