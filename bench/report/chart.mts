import { contestants, type Figure } from '../case.mts';
import { shown } from './numbers.mts';

/** What a chart is drawn for: GitHub's light or its dark page. */
export const schemes = ['light', 'dark'] as const;
export type Scheme = (typeof schemes)[number];

/** Blue and orange differ with every kind of color blindness. */
const colors = {
	light: { text: '#1f2328', ours: '#0072b2', other: '#d55e00' },
	dark: { text: '#f0f6fc', ours: '#56b4e9', other: '#f0923a' },
};
const font = 'system-ui, -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif';

/** In pixels. The width is that of a page on GitHub. */
const [width, top, bar, gap] = [700, 78, 18, 14];
const both = ['ours', 'other'] as const;

/** An SVG with two bars for each figure, labeled by what its name has before the colon. */
export function drawChart(
	title: string,
	figures: Figure[],
	scheme: Scheme,
	isLogarithmic = false,
): string {
	const ink = colors[scheme];
	const text = (x: number, y: number, words: string, attributes = '') =>
		`<text x="${x}" y="${y}" fill="${ink.text}"${attributes}>${escapeXml(words)}</text>`;
	const labels = figures.map(({ name }) => name.split(': ')[0]);
	const left = 24 + Math.max(...labels.map((label) => label.length)) * 6.6;
	const lengthOf = scaleOf(figures, width - left - 60, isLogarithmic);
	const groups = figures.map((figure, index) => {
		const y = top + index * (2 * bar + gap);
		const bars = both.map((who, row) => {
			const value = figure[who];
			const [barY, length] = [y + row * bar, value === null ? 0 : lengthOf(value)];
			const rect = `<rect x="${left}" y="${barY}" width="${length}" height="${bar - 2}" fill="${ink[who]}"/>`;
			return rect + text(left + length + 6, barY + 12.5, shown(value));
		});
		return text(left - 10, y + bar + 3, labels[index], ' text-anchor="end"') + bars.join('');
	});
	const legend = both.map((who, index) => {
		const x = 8 + index * 130;
		const square = `<rect x="${x}" y="52" width="12" height="12" fill="${ink[who]}"/>`;
		return square + text(x + 18, 62.5, contestants[who]);
	});
	const height = top + figures.length * (2 * bar + gap);
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family='${font}' font-size="12">`,
		text(8, 28, title, ' font-size="15" font-weight="600"'),
		...legend,
		...groups,
		'</svg>\n',
	].join('\n');
}

/** Pixels for a value. A logarithmic scale begins at a power of ten below the least value. */
function scaleOf(figures: Figure[], room: number, isLogarithmic: boolean) {
	const values = figures.flatMap(({ ours, other }) => [ours, other ?? 0]);
	const most = Math.max(...values);
	if (!isLogarithmic) return (value: number) => Math.round((room * value) / (most || 1));
	const least = Math.min(...values.filter((value) => value > 0));
	const from = 10 ** Math.floor(Math.log10(least / 2));
	const part = (value: number) => Math.log(value / from) / Math.log(most / from);
	return (value: number) => (value > 0 ? Math.round(room * part(value)) : 0);
}

function escapeXml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
