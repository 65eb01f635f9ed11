import { basename, dirname } from 'node:path';

/** What of Stryker's report in JSON is read. */
export interface MutationReport {
	/** By the path of the module. */
	files: Record<string, { mutants: Array<{ status: string }> }>;
}

/** What came of the mutants of some modules. */
interface Score {
	mutants: number;
	/** A test failed, or did not end. */
	detected: number;
	survived: number;
	/** No test comes by. */
	unreached: number;
}

/** The Markdown of a table: for each folder its modules, the fewest found first, and all together. */
export function scoreTable({ files }: MutationReport): string {
	const folders = Map.groupBy(Object.keys(files), (path) => dirname(path));
	const lines = [...folders].sort().flatMap(([folder, paths]) => {
		const modules = paths.map((path): [string, Score] => [path, scoreOf(files[path].mutants)]);
		modules.sort(([, one], [, other]) => share(one) - share(other));
		const all = scoreOf(paths.flatMap((path) => files[path].mutants));
		return [
			row(`**${basename(folder)}/**`, all),
			...modules.map(([path, score]) => row(basename(path, '.ts'), score)),
		];
	});
	const head = ['Module', 'Mutants', 'Found', 'Survived', 'Not reached', 'Score'];
	return [line(head), line(head.map((_, index) => (index ? '--:' : '---'))), ...lines].join('\n');
}

/** What could not be compiled or was left out with a reason does not count. */
function scoreOf(mutants: Array<{ status: string }>): Score {
	const count = (...wanted: string[]) =>
		mutants.filter(({ status }) => wanted.includes(status)).length;
	const [detected, survived, unreached] = [
		count('Killed', 'Timeout'),
		count('Survived'),
		count('NoCoverage'),
	];
	return { mutants: detected + survived + unreached, detected, survived, unreached };
}

/** 1 where there is nothing to be found. */
function share({ mutants, detected }: Score): number {
	return mutants === 0 ? 1 : detected / mutants;
}

function row(name: string, score: Score): string {
	const { mutants, detected, survived, unreached } = score;
	const percent = `${(100 * share(score)).toFixed(1)} %`;
	return line([name, ...[mutants, detected, survived, unreached].map(String), percent]);
}

function line(cells: string[]): string {
	return `| ${cells.join(' | ')} |`;
}
