import type { Case, Measured } from '../case.mts';
import { asJson, broken } from './figures.mts';
import { span } from './numbers.mts';
import { help, readOptions, type Options } from './options.mts';
import { showProgress, type Progress } from './progress.mts';
import { toStore } from './stored.mts';
import { caseInTerminal } from './tables.mts';

type Cases = Record<string, Case>;

/** What the cases gave that did not throw, by their names. */
type Results = Record<string, Measured>;

/**
 * Runs cases one after another, shows their figures and, if the command line says so, writes the pages.
 * @param args the command line
 * @param folder of the page
 * @returns the exit code: 1 when a case threw or a promise is broken, or the command line is wrong
 */
export async function bench(cases: Cases, args: string[], folder: string): Promise<number> {
	let options: Options;
	try {
		options = readOptions(args, cases);
	} catch (error) {
		console.error((error as Error).message);
		return 1;
	}
	if (!options.isHelp) return await runAndShow(cases, options, folder);
	console.log(help(Object.entries(cases).map(([name, { title }]) => [name, title])));
	return 0;
}

async function runAndShow(cases: Cases, options: Options, folder: string): Promise<number> {
	const { names } = options;
	if (options.leftOut.length > 0) {
		console.error(`Too long for a quick run, left out: ${options.leftOut.join(', ')}`);
	}
	const print = options.isJson ? onlyJson() : undefined;
	const results = await runAll(cases, names, options.isQuick);
	for (const [name, measured] of Object.entries(results)) {
		console.log(caseInTerminal(cases[name].title, measured));
	}
	print?.(toJson(results));
	if (options.isWritten) await writeDown(cases, results, folder);
	const figures = Object.values(results).flatMap((measured) => measured.figures);
	const isComplete = Object.keys(results).length === names.length;
	return isComplete && figures.every((figure) => broken(figure).length === 0) ? 0 : 1;
}

/**
 * Sends to stderr whatever cases and report print from now on.
 * @returns what prints on stdout and opens it again
 */
function onlyJson(): (text: string) => void {
	const { write } = process.stdout;
	process.stdout.write = process.stderr.write.bind(process.stderr);
	return (text) => {
		process.stdout.write = write;
		process.stdout.write(text);
	};
}

async function runAll(cases: Cases, names: string[], isQuick: boolean): Promise<Results> {
	const results: Results = {};
	const progress = showProgress();
	for (const [index, name] of names.entries()) {
		const label = `${index + 1} of ${names.length}, ${name}`;
		const measured = await runOne(cases[name], isQuick, label, progress);
		if (measured) results[name] = measured;
	}
	return results;
}

/** Runs a case; undefined when it throws, which is shown. */
async function runOne(
	{ run }: Case,
	isQuick: boolean,
	label: string,
	progress: Progress,
): Promise<Measured | undefined> {
	const start = Date.now();
	progress.doing(label);
	try {
		const measured = await run({
			isQuick,
			progress: (doing) => progress.doing(`${label}: ${doing}`),
		});
		refuseNoNumbers(measured);
		progress.done(`${label}: took ${span(Date.now() - start)}`);
		return measured;
	} catch (error) {
		progress.failed(`${label}: failed after ${span(Date.now() - start)}`);
		console.error(inWords(error as Error));
		return undefined;
	}
}

/** With a stack, unless the error says that it is no help. */
function inWords(error: Error & { showStack?: boolean }): string {
	return error.showStack === false ? error.message : (error.stack ?? String(error));
}

/** @throws an Error when a figure is NaN or infinite: JSON would store it as if it were not there */
function refuseNoNumbers({ figures }: Measured): void {
	for (const { name, ours, other, bound } of figures) {
		const isNumber = [ours, other ?? 0, bound ?? 0].every(Number.isFinite);
		if (!isNumber) throw new Error(`'${name}' is no number: ${ours}, ${other}, ${bound}`);
	}
}

function toJson(results: Results): string {
	const cases = Object.entries(results).flatMap(([name, { figures }]) =>
		figures.map((figure) => asJson(name, figure)),
	);
	return `${JSON.stringify({ cases }, null, '\t')}\n`;
}

/** A case that threw keeps its stored figures. */
async function writeDown(cases: Cases, results: Results, folder: string): Promise<void> {
	const stored = Object.entries(results).map(([name, measured]) => [name, toStore(measured)]);
	// Prettier, which it loads, takes no memory while cases measure theirs.
	const { write } = await import('./write.mts');
	await write(folder, Object.keys(cases), Object.fromEntries(stored));
	console.error(`Written to ${folder}/benchmarks.md`);
}
