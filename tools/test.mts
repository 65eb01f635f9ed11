/**
 * The groups of tests. `node tools/test.mts NAME` runs one, and words and flags after the name go to
 * Jest: `errors` selects the files whose paths have it. The gulpfile has all groups run.
 */
import { setPriority } from 'node:os';
import { resolve } from 'node:path';
import { whyWithoutQueue } from '../playground/servers.mts';
import { endAs, run } from './run.mts';

// Sandboxes and n8n instances are started by the dozen, and each would compile the same code again.
process.env.NODE_COMPILE_CACHE ??= resolve('.cache/compiled');

/** The command of each group. */
const commands: Record<string, string[]> = {
	format: ['prettier', '--check', '--log-level', 'warn', '.'],
	lint: ['npm', 'run', '--silent', 'lint'],
	types: ['npm', 'run', '--silent', 'typecheck'],
	language: ['node', 'tools/language.mts'],
	links: ['npm', 'run', '--silent', 'docs:links'],
	unit: jest(3, 'unit'),
	sandbox: jest(3, 'sandbox'),
	engine: jest(3, 'engine'),
	models: jest(3, 'models'),
	'unit, sandbox, engine, models': jest(3, 'unit', 'sandbox', 'engine', 'models'),
	// More files at a time would wait for the one n8n instance that they share.
	e2e: jest(2, 'e2e'),
	queue: jest(1, 'queue'),
};

/** As the system counts: with it, a process has a third of what others have. */
const lowered = 5;

let passed = 0;
const failures: string[] = [];

function jest(workers: number, ...projects: string[]): string[] {
	return ['jest', '--selectProjects', ...projects, `--maxWorkers=${workers}`];
}

/** Has what follows leave out what takes long, and models play fewer histories. */
export async function briefly(): Promise<void> {
	process.env.BRIEFLY = '1';
}

/** Runs a group and counts its tests. Its output is shown if it fails, which keeps no other from running. */
export async function runGroup(name: string): Promise<void> {
	const missing = name === 'queue' && (await whyWithoutQueue());
	if (missing) return console.log(`queue: not run, ${missing}`);
	console.log(`── ${name}`);
	const start = performance.now();
	const [command, ...args] = commands[name];
	const running = run(command, args, { reject: false });
	// What waits for n8n goes first, and what computes has the rest of a busy processor.
	if (!['e2e', 'queue'].includes(name)) setPriority(running.pid!, lowered);
	const { all = '', failed } = await running;
	// Jest's own count; other commands pass or fail as a whole.
	const [result] = /(?<=^Tests: +)\S.*/m.exec(all) ?? [failed ? '1 failed' : '1 passed'];
	passed += Number(/\d+(?= passed)/.exec(result)?.[0] ?? 0);
	if (failed) {
		console.log(all);
		const titles = new Set(all.match(/(?<=^ {2}● )(?!Console).+/gm) ?? ['']);
		failures.push(...[...titles].map((title) => `${name} ${title}`.trim()));
		process.exitCode = 1;
	}
	console.log(`${name}: ${result} (${secondsSince(start)} s)`);
}

/** Prints what came of all groups, and the failures at the very end, which is kept of a long log. */
export async function report(): Promise<void> {
	console.log(`\n${passed} passed, ${failures.length} failed (${secondsSince(0)} s)`);
	for (const failure of failures) console.log(`failed: ${failure}`);
}

function secondsSince(start: number): string {
	return ((performance.now() - start) / 1000).toFixed(0);
}

/** Shows what a group prints. */
async function showGroup([name, ...further]: string[]): Promise<void> {
	const [command, ...args] = commands[name];
	await endAs(command, [...args, ...further]);
}

if (import.meta.main) void showGroup(process.argv.slice(2));
