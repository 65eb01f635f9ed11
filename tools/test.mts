/** Runs groups of tests: all by default, or those named. Flags after the names go to Jest. */
import { resolve } from 'node:path';
import { missingServer } from '../playground/servers.mts';
import { CommandFailed, run, runQuietly } from './run.mts';

/** Groups that are a command each. */
const checks: Record<string, string[]> = {
	format: ['prettier', '--check', '--log-level', 'warn', '.'],
	lint: ['npm', 'run', '--silent', 'lint'],
	types: ['npm', 'run', '--silent', 'typecheck'],
	language: ['node', 'tools/language.mts'],
	links: ['npm', 'run', '--silent', 'docs:links'],
};

/** Groups that are projects of Jest, and mostly compute. */
const projects = ['unit', 'sandbox', 'engine', 'models'];

const groups = [...Object.keys(checks), ...projects, 'e2e', 'queue'];

const given = process.argv.slice(2);
const flagsAt = given.findIndex((argument) => argument.startsWith('-'));
const named = given.slice(0, flagsAt === -1 ? undefined : flagsAt);
const flags = given.slice(named.length);
const isWhole = named.length === 0;
const chosen = (group: string) => isWhole || named.includes(group);

// Sandboxes and n8n instances are started by the dozen, and each would compile the same code again.
process.env.NODE_COMPILE_CACHE ??= resolve('.cache/compiled');
// Together with all others, a group leaves out what takes long, and models play fewer histories.
if (isWhole) process.env.BRIEFLY = '1';

let passed = 0;
const failures: string[] = [];

const unknown = named.filter((name) => !groups.includes(name));
if (unknown.length > 0) {
	console.error(`No such group: ${unknown.join(', ')}. There are ${groups.join(', ')}.`);
	process.exitCode = 1;
} else {
	const start = Date.now();
	// One row computes while the other waits for n8n.
	await Promise.all([runChecks().then(testCode), testInN8n()]);
	const counts = isWhole ? `${passed} passed, ${failures.length} failed` : 'done';
	console.log(`\n${counts} (${secondsSince(start)} s)`);
	// At the very end, which is kept of a log that is too long.
	for (const failure of failures) console.log(`failed: ${failure}`);
	if (failures.length > 0) process.exitCode = 1;
}

async function runChecks(): Promise<void> {
	for (const [name, command] of Object.entries(checks)) {
		if (chosen(name)) await perform(name, command, true);
	}
}

async function testCode(): Promise<void> {
	const code = projects.filter(chosen);
	if (code.length > 0) await perform(code.join(', '), jest(code, '--maxWorkers=3'), true);
}

async function testInN8n(): Promise<void> {
	// More files at a time would wait for the one n8n instance that they share.
	if (chosen('e2e')) await perform('e2e', jest(['e2e'], '--maxWorkers=2'));
	if (!chosen('queue')) return;
	const missing = await missingServer();
	if (!missing) return await perform('queue', jest(['queue'], '--runInBand'));
	const notRun = `queue: not run, ${missing}`;
	// It's a failure only if it was asked for, by name or in CI.
	if (!isWhole || process.env.REQUIRE_ALL_GROUPS) failures.push(notRun);
	else console.log(notRun);
}

function jest(names: string[], ...further: string[]): string[] {
	const leftOut = isWhole ? ['--testPathIgnorePatterns', 'atLength'] : [];
	return ['jest', '--selectProjects', ...names, ...further, ...leftOut, ...flags];
}

/**
 * Runs a command. Its output is shown if its group was named; else only if it fails.
 * @param letsOthersPass whether it leaves most of a busy processor to others
 */
async function perform(
	name: string,
	[command, ...args]: string[],
	letsOthersPass = false,
): Promise<void> {
	console.log(`── ${name}`);
	const start = Date.now();
	let result = '1 passed';
	let output: string | void;
	try {
		output = await (isWhole ? runQuietly : run)(command, args, { letsOthersPass });
	} catch (error) {
		if (!(error instanceof CommandFailed)) throw error;
		result = '1 failed';
		output = error.message;
		console.log(output);
		const titles = new Set(output.match(/(?<=^ {2}● )(?!Console).+/gm) ?? ['']);
		failures.push(...[...titles].map((title) => `${name} ${title}`.trim()));
	}
	// Jest's own count; other commands pass or fail as a whole.
	[result] = /(?<=^Tests: +)\S.*/m.exec(output ?? '') ?? [result];
	passed += Number(/\d+(?= passed)/.exec(result)?.[0] ?? 0);
	if (isWhole) console.log(`${name}: ${result} (${secondsSince(start)} s)`);
}

function secondsSince(start: number): string {
	return ((Date.now() - start) / 1000).toFixed(0);
}
