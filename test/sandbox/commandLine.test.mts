import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from '@jest/globals';

import { request } from 'undici';

import { startSandbox, type RunningSandbox } from '../support/sandbox/sandbox.mts';

let sandbox: RunningSandbox | undefined;
afterAll(() => sandbox?.stop());

/** Runs the command until it ends, or has printed the rate limit. */
async function run(...args: string[]) {
	const child = spawn(resolve('node_modules/.bin/node'), ['sandbox/main.mts', ...args]);
	child.stdout.on('data', (data) => void (/^Rate limit/m.test(data) && child.kill('SIGTERM')));
	const ended = once(child, 'exit');
	const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
	return { code: (await ended)[0], output, errors };
}

test('it prints the address, a key of each kind and the rate limit, and SIGTERM ends it', async () => {
	const { code, output } = await run('--port', '0');
	expect(code).toBe(0);
	expect(output.split('\n')).toEqual([
		expect.stringMatching(/^Base URL +http:\/\/127\.0\.0\.1:\d+\/api\/v1$/),
		expect.stringMatching(/^Test key +sk_test_\w{40}$/),
		expect.stringMatching(/^Live key +sk_live_\w{40}$/),
		expect.stringMatching(/^Inbox and controls +http:\/\/127\.0\.0\.1:\d+\/_sandbox$/),
		// Interface: LIMIT-1.
		expect.stringMatching(/^Rate limit +60 requests per minute per key$/),
		'',
	]);
});

test.each([
	[['--port', 'many'], "--port must be a whole number, not 'many': --help lists all options\n"],
	[['--unknown'], "Unknown option '--unknown': --help lists all options\n"],
	[['--variant', 'service=old'], "There is no variant 'service=old': --help lists all options\n"],
])('%j is refused in one sentence', async (args, errors) => {
	expect(await run(...args)).toEqual({ code: 1, output: '', errors });
});

test('options set the beginning: seed, contacts, variants, rate limit and latency', async () => {
	sandbox = await startSandbox([
		...['--seed', '9', '--contacts', '3', '--latency', '200', '--requests-per-minute', '7'],
		...['--variant', 'clockOffset=-3600', '--variant', 'errorBody=flat'],
	]);
	const { baseUrl, control, testKey } = sandbox;
	expect((await control('GET', '/contacts')).data).toHaveLength(3);
	expect((await control('GET', '/rate')).requestsPerMinute).toBe(7);
	const variants = { clockOffset: -3600, errorBody: 'flat' };
	expect(await control('GET', '/variants')).toMatchObject(variants);
	expect((await control('POST', '/reset')).testKey).toBe(testKey);
	expect((await control('POST', '/reset', { seed: 1 })).testKey).not.toBe(testKey);
	const started = performance.now();
	await request(`${baseUrl}/widgets`);
	expect(performance.now() - started).toBeGreaterThan(190);
});
