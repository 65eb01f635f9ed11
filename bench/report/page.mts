import { contestants, type Contestant, type Figure, type Row } from '../case.mts';

/** What `docs/benchmarks.json` has of each case. */
export interface Stored {
	[name: string]: { date: string; n8n: string; node: string; machine: string; rows: Row[] };
}

/** The rows as a table in Markdown. */
export function tableOf(rows: Row[]): string {
	const lines = rows.map(({ name, figures }) => {
		const cells = contestants.map((who) => figures.map((figure) => inWords(figure, who)));
		return [name, ...cells.map((figures) => figures.join(', '))];
	});
	return [['', 'This node', 'HTTP Request'], ['---', '---', '---'], ...lines]
		.map((cells) => `| ${cells.join(' | ')} |`)
		.join('\n');
}

/**
 * `docs/benchmarks.md` or the README with the stored figures.
 * @throws an Error if the page has no place for them
 */
export function withFigures(page: string, stored: Stored, isReadme: boolean): string {
	const rows = Object.values(stored).flatMap((one) => one.rows);
	const shown = isReadme ? rows.filter(({ isInReadme }) => isInReadme) : rows;
	const text = isReadme ? tableOf(shown) : `${tableOf(shown)}\n\n${measured(stored)}`;
	const block = /(?<=<!-- benchmarks -->\n\n)[^]*(?=\n\n<!-- end of benchmarks -->)/;
	if (!block.test(page)) throw new Error('There is no <!-- benchmarks -->');
	return page.replace(block, () => text);
}

function measured(stored: Stored): string {
	const all = (what: 'date' | 'n8n' | 'node') =>
		[...new Set(Object.values(stored).map((one) => one[what]))].sort().join(' and ');
	return `Measured ${all('date')} with n8n ${all('n8n')} and Node.js ${all('node')}.`;
}

function inWords(figure: Figure, who: Contestant): string {
	const { unit } = figure;
	const value = figure[who];
	if (unit === 's' && value >= 60) return inMinutes(value);
	return unit === 'messages' ? shown(value) : `${shown(value)} ${unit}`;
}

/** Such as `1,234` or, below a thousand, three significant digits. */
export function shown(value: number): string {
	const digits = value < 1000 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 0 };
	return value.toLocaleString('en-US', digits);
}

/** Such as `2 h 48 min`. */
function inMinutes(seconds: number): string {
	const minutes = Math.floor(Math.round(seconds) / 60);
	if (minutes < 60) return `${minutes} min ${Math.round(seconds) % 60} s`;
	return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
