import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { request } from 'undici';
import type { Introduction } from '../../../sandbox/control/plugin.mts';

/** A sandbox in another process. */
export interface Sandbox extends Introduction {
	/**
	 * Uses a control, such as `control('POST', '/reset')`.
	 * @returns the answer's body, undefined when it has none
	 * @throws an Error with status and body for anything but success
	 */
	control(method: Method, path: string, body?: unknown): Promise<any>;
}

/** A sandbox that this process has started. */
export interface RunningSandbox extends Sandbox {
	stop(): Promise<void>;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const main = resolve('sandbox/main.mts');
const node24 = resolve('node_modules/.bin/node');

/**
 * Starts a sandbox on a free port. It ends with the process that started it.
 * @param args as on the command line of `sandbox/main.mts`
 */
export async function startSandbox(args: string[] = []): Promise<RunningSandbox> {
	const child = fork(main, ['--port', '0', ...args], {
		execPath: node24,
		execArgv: [],
		stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
	});
	const ended = once(child, 'exit');
	const introduction = await Promise.race([
		once(child, 'message').then(([message]) => message),
		ended.then(([code]) => Promise.reject(new Error(`The sandbox ended with code ${code}`))),
	]);
	return {
		...sandboxAt(introduction),
		async stop() {
			child.kill('SIGTERM');
			await ended;
		},
	};
}

/** A sandbox that has introduced itself. */
export function sandboxAt(introduction: Introduction): Sandbox {
	return {
		...introduction,
		control: (method, path, body) => control(introduction.controlUrl + path, method, body),
	};
}

/** What a credential for its test data holds, with a pace that keeps no one waiting. */
export function unpaced({ baseUrl, testKey: apiKey }: Sandbox) {
	return { baseUrl, apiKey, requestsPerMinute: 100_000 };
}

async function control(url: string, method: Method, body: unknown): Promise<unknown> {
	const answer = await request(url, {
		method,
		// A connection that waits may be closed just when it is used.
		reset: true,
		headers: method === 'GET' ? {} : { 'content-type': 'application/json' },
		body: body === undefined ? undefined : JSON.stringify(body),
	});
	const text = await answer.body.text();
	if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.statusCode} ${text}`);
	return text ? JSON.parse(text) : undefined;
}
