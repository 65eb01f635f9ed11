import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { missingServer } from '../playground/servers.mts';
import { build } from './build.mts';
import { coverageFlags, reportCoverage } from './coverage.mts';
import { CommandFailed, run, runQuietly } from './run.mts';

interface Count {
	passed: number;
	failed: number;
	skipped: number;
	/** Why none of them ran. */
	notRun?: string;
	/** The names of those that failed, if they have names. */
	failures?: string[];
	/** What they printed, if that is not on the screen yet. */
	printed?: string;
}

type Group = () => Promise<Count>;

const reports = '.cache/test-reports';

/** The groups that load what ships as it is written, so that it shows which code they reach. */
const measured = ['unit', 'engine'];

/**
 * Every group of tests, in the order in which a mistake is found soonest. Those that need one core
 * each run side by side.
 */
const stages: Array<Record<string, Group>> = [
	{
		format: () => command('prettier', '--check', '--log-level', 'warn', '.'),
		lint: () => command('npm', 'run', '--silent', 'lint'),
		types: () => command('npm', 'run', '--silent', 'typecheck'),
	},
	{ unit: () => jest('unit') },
	{ sandbox: () => jest('sandbox') },
	{ engine: () => jest('engine') },
	// The same cases each time; by hand, `npm run test:sends` and so on draw others.
	{
		sends: () => generated('sends'),
		lists: () => generated('lists'),
		hostile: () => generated('hostile', '--cases', '1000'),
		trigger: () => generated('trigger', '--histories', '400'),
		pacing: () => generated('pacing', '--seeds', '1', '--quick'),
	},
	{ e2e: endToEnd },
	{ queue: queueMode },
];

const groups = Object.assign({}, ...stages) as Record<string, Group>;

/** Runs the named groups, or all, and says how many tests ran in each. */
async function test(names: string[]): Promise<void> {
	const lines: string[] = [];
	const failures: string[] = [];
	const total = { passed: 0, failed: 0 };
	for (const stage of stages) {
		const chosen = Object.keys(stage).filter((name) => names.includes(name));
		for (const group of await Promise.all(chosen.map(runGroup))) {
			lines.push(group.line);
			failures.push(...(group.failures ?? []));
			total.passed += group.passed;
			total.failed += group.failed;
		}
	}
	console.log(`\n${lines.join('\n')}\n${total.passed} passed, ${total.failed} failed`);
	if (isMeasured()) reportCoverage(measured);
	// At the very end, which is what is kept of a log that is too long.
	for (const name of failures) console.log(`failed: ${name}`);
	if (total.failed > 0) process.exitCode = 1;
}

/** Runs a group. @returns its counts, and the line that tells of them */
async function runGroup(name: string): Promise<Count & { line: string }> {
	console.log(`\n── ${name}`);
	const start = Date.now();
	const count = await groups[name]();
	const { passed, failed, skipped, notRun, printed } = count;
	if (printed) console.log(`\n── what ${name} printed\n${printed}`);
	const counts = [
		`${passed} passed`,
		`${failed} failed`,
		...(skipped ? [`${skipped} skipped`] : []),
	];
	const seconds = ((Date.now() - start) / 1000).toFixed(1);
	const result = notRun ? `not run: ${notRun}` : `${counts.join(', ')} (${seconds} s)`;
	return { ...count, line: `${name.padEnd(9)} ${result}` };
}

/**
 * With all the others, the one test that shows most; by itself, every one. Not every machine has
 * the servers for it: that is a failure only where it is asked for, by name or in CI.
 */
async function queueMode(): Promise<Count> {
	const isAskedFor = named.length > 0 || process.env.REQUIRE_ALL_GROUPS !== undefined;
	const notRun = await missingServer();
	if (notRun) return { passed: 0, failed: Number(isAskedFor), skipped: 0, notRun };
	return jest('queue', '--runInBand', ...(named.length > 0 ? [] : ['-t', 'started anew']));
}

/** In a run of all groups; who runs one by hand wants it fast, and an older n8n is about n8n. */
function isMeasured(): boolean {
	return named.length === 0 && process.env.N8N_UNDER_TEST === undefined;
}

/**
 * With all the others, without what takes long; by itself, all of it. More than two files at a time
 * would wait for the one n8n that they share.
 */
async function endToEnd(): Promise<Count> {
	const left = named.length > 0 ? [] : ['--testPathIgnorePatterns', 'atLength'];
	return jest('e2e', '--maxWorkers=2', ...left);
}

/** Tests that generate their cases from a seed, and play them to what is built. */
async function generated(name: string, ...args: string[]): Promise<Count> {
	return await asOneTest(async () => {
		await (built ??= build());
		return await runQuietly('node', [`test/models/${name}/main.mts`, '--seed', '11', ...args]);
	});
}

let built: Promise<void> | undefined;

async function command(name: string, ...args: string[]): Promise<Count> {
	return await asOneTest(() => runQuietly(name, args));
}

/** What succeeds or fails as a whole. @param work returns what it printed */
async function asOneTest(work: () => Promise<string>): Promise<Count> {
	try {
		return { passed: 1, failed: 0, skipped: 0, printed: await work() };
	} catch (error) {
		if (!(error instanceof CommandFailed)) throw error;
		return { passed: 0, failed: 1, skipped: 0, printed: error.message };
	}
}

async function jest(project: string, ...flags: string[]): Promise<Count> {
	const report = join(reports, `${project}.json`);
	rmSync(report, { force: true });
	mkdirSync(reports, { recursive: true });
	const output = ['--json', `--outputFile=${report}`];
	if (isMeasured() && measured.includes(project)) output.push(...coverageFlags(project));
	const ended = await succeeds('jest', ['--selectProjects', project, ...flags, ...output]);
	const result = JSON.parse(readFileSync(report, 'utf8'));
	const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
	return {
		passed: result.numPassedTests,
		// Jest can fail without a failed test: a broken teardown, or no test at all.
		failed: ended ? failed : Math.max(failed, 1),
		skipped: result.numPendingTests + result.numTodoTests,
		failures: result.testResults.flatMap((file: FileReport) => failuresOf(project, file)),
	};
}

/** What Jest's report says of a file. */
interface FileReport {
	name: string;
	status: string;
	assertionResults: Array<{ status: string; ancestorTitles: string[]; title: string }>;
}

/** The tests of a file that failed; the file itself if it could not run. */
function failuresOf(project: string, { name, status, assertionResults }: FileReport): string[] {
	const failed = assertionResults.filter((one) => one.status === 'failed');
	const titles = failed.map(({ ancestorTitles, title }) => [...ancestorTitles, title]);
	if (status === 'failed' && titles.length === 0)
		titles.push([relative('.', name), 'could not run']);
	return titles.map((title) => [project, ...title].join(' › '));
}

async function succeeds(command: string, args: string[]): Promise<boolean> {
	try {
		await run(command, args);
		return true;
	} catch (error) {
		if (error instanceof CommandFailed) return false;
		throw error;
	}
}

const named = process.argv.slice(2);
const unknown = named.filter((name) => !(name in groups));
if (unknown.length > 0) {
	console.error(
		`No such group: ${unknown.join(', ')}. There are ${Object.keys(groups).join(', ')}.`,
	);
	process.exitCode = 1;
} else {
	await test(named.length > 0 ? named : Object.keys(groups));
}
