import { parseArgs } from 'node:util';
import type { Case } from '../case.mts';

/** What the command line asks for. */
export interface Options {
	/** Of the cases to run, in order. */
	names: string[];
	/** Of the cases that a quick run has no time for. */
	leftOut: string[];
	isQuick: boolean;
	isJson: boolean;
	isHelp: boolean;
	/** Whether the pages are written. */
	isWritten: boolean;
}

const options = {
	quick: { type: 'boolean', default: false },
	json: { type: 'boolean', default: false },
	write: { type: 'boolean', default: false },
	page: { type: 'boolean', default: false },
	help: { type: 'boolean', short: 'h', default: false },
} as const;

/**
 * Reads the command line.
 * @throws an Error in words for the user
 */
export function readOptions(args: string[], cases: Record<string, Case>): Options {
	const known = Object.keys(cases);
	const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
	const unknown = positionals.filter((name) => !known.includes(name));
	if (unknown.length > 0) {
		const one = unknown.map((name) => `'${name}'`).join(', ');
		throw new Error(`There is no case ${one}. There are: ${known.join(', ')}`);
	}
	if (values.quick && values.write) {
		throw new Error('A quick run is not written down: leave out --quick or --write');
	}
	const isAll = positionals.length === 0;
	const chosen = values.page ? [] : known.filter((name) => isAll || positionals.includes(name));
	const leftOut = chosen.filter((name) => values.quick && cases[name].isLong);
	const names = chosen.filter((name) => !leftOut.includes(name));
	if (leftOut.length > 0 && names.length === 0) {
		throw new Error(`Too long for a quick run: ${leftOut.join(', ')}`);
	}
	return {
		names,
		leftOut,
		isQuick: values.quick,
		isJson: values.json,
		isHelp: values.help,
		isWritten: values.write || values.page || (isAll && !values.quick),
	};
}

/** What `--help` prints. @param titles name and title of each case */
export function help(titles: Array<[string, string]>): string {
	const width = Math.max(0, ...titles.map(([name]) => name.length));
	const cases = titles.map(([name, title]) => `  ${name.padEnd(width)}  ${title}`);
	return `npm run bench -- [NAME…] [--quick] [--json] [--write | --page]

Measures this node and n8n's HTTP Request node. Without names, it runs all cases and writes
docs/benchmarks.md.

  --quick  uses smaller sizes, about five minutes in all; writes nothing
  --json   prints only {cases: [{name, ours, other, bound, ratio, unit}]}
  --write  writes docs/benchmarks.md after named cases, too; other figures stay
  --page   writes docs/benchmarks.md from the stored figures; runs nothing

Cases:
${cases.join('\n')}`;
}
