import * as vega from 'vega';
import { compile } from 'vega-lite';
import type { Plot } from '../case.mts';
import { barsSpec } from './bars.mts';
import { linesSpec } from './lines.mts';
import { schemes, textWidth, type Scheme } from './theme.mts';

/** Pixels: what fits beside the margins of a page on GitHub. */
const width = 700;

// Without a canvas Vega takes every letter for a wide one, and leaves gaps where the text has ended.
Object.assign((vega as unknown as { textMetrics: object }).textMetrics, {
	width: (item: { fontSize?: number }, text: unknown) =>
		textWidth(String(text ?? ''), item.fontSize ?? 11),
});

/** The files of a plot: what they are called in their folder, and their SVG. */
export async function pictures(plot: Plot): Promise<Map<string, string>> {
	const drawn = schemes.map(
		async (scheme) => [fileName(plot, scheme), await drawing(plot, scheme)] as const,
	);
	return new Map(await Promise.all(drawn));
}

/** What the file of a plot is called. */
export function fileName({ name }: Plot, scheme: Scheme): string {
	return `${name}.${scheme}.svg`;
}

/** The SVG of a plot, the same bytes for the same plot. */
async function drawing(plot: Plot, scheme: Scheme): Promise<string> {
	const spec =
		plot.kind === 'bars' ? barsSpec(plot, scheme, width) : linesSpec(plot, scheme, width);
	const view = new vega.View(vega.parse(compile(spec).spec), { renderer: 'none' });
	return `${await view.toSVG()}\n`;
}
