import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
	scripts: Record<string, string>;
};

/** Runs an npm script as a user types it, without the set-up before it. */
async function run(name: string, ...args: string[]) {
	const [command, ...given] = scripts[name].split(' && ').at(-1)!.split(' ');
	const ran = promisify(execFile)(command, [...given, ...args]);
	const { code = 0, stdout, stderr } = await ran.catch((error) => error);
	return { code, stdout, stderr };
}

test.each([
	['demo', ['--once ', '--n8n-port VALUE .*5678', '--sandbox-port VALUE .*8787']],
	['bench', ['list|sync|sends|computing', '--quick ', '--write ']],
	['sandbox', ['--port VALUE .*8787', '--database VALUE .*:memory:', '--contacts VALUE .*40']],
])('npm run %s -- --help prints its options and nothing else', async (command, lines) => {
	const { code, stdout, stderr } = await run(command, '--help');
	expect([code, stderr]).toEqual([0, '']);
	expect(stdout).toMatch(new RegExp(`^Usage: npm run ${command} -- `));
	for (const line of lines) expect(stdout).toMatch(new RegExp(line));
});

test.each([
	['demo', '--foo', "Unknown option '--foo'"],
	['demo', 'foo', "Unknown argument 'foo'"],
	['bench', '--foo', "Unknown option '--foo'"],
	['bench', 'foo', "Unknown argument 'foo'"],
	['sandbox', '--foo', "Unknown option '--foo'"],
	['sandbox', '--port=', "--port must be a whole number, not ''"],
])('npm run %s -- %s is refused in one sentence', async (command, mistake, sentence) => {
	const stderr = `${sentence}: --help lists all options\n`;
	expect(await run(command, mistake)).toEqual({ code: 1, stdout: '', stderr });
});

test('the Node.js that set-up has just installed runs what follows it', () => {
	// A shell keeps the place of a command that it has run, so `node` would be the older one.
	for (const script of Object.values(scripts)) expect(script).not.toMatch(/node .* && node /);
});
