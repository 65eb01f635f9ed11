import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from '@jest/globals';

import { request } from 'undici';

import { until } from '../../playground/client.mts';
import { variantDefinitions, variantNames } from '../../sandbox/variants.mts';
import { startSandbox, type RunningSandbox } from '../support/sandbox/sandbox.mts';
import { inlineMessage } from './service.mts';

const running: RunningSandbox[] = [];
const children: ChildProcess[] = [];
afterEach(async () => {
	children.splice(0).forEach((child) => child.kill('SIGKILL'));
	await Promise.all(running.splice(0).map((sandbox) => sandbox.stop()));
});

async function start(...args: string[]): Promise<RunningSandbox> {
	const sandbox = await startSandbox(args);
	running.push(sandbox);
	return sandbox;
}

function run(...args: string[]) {
	const child = spawn(resolve('node_modules/.bin/node'), ['sandbox/main.mts', ...args]);
	children.push(child);
	return {
		child,
		output: text(child.stdout),
		errors: text(child.stderr),
		exit: once(child, 'exit'),
	};
}

async function send({ baseUrl, testKey }: RunningSandbox, fields = {}) {
	const { statusCode, body } = await request(`${baseUrl}/transactional/send`, {
		method: 'POST',
		headers: { 'x-api-key': testKey, 'content-type': 'application/json' },
		body: JSON.stringify({ ...inlineMessage, ...fields }),
	});
	return { status: statusCode, body: (await body.json()) as any };
}

describe('the command line', () => {
	test('prints the address, a key of each kind and the rate limit, and SIGTERM ends it', async () => {
		const { child, output, exit } = run('--port', '0');
		await once(child.stdout, 'data');
		child.kill('SIGTERM');
		expect(await exit).toEqual([0, null]);
		const lines = await output;
		expect(lines).toMatch(/^Base URL +http:\/\/127\.0\.0\.1:\d+\/api\/v1$/m);
		expect(lines).toMatch(/http:\/\/127\.0\.0\.1:\d+\/_sandbox\n/);
		expect(lines).toMatch(/^Test key +sk_test_\w{40}$/m);
		expect(lines).toMatch(/^Live key +sk_live_\w{40}$/m);
		// Interface: LIMIT-1.
		expect(lines).toMatch(/^Rate limit +60 requests per minute per key$/m);
	});

	test('--help lists each variant with its values', async () => {
		const { output, exit } = run('--help');
		expect(await exit).toEqual([0, null]);
		for (const name of variantNames) {
			const { allowed, meaning } = variantDefinitions[name];
			expect(await output).toContain(`${name}: ${allowed.join(', ')}\n    ${meaning}`);
		}
	});

	test('a taken port is said in one line', async () => {
		const other = createServer().listen(0, '127.0.0.1');
		await once(other, 'listening');
		const { port } = other.address() as { port: number };
		const { errors, exit } = run('--port', String(port));
		expect(await exit).toEqual([1, null]);
		const lines = (await errors).trim().split('\n');
		expect(lines).toHaveLength(1);
		expect(lines[0]).toContain(String(port));
		other.close();
	});

	test.each([
		[['--port', 'many'], /--port must be a whole number, not 'many'/],
		[['--variant', 'clockOffset=999'], /The variant 'clockOffset' cannot be "999"\. Allowed: 0/],
		[['--unknown'], /--unknown/],
	])('%j is refused in words, without a stack trace', async (args, expected) => {
		const { errors, exit } = run(...args);
		expect(await exit).toEqual([1, null]);
		expect(await errors).toMatch(expected);
		expect(await errors).not.toMatch(/\n\s+at /);
	});

	test('options set the beginning: seed, contacts, variants, rate limit and latency', async () => {
		const sandbox = await start(
			...['--seed', '9', '--contacts', '3', '--latency', '1', '--requests-per-minute', '1'],
			...['--variant', 'service=odd', '--variant', 'clockOffset=3600'],
			...['--variants', '{"errorBody":"flat"}'],
		);
		expect((await sandbox.control('GET', '/contacts')).data).toHaveLength(3);
		expect(await send(sandbox)).toMatchObject({ status: 202, body: { requestId: 'request-0' } });
		expect(await send(sandbox)).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
		await sandbox.control('POST', '/reset');
		expect(await send(sandbox)).toMatchObject({ status: 202, body: { requestId: 'request-0' } });
		expect((await sandbox.control('GET', '/variants')).clockOffset).toBe(3600);
	});

	test('it ends by itself when the process that started it is gone', async () => {
		const parent = `
			const { fork } = require('node:child_process');
			const child = fork('sandbox/main.mts', ['--port', '0'], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
			child.once('message', ({ baseUrl }) => { console.log(baseUrl); process.exit(); });
		`;
		const child = spawn(resolve('node_modules/.bin/node'), ['-e', parent]);
		const baseUrl = (await text(child.stdout)).trim();
		const answers = () =>
			request(baseUrl).then(
				() => true,
				() => false,
			);
		await until('the sandbox to end', 20, async () => !(await answers()) || undefined);
	});
});

describe('storage', () => {
	test('a file keeps the data', async () => {
		const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
		const database = join(folder, 'data.sqlite');
		const first = await start('--database', database);
		const { body } = await send(first, { idempotencyKey: 'k' });
		await running.pop()!.kill();
		const second = await start('--database', database);
		expect((await send(second, { idempotencyKey: 'k' })).body.data.id).toBe(body.data.id);
		expect((await second.control('GET', '/inbox')).data).toHaveLength(1);
		await running.pop()!.stop();
		rmSync(folder, { recursive: true });
	});
});
