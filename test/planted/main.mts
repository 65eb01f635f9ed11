/**
 * Plants the mistakes of mistakes.yaml, one at a time, in copies of the project, and says which tests
 * find them: a grave one has to be found by two suites.
 */
import Table from 'cli-table3';
import { execa } from 'execa';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { exitWhenTold, throwAwayFolder } from '../../playground/atExit.mts';
import { parseOptions } from '../../tools/options.mts';
import { groups, plant, type Group, type Mistake } from './mistakes.mts';

/** What has found a mistake first: a test file or a model, and after how many seconds. */
interface Found {
	by: string;
	seconds: number;
}

/** By the suites that have found a mistake. */
type Finding = Partial<Record<Suite, Found>>;

/** In the order in which they run. */
const suites = ['unit', 'models', 'engine'] as const;

type Suite = (typeof suites)[number];

type Command = [name: string, ...args: string[]];

/** A suite that goes on for longer doesn't end. */
const longestMs = 10 * 60_000;

const shipped = 'nodes/CrmWorkspace';

/** Where the output of each suite that has found a mistake is kept. */
const logs = '.cache/planted';

/** Finds the mistakes, two at a time. @returns what was found, in their order */
async function findAll(planted: Array<Mistake & Group>): Promise<Finding[]> {
	const findings: Finding[] = [];
	const left = [...planted.entries()].reverse();
	const work = async () => {
		const folder = copyOfProject();
		for (let next = left.pop(); next; next = left.pop()) {
			const [index, mistake] = next;
			findings[index] = await find(folder, mistake);
			const found = suites.map((suite) => inWords(findings[index][suite]));
			console.log(`${mistake.name}: ${found.join(', ')}`);
		}
	};
	await Promise.all(planted.slice(0, 2).map(work));
	return findings;
}

/** Outside of the project, as the linter reads every folder in it. */
function copyOfProject(): string {
	const { path: folder } = throwAwayFolder('planted-');
	const left = ['node_modules', '.playground', '.git', '.cache', 'dist', 'coverage'];
	cpSync('.', folder, { recursive: true, filter: (path) => !left.includes(basename(path)) });
	for (const name of ['node_modules', '.playground']) {
		symlinkSync(resolve(name), join(folder, name));
	}
	return folder;
}

/** Plants a mistake in a copy, and runs the suites that may find it, until two of them have. */
async function find(folder: string, one: Mistake & Group): Promise<Finding> {
	const file = join(folder, shipped, one.file);
	const text = readFileSync(file, 'utf8');
	writeFileSync(file, plant(text, one));
	try {
		const checked = await run(folder, ['tsc', '--noEmit']);
		const finding: Finding = {};
		if (checked.failed) {
			// Found by nothing: what the other mistakes have shown isn't lost.
			console.error(`${one.name} doesn't compile:\n${checked.all}`);
			return finding;
		}
		for (const suite of suites) {
			if (suitesOf(finding) === 2) break;
			const [own, ...others] = commandsOf(suite, one);
			// Of what is seen already, the most likely tests show whether a second suite sees it, too.
			const commands = isSeen(one, finding) ? [own] : [own, ...others];
			const found = await firstRed(folder, commands, `${one.name}.${suite}`);
			if (found) finding[suite] = found;
		}
		return finding;
	} finally {
		writeFileSync(file, text);
	}
}

function commandsOf(suite: Suite, { file, engine, models }: Mistake & Group): Command[] {
	const jest: Command = ['jest', '--selectProjects', suite, '--runInBand', '--bail'];
	switch (suite) {
		case 'unit':
			return [[...jest, '--passWithNoTests', '--findRelatedTests', join(shipped, file)]];
		case 'engine':
			return [
				[...jest, '--testPathPatterns', `engine/(${engine})`],
				[...jest, '--testPathIgnorePatterns', `engine/(${engine})`],
			];
		case 'models':
			return models.map((name) => [...jest, '--testPathPatterns', `models/${name}.test`]);
	}
}

/** Runs commands until one fails. @param log the name of the file in which its output is kept */
async function firstRed(
	folder: string,
	commands: Command[],
	log: string,
): Promise<Found | undefined> {
	const begun = performance.now();
	for (const command of commands) {
		const { failed, timedOut, all } = await run(folder, command);
		if (!failed) continue;
		writeFileSync(join(logs, `${log}.log`), all);
		const [, file] = /^FAIL \S+ test\/(\S+)\.test\.mts/m.exec(all) ?? [];
		if (!file && !timedOut) throw new Error(`${command.join(' ')} failed without a test:\n${all}`);
		return { by: file ?? command[2], seconds: (performance.now() - begun) / 1000 };
	}
	return undefined;
}

async function run(folder: string, [name, ...args]: Command) {
	return await execa(name, args, {
		cwd: folder,
		env: { BRIEFLY: '1' },
		preferLocal: true,
		all: true,
		reject: false,
		stdin: 'ignore',
		timeout: longestMs,
	});
}

/** How many suites have found a mistake. */
const suitesOf = (finding: Finding): number => Object.keys(finding).length;

/** Whether enough suites have found a mistake. */
const isSeen = ({ isGrave }: Mistake, finding: Finding): boolean =>
	suitesOf(finding) >= (isGrave ? 2 : 1);

function inWords(found: Found | undefined): string {
	return found ? `${found.by} (${found.seconds.toFixed(0)} s)` : '–';
}

/** The mistakes with what found them after how many seconds, and those that one suite alone finds. */
function tableOf(planted: Mistake[], findings: Finding[]): string {
	const noLine = { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' };
	const style = { head: [], border: [] };
	const table = new Table({ head: ['Mistake', 'grave', ...suites], style, chars: noLine });
	for (const [index, { name, isGrave }] of planted.entries()) {
		const found = suites.map((suite) => inWords(findings[index][suite]));
		table.push([name, isGrave ? 'yes' : '', ...found]);
	}
	const names = (isWanted: (mistake: Mistake, finding: Finding) => boolean) =>
		planted.filter((mistake, index) => isWanted(mistake, findings[index])).map(({ name }) => name);
	const byOne = suites.map((suite) => {
		const alone = names((_, finding) => suite in finding && suitesOf(finding) === 1);
		return `Found by ${suite} alone: ${alone.length} (${alone.join(', ')})`;
	});
	const unseen = names((mistake, finding) => !isSeen(mistake, finding));
	const all = `Found: ${planted.length - unseen.length} of ${planted.length}`;
	return [
		table.toString(),
		...byOne,
		`${all}. Not, or not twice: ${unseen.join(', ') || 'none'}`,
	].join('\n');
}

/** @returns whether each was found by as many suites as it has to be */
async function main(): Promise<boolean> {
	const { values } = parseOptions('test:planted', {
		only: { type: 'string', multiple: true, meaning: 'one mistake, and again for another' },
	});
	const all = groups.flatMap((group) =>
		group.mistakes.map((mistake) => ({ ...group, ...mistake })),
	);
	const { only = all.map(({ name }) => name) } = values;
	const planted = all.filter(({ name }) => only.includes(name));
	if (planted.length < only.length)
		throw new Error(`Not all of these are there: ${only.join(', ')}`);
	mkdirSync(logs, { recursive: true });
	const findings = await findAll(planted);
	console.log(tableOf(planted, findings));
	return planted.every((mistake, index) => isSeen(mistake, findings[index]));
}

exitWhenTold();
if (!(await main())) process.exitCode = 1;
