import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from '@jest/globals';
import { until } from '../../playground/client.mts';

const children: ChildProcess[] = [];
afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));

/** Runs a program of its own process group, to its first line. */
async function begin(program: string) {
	const child = spawn(resolve('node_modules/.bin/node'), ['--input-type=module', '-e', program], {
		detached: true,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	children.push(child);
	const ended = once(child, 'exit');
	const errors = text(child.stderr);
	const [line] = await once(child.stdout, 'data');
	return { child, ended, errors, line: String(line).trim() };
}

function isRunning(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

const gone = async (pid: number) =>
	await until(`${pid} to be gone`, 15, async () => !isRunning(pid) || undefined);

describe('what a process has started goes with it', () => {
	const starts = `
		import { spawn } from 'node:child_process';
		import { writeFileSync } from 'node:fs';
		import { join } from 'node:path';
		import { endAtExit, exitWhenTold, throwAwayFolder } from './playground/atExit.mts';
		exitWhenTold();
		const { path: folder } = throwAwayFolder('crm-workspace-ending-');
		writeFileSync(join(folder, 'any'), '');
		const child = spawn('sleep', ['600']);
		endAtExit(child, 'SIGKILL');
		console.log(JSON.stringify({ folder, pid: child.pid }));
	`;

	test.each([
		['SIGINT', 130],
		['SIGTERM', 143],
	] as const)('when it is told to end by %s', async (signal, code) => {
		const { child, ended, line } = await begin(starts);
		const { folder, pid } = JSON.parse(line);
		expect([existsSync(folder), isRunning(pid)]).toEqual([true, true]);
		child.kill(signal);
		expect(await ended).toEqual([code, null]);
		expect(existsSync(folder)).toBe(false);
		await gone(pid);
	});

	test('when it fails', async () => {
		const { ended, line } = await begin(`${starts}\nsetTimeout(() => { throw new Error(); });`);
		const { folder, pid } = JSON.parse(line);
		expect(await ended).toEqual([1, null]);
		expect(existsSync(folder)).toBe(false);
		await gone(pid);
	});
});

describe('a command that the tools run', () => {
	const runs = (command: string) => `
		import { run } from './tools/run.mts';
		await run('node', ['-e', ${JSON.stringify(command)}]).catch(({ name, message }) => {
			console.error(name + ': ' + message.split(' ').slice(-3).join(' '));
		});
	`;

	test('ends in its own way on Ctrl-C, which is waited for', async () => {
		const { child, ended, errors } = await begin(
			runs(`
				process.once('SIGINT', () => setTimeout(() => process.exit(7), 300));
				setInterval(() => {}, 1000);
				console.log('begun');
			`),
		);
		process.kill(-child.pid!, 'SIGINT');
		expect(await ended).toEqual([0, null]);
		expect(await errors).toBe('CommandFailed: ended with 7\n');
	});

	test('does not outlive the process that runs it', async () => {
		const { child, ended, line } = await begin(
			runs('setInterval(() => {}, 1000); console.log(process.pid)'),
		);
		child.kill('SIGTERM');
		expect(await ended).toEqual([null, 'SIGTERM']);
		await gone(Number(line));
	});

	test('fails with all that it printed, in order', async () => {
		const { line } = await begin(`
			import { CommandFailed, runQuietly } from './tools/run.mts';
			const error = await runQuietly('sh', ['-c', 'echo one; echo two >&2; exit 3']).catch((e) => e);
			console.log(JSON.stringify([error instanceof CommandFailed, error.message]));
		`);
		const [isCommandFailed, message] = JSON.parse(line);
		expect(isCommandFailed).toBe(true);
		expect(message).toMatch(/one\n[^]*ended with 3$/);
		expect(message).toContain('two\n');
	});
});
