import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { missingServer } from '../playground/servers.mts';
import { coverageFlags, reportCoverage } from './coverage.mts';
import { CommandFailed, run } from './run.mts';

interface Count {
	passed: number;
	failed: number;
	skipped: number;
	/** Why none of them ran. */
	notRun?: string;
}

const reports = '.cache/test-reports';

/** The groups that load what ships as it is written, so that it shows which code they reach. */
const measured = ['unit', 'engine'];

/** Every group of tests, in the order in which a mistake is found soonest. */
const groups: Record<string, () => Promise<Count>> = {
	format: formatting,
	lint: () => script('lint'),
	types: () => script('typecheck'),
	unit: () => jest('unit'),
	sandbox: () => jest('sandbox'),
	engine: () => jest('engine'),
	// The same ones each time; by hand, `npm run test:histories`, `test:lists`, `test:hostile`, `test:polls`
	// and `test:pacing` draw others.
	histories: () => script('test:histories', '--seed', '11'),
	lists: () => script('test:lists', '--seed', '11'),
	hostile: () => script('test:hostile', '--seed', '11', '--cases', '1000'),
	polls: () => script('test:polls', '--seed', '11', '--histories', '400'),
	pacing: () => script('test:pacing', '--seed', '11', '--seeds', '1', '--quick'),
	e2e: endToEnd,
	queue: queueMode,
};

/** Runs the named groups, or all, one after another, and says how many tests ran in each. */
async function test(names: string[]): Promise<void> {
	const lines: string[] = [];
	const total = { passed: 0, failed: 0 };
	for (const name of names) {
		console.log(`\n── ${name}`);
		const start = Date.now();
		const { passed, failed, skipped, notRun } = await groups[name]();
		const counts = [
			`${passed} passed`,
			`${failed} failed`,
			...(skipped ? [`${skipped} skipped`] : []),
		];
		const seconds = ((Date.now() - start) / 1000).toFixed(1);
		const result = notRun ? `not run: ${notRun}` : `${counts.join(', ')} (${seconds} s)`;
		lines.push(`${name.padEnd(9)} ${result}`);
		total.passed += passed;
		total.failed += failed;
	}
	console.log(`\n${lines.join('\n')}\n${total.passed} passed, ${total.failed} failed`);
	if (isMeasured()) reportCoverage(measured);
	if (total.failed > 0) process.exitCode = 1;
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

async function formatting(): Promise<Count> {
	const passed = await succeeds('prettier', ['--check', '--log-level', 'warn', '.']);
	return { passed: Number(passed), failed: Number(!passed), skipped: 0 };
}

/** With all the others, without what takes long; by itself, all of it. */
async function endToEnd(): Promise<Count> {
	const left = named.length > 0 ? [] : ['--testPathIgnorePatterns', 'atLength'];
	return jest('e2e', '--runInBand', ...left);
}

/** A script of package.json, which counts as one test. */
async function script(name: string, ...args: string[]): Promise<Count> {
	const passed = await succeeds('npm', ['run', '--silent', name, '--', ...args]);
	return { passed: Number(passed), failed: Number(!passed), skipped: 0 };
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
	};
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
