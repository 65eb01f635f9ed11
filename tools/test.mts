import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { missingServer } from '../playground/servers.mts';
import { modelArguments } from './models.mts';
import { pack } from './pack.mts';
import { CommandFailed, run, runQuietly } from './run.mts';

interface Count {
	passed: number;
	failed: number;
	skipped: number;
	/** The names of those that failed, if they have names. */
	failures: string[];
	/** Why none of them ran. */
	notRun?: string;
}

/** Counts by the names of groups. */
type Counts = Record<string, Count>;

/** Groups that run at the same time. @param names those of them that are asked for */
type Stage = (names: string[]) => Promise<Counts>;

const reports = '.cache/test-reports';

// Sandboxes and n8ns are started by the dozen, and each would compile the same code again.
process.env.NODE_COMPILE_CACHE ??= resolve('.cache/compiled');

const given = process.argv.slice(2);
const flagsAt = given.findIndex((argument) => argument.startsWith('-'));
const named = given.slice(0, flagsAt === -1 ? undefined : flagsAt);
/** What stands after the names of groups goes to what runs them. */
const flags = given.slice(named.length);
const isWhole = named.length === 0;

/** What a group prints is on the screen if it was asked for by name; else only if it has failed. */
const perform = isWhole ? runQuietly : run;

/** What takes long: left out with all the others, and not by itself, which also draws more cases. */
const leftOut = isWhole ? ['--testPathIgnorePatterns', 'atLength'] : [];
if (isWhole) process.env.BRIEFLY = '1';
else if (!named.includes('models')) process.env.RUNS ??= '200';

let packing: Promise<string> | undefined;

const checks = atOnce({
	format: () => command('prettier', '--check', '--log-level', 'warn', '.'),
	lint: () => command('npm', 'run', '--silent', 'lint'),
	types: () => command('npm', 'run', '--silent', 'typecheck'),
	language: () => command('node', 'tools/language.mts'),
});

const models = atOnce(
	Object.fromEntries(
		Object.entries(modelArguments).map(([name, args]) => [
			name,
			async () => await model(name, args),
		]),
	),
);

/**
 * All groups, as two rows of stages that run side by side: what mostly computes fills the time in
 * which the other waits for n8n, and lets it pass.
 */
const rows: Array<Array<[names: string[], stage: Stage]>> = [
	[
		[['format', 'lint', 'types', 'language'], checks],
		[['unit', 'sandbox', 'engine', 'models'], code],
		[Object.keys(modelArguments), models],
	],
	[
		[['e2e'], endToEnd],
		[['queue'], queueMode],
	],
];

const groups = rows.flat().flatMap(([names]) => names);
const unknown = named.filter((name) => !groups.includes(name));
if (unknown.length > 0) {
	console.error(`No such group: ${unknown.join(', ')}. There are ${groups.join(', ')}.`);
	process.exitCode = 1;
} else {
	await test(isWhole ? groups : named);
}

/** Runs the named groups, and says how many tests ran in each. */
async function test(chosen: string[]): Promise<void> {
	const start = Date.now();
	const counts: Counts = {};
	const runRow = async (row: (typeof rows)[number]) => {
		for (const [names, stage] of row) {
			const ofThese = names.filter((name) => chosen.includes(name));
			if (ofThese.length > 0) Object.assign(counts, await stage(ofThese));
		}
	};
	await Promise.all(rows.map(runRow));
	const seconds = ((Date.now() - start) / 1000).toFixed(0);
	const sum = (of: 'passed' | 'failed') =>
		Object.values(counts).reduce((total, count) => total + count[of], 0);
	console.log(`\n${sum('passed')} passed, ${sum('failed')} failed (${seconds} s)`);
	// At the very end, which is what is kept of a log that is too long.
	for (const name of Object.values(counts).flatMap(({ failures }) => failures))
		console.log(`failed: ${name}`);
	if (sum('failed') > 0) process.exitCode = 1;
}

/** Groups that are a command each. */
function atOnce(each: Record<string, () => Promise<Count>>): Stage {
	return async (names) => {
		const counts = names.map((name) => timed([name], async () => ({ [name]: await each[name]() })));
		return Object.assign({}, ...(await Promise.all(counts)));
	};
}

/** What ships and the sandbox, in one run of Jest: some files wait while others compute. */
async function code(names: string[]): Promise<Counts> {
	if (names.includes('models')) await packed();
	return await jest(names, '--maxWorkers=3', '--passWithNoTests', ...leftOut);
}

async function endToEnd(names: string[]): Promise<Counts> {
	await packed();
	// More files at a time would wait for the one n8n that they share.
	return await jest(names, '--maxWorkers=2', ...leftOut);
}

/**
 * With all the others, the one test that shows most; by itself, every one. Not every machine has
 * the servers for it: that is a failure only where it is asked for, by name or in CI.
 */
async function queueMode(names: string[]): Promise<Counts> {
	const isAskedFor = !isWhole || process.env.REQUIRE_ALL_GROUPS !== undefined;
	const notRun = await missingServer();
	if (!notRun) return await jest(names, '--runInBand', ...(isWhole ? ['-t', 'started again'] : []));
	const failures = isAskedFor ? [`queue: ${notRun}`] : [];
	return await timed(names, async () => ({
		queue: { passed: 0, failed: failures.length, skipped: 0, failures, notRun },
	}));
}

/** Whether a group is of the row that waits for n8n, which the other lets pass. */
function isOfN8n(name: string): boolean {
	return name === 'e2e' || name === 'queue';
}

/** What several groups run, made once. */
async function packed(): Promise<void> {
	await (packing ??= pack());
}

/** A model, which generates its cases from a seed and plays them to what is built. */
async function model(name: string, usual: string[]): Promise<Count> {
	await packed();
	return await command('node', 'test/models/main.mts', name, ...(flags.length > 0 ? flags : usual));
}

/** A command that succeeds or fails as a whole. */
async function command(name: string, ...args: string[]): Promise<Count> {
	const succeeded = await succeeds(name, args, true);
	const failures = succeeded ? [] : [[name, ...args].join(' ')];
	return { passed: Number(succeeded), failed: failures.length, skipped: 0, failures };
}

/** Runs tests of some projects of Jest, and counts them by project. */
async function jest(projects: string[], ...chosen: string[]): Promise<Counts> {
	const report = join(reports, `${projects.join('-')}.json`);
	rmSync(report, { force: true });
	mkdirSync(reports, { recursive: true });
	const output = ['--json', `--outputFile=${report}`];
	return await timed(projects, async () => {
		const args = ['--selectProjects', ...projects, ...chosen, ...flags, ...output];
		const succeeded = await succeeds('jest', args, !projects.some(isOfN8n));
		const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
			testResults: FileReport[];
		};
		const counts = Object.fromEntries(
			projects.map((project) => [project, countOf(project, testResults)]),
		);
		// Jest can fail without a failed test: a broken teardown, or no test at all.
		if (!succeeded && Object.values(counts).every(({ failed }) => failed === 0)) {
			counts[projects[0]].failed++;
			counts[projects[0]].failures.push(`jest ${projects.join(', ')}`);
		}
		return counts;
	});
}

/** What Jest's report says of a file. */
interface FileReport {
	name: string;
	status: string;
	assertionResults: Array<{ status: string; ancestorTitles: string[]; title: string }>;
}

function countOf(project: string, files: FileReport[]): Count {
	const own = files.filter(({ name }) => relative('test', name).startsWith(`${project}/`));
	const tests = own.flatMap(({ assertionResults }) => assertionResults);
	const failures = own.flatMap((file) => failuresOf(project, file));
	const passed = tests.filter(({ status }) => status === 'passed').length;
	const failed = tests.filter(({ status }) => status === 'failed').length;
	return { passed, failed: failures.length, skipped: tests.length - passed - failed, failures };
}

/** The tests of a file that failed; the file itself if it could not run. */
function failuresOf(project: string, { name, status, assertionResults }: FileReport): string[] {
	const failed = assertionResults.filter((one) => one.status === 'failed');
	const titles = failed.map(({ ancestorTitles, title }) => [...ancestorTitles, title]);
	if (status === 'failed' && titles.length === 0)
		titles.push([relative('.', name), 'could not run']);
	return titles.map((title) => [project, ...title].join(' › '));
}

/** Says that groups begin, and how they have ended. */
async function timed(names: string[], work: () => Promise<Counts>): Promise<Counts> {
	console.log(`── ${names.join(', ')}`);
	const start = Date.now();
	const counts = await work();
	const seconds = ((Date.now() - start) / 1000).toFixed(1);
	for (const [name, { passed, failed, skipped, notRun }] of Object.entries(counts)) {
		const numbers = [`${passed} passed`, `${failed} failed`];
		if (skipped) numbers.push(`${skipped} skipped`);
		const result = notRun ? `not run: ${notRun}` : `${numbers.join(', ')} (${seconds} s)`;
		console.log(`${name.padEnd(8)} ${result}`);
	}
	return counts;
}

async function succeeds(name: string, args: string[], letsOthersPass: boolean): Promise<boolean> {
	try {
		await perform(name, args, { letsOthersPass });
		return true;
	} catch (error) {
		if (!(error instanceof CommandFailed)) throw error;
		console.log(error.message);
		return false;
	}
}
