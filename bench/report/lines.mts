import type { TopLevelSpec } from 'vega-lite';
import type { Lines } from '../case.mts';
import { decadesOfLines, ticks } from './scales.mts';
import { colours, columns, config, inks, titleLines, type Scheme } from './theme.mts';

const shapes = ['circle', 'square', 'triangle-up', 'diamond', 'triangle-down', 'cross'];

/** The Vega-Lite of a line with points for each series. */
export function linesSpec(plot: Lines, scheme: Scheme, width: number): TopLevelSpec {
	const { points, isLogarithmic } = plot;
	const series = [...new Set(points.map((point) => point.series))];
	const axisOf = isLogarithmic ? logarithmic : linear;
	return {
		data: { values: points },
		width,
		height: 360,
		autosize: { type: 'fit', contains: 'padding' },
		padding: { left: 8, top: 8, bottom: 8, right: 28 },
		title: { text: titleLines(plot.title, width - 16), subtitle: subtitle(plot) },
		config: config(scheme),
		mark: {
			type: 'line',
			strokeWidth: 2.5,
			point: { size: 75, filled: true, opacity: 1, stroke: inks[scheme].page, strokeWidth: 1 },
		},
		encoding: {
			x: {
				field: 'at',
				type: 'quantitative',
				...axisOf(
					points.map(({ at }) => at),
					{ title: plot.along, grid: false },
				),
			},
			y: {
				field: 'value',
				type: 'quantitative',
				...axisOf(
					points.map(({ value }) => value),
					{ title: null, domain: false, ticks: false, labelPadding: 12 },
				),
			},
			color: {
				field: 'series',
				scale: { domain: series, range: colours(series, scheme) },
				legend: { symbolSize: 90, columns: columns(series, width - 80) },
			},
			shape: { field: 'series', scale: { domain: series, range: shapes } },
		},
	} as TopLevelSpec;
}

function subtitle({ values, isLogarithmic }: Lines): string {
	return isLogarithmic ? `${values}, both scales logarithmic` : values;
}

function logarithmic(values: number[], looks: object) {
	const decades = decadesOfLines(values);
	const scale = { type: 'log', domain: [decades.from, decades.to], nice: false };
	return { scale, axis: { format: ',~r', values: ticks(decades), ...looks } };
}

function linear(_values: number[], looks: object) {
	return { scale: { zero: true, nice: true }, axis: { format: ',~r', tickCount: 6, ...looks } };
}
