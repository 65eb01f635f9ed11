import { contestants, type Figure, type FurtherTable } from '../case.mts';
import { rounded, shown } from './numbers.mts';

/** What `--json` prints of a figure. */
export interface JsonFigure {
	name: string;
	ours: number | null;
	other: number | null;
	bound: number | null;
	ratio: number | null;
	unit: string;
}

/** Ours as a part of the other's, else of the bound; null where there is neither, or it is zero. */
export function ratio({ ours, other, bound }: Figure): number | null {
	return part(ours, other ?? bound);
}

/** What does not hold of what has to, in words: `at most 0.5 of HTTP Request`. Empty if all does. */
export function broken({ ours, other, bound, atMost }: Figure): string[] {
	if (!atMost) return [];
	// A product, so that nothing at all is at most a part of nothing; and NaN is never at most.
	const holds = (most: number, of: number | null) => of !== null && ours <= most * of;
	const promises: Array<[number | undefined, number | null, string]> = [
		[atMost.ours, 1, ''],
		[atMost.ofOther, other, ` of ${contestants.other}`],
		[atMost.ofBound, bound, ' of the bound'],
	];
	return promises.flatMap(([most, of, ending]) =>
		most === undefined || holds(most, of) ? [] : [`at most ${shown(most)}${ending}`],
	);
}

/** The figures of a case as a table. One that breaks its promise has a mark and what was allowed. */
export function figureTable(figures: Figure[]): FurtherTable {
	const breaks = figures.map(broken);
	const isBroken = breaks.some((one) => one.length > 0);
	const { ours, other } = contestants;
	const head = ['', ours, other, 'bound', `of ${other}`, 'of the bound', 'unit'];
	const rows = figures.map((figure, index) => [
		figure.name,
		figure.ours,
		figure.other ?? '–',
		figure.bound ?? '–',
		part(figure.ours, figure.other) ?? '–',
		part(figure.ours, figure.bound) ?? '–',
		figure.unit,
		...(isBroken ? [breaks[index].map((words) => `✗ ${words}`).join(', ')] : []),
	]);
	return { title: '', head: isBroken ? [...head, 'allowed'] : head, rows };
}

/** A figure as `--json` prints it. @param caseName as on the command line */
export function asJson(caseName: string, figure: Figure): JsonFigure {
	return {
		name: `${caseName}: ${figure.name}`,
		ours: rounded(figure.ours),
		other: rounded(figure.other),
		bound: rounded(figure.bound),
		ratio: rounded(ratio(figure)),
		unit: figure.unit,
	};
}

function part(value: number, of: number | null): number | null {
	return of === null || !Number.isFinite(value / of) ? null : value / of;
}
