import type { Row } from '../case.mts';
import { shown, type Stored } from './page.mts';

/** Blue and orange differ with every kind of color blindness. */
const style = `text { fill: #1f2328; font: 12px system-ui, sans-serif } .title { font-size: 15px }
.ours { fill: #0072b2 } .other { fill: #d55e00 }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc } .ours { fill: #56b4e9 } .other { fill: #f0923a } }`;

/** In pixels. The width is that of a page on GitHub. */
const [width, left, top, bar, gap] = [700, 240, 64, 18, 14];

const names = { ours: 'This node', other: 'HTTP Request' };

/** The files of the charts and their SVG. */
export function drawCharts({ list, sync }: Stored): Map<string, string> {
	return new Map([
		['return-all-time.svg', drawChart('Return All: seconds', list.rows)],
		['sync-requests.svg', drawChart('Nightly sync: requests', sync.rows)],
	]);
}

/** Two bars for each row's first figure. The label is what the row's name has after the colon. */
function drawChart(title: string, rows: Row[]): string {
	const values = rows.flatMap(({ figures: [{ ours, other }] }) => [ours, other]);
	const scale = (width - left - 60) / Math.max(...values);
	const groups = rows.map(({ name, figures: [figure] }, index) => {
		const y = top + index * (2 * bar + gap);
		const label = name.replace(/^.*?: | \(.*/g, '');
		const bars = (['ours', 'other'] as const).map((who, line) => {
			const [barY, length] = [y + line * bar, Math.round(figure[who] * scale)];
			const rect = `<rect class="${who}" x="${left}" y="${barY}" width="${length}" height="16"/>`;
			return rect + textAt(left + length + 6, barY + 12, shown(figure[who]));
		});
		return [textAt(8, y + bar + 3, label), ...bars].join('\n');
	});
	const legend = (['ours', 'other'] as const).map((who, index) => {
		const x = left + index * 110;
		return `<rect class="${who}" x="${x}" y="36" width="12" height="12"/>${textAt(x + 18, 46, names[who])}`;
	});
	const height = top + rows.length * (2 * bar + gap);
	return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<style>${style}</style>
<text class="title" x="8" y="24">${title}</text>
${[...legend, ...groups].join('\n')}
</svg>
`;
}

function textAt(x: number, y: number, text: string): string {
	return `<text x="${x}" y="${y}">${text}</text>`;
}
