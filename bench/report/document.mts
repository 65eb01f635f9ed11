import type { Bars, Case, Lines, Plot } from '../case.mts';
import { figureTable } from './figures.mts';
import type { Machine } from './machine.mts';
import { shown } from './numbers.mts';
import type { Stored, StoredCase } from './stored.mts';
import { inMarkdown } from './tables.mts';

/**
 * The Markdown of the document.
 * @param cases what is said of each
 * @param stored what came of those that were run
 * @param folder of the pictures, seen from the document
 */
export function document(cases: Record<string, Case>, stored: Stored, folder: string): string {
	const latest = Object.values(stored).reduce<StoredCase | undefined>(
		(last, one) => (last && last.date > one.date ? last : one),
		undefined,
	);
	const parts = Object.entries(stored).map(([name, one]) =>
		[
			`## ${cases[name].title}\n`,
			`${cases[name].about.trim()}\n`,
			`${measuredWhen(name, one, latest!)}\n`,
			part(one, folder),
		].join('\n'),
	);
	return [opening, ...(latest ? [machineSection(latest)] : []), ...parts].join('\n');
}

const opening = `# Benchmarks

Here this node, CRM Workspace, is measured beside what one would use instead: n8n's HTTP Request node, with its pagination, batching and retry in the best settings that were found.

- Only ratios say something: both were measured in one run, on one machine, against one service. The times themselves are those of this machine.
- The _bound_ is the least that the rate limit or the network allow, with as many requests at a time as this node makes.
- "of HTTP Request" is this node's figure as a part of HTTP Request's: 0.5 is half of it. "of the bound" is the same beside the bound: 1 is as good as it gets.
- What is marked with ✗ breaks what this project promises.

\`npm run bench\` measures all of it and writes this page, \`npm run bench -- NAME\` shows one case, and \`npm run bench -- NAME --write\` puts it in here. \`--quick\` takes smaller sizes, about five minutes in all, and writes nothing. \`npm run --silent bench -- --json\` prints the figures for other programs.

## Simulated time

At 60 requests a minute, 10,000 updates take hours. So the cases under the rate limit are played: both nodes run in n8n's own engine, with their own pacing, batching and retries, and the clock jumps to the next wait. Only network and clock are simulated. The service answers within 0 to 100 ms, and a refusal says when to come back. It counts its 60 requests a minute in one of three ways: a fixed window that begins at any moment, a sliding window that counts refused requests too, or a token bucket. Chance is seeded, so the figures come back. _In real time_, further down, is the check of it.
`;

function machineSection({ machine, node, n8n }: StoredCase): string {
	const rows = [
		['CPU', machine.cpu],
		['Cores', String(machine.cores)],
		['Memory', `${machine.memory} GB`],
		['System', machine.system],
		['Node.js', node],
		['n8n', n8n],
	];
	return `## The machine\n\n${inMarkdown({ title: '', head: ['', ''], rows })}`;
}

function part({ figures, tables = [], plots = [] }: StoredCase, folder: string): string {
	return [
		...plots.map((plot) => `${picture(plot, folder)}\n`),
		inMarkdown(figureTable(figures)),
		...tables.map((table) => `### ${table.title}\n\n${inMarkdown(table)}`),
	].join('\n');
}

/** When and where a case was measured, as the cases of one document may come from several runs. */
function measuredWhen(name: string, one: StoredCase, latest: StoredCase): string {
	const with_ = `with n8n ${one.n8n} and Node.js ${one.node}`;
	const isElsewhere = JSON.stringify(one.machine) !== JSON.stringify(latest.machine);
	const where = isElsewhere ? `, on another machine: ${inWords(one.machine)}` : '';
	return `Measured on ${one.date} ${with_}${where}. \`npm run bench -- ${name}\``;
}

function inWords({ cpu, cores, memory, system }: Machine): string {
	return `${cpu}, ${cores} cores, ${memory} GB, ${system}`;
}

function picture(plot: Plot, folder: string): string {
	const alt = forAttribute(plot.kind === 'bars' ? ofBars(plot) : ofLines(plot));
	const [light, dark] = ['light', 'dark'].map((scheme) => `${folder}/${plot.name}.${scheme}.svg`);
	const source = `<source media="(prefers-color-scheme: dark)" srcset="${dark}">`;
	return `<picture>${source}<img alt="${alt}" src="${light}"></picture>`;
}

/** What a picture shows, for whoever does not see it. */
function ofBars({ title, values, bars }: Bars): string {
	const groups = Map.groupBy(bars, ({ group }) => group);
	const each = [...groups].map(([group, ofGroup]) => {
		const said = ofGroup.map(({ series, value }) => `${series} ${shown(value)}`);
		const { bound } = ofGroup[0];
		return `${group}: ${said.join(', ')}${bound === undefined ? '' : `, bound ${shown(bound)}`}`;
	});
	return `${title}, in ${values}. ${each.join('; ')}.`;
}

function ofLines({ title, values, along, points }: Lines): string {
	const lines = Map.groupBy(points, ({ series }) => series);
	const each = [...lines].map(([series, line]) => {
		const sorted = line.toSorted((a, b) => a.at - b.at);
		const [first, last] = [sorted[0], sorted.at(-1)!];
		const end = (point: typeof first) => `${shown(point.value)} at ${shown(point.at)}`;
		return `${series} from ${end(first)} to ${end(last)}`;
	});
	return `${title}, in ${values} over ${along}. ${each.join('; ')}.`;
}

function forAttribute(text: string): string {
	const entities: Record<string, string> = {
		'&': '&amp;',
		'"': '&quot;',
		'<': '&lt;',
		'>': '&gt;',
	};
	return text.replace(/[&"<>]/g, (letter) => entities[letter]).replace(/\s*\n\s*/g, ' ');
}
