import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';

test('without a server, the tests in queue mode fail with one line that says what helps', () => {
	const { status, stdout, stderr } = spawnSync(
		resolve('node_modules/.bin/node'),
		['tools/test.mts', 'queue'],
		{ env: { ...process.env, REDIS_URL: 'redis://:secret@127.0.0.1:1' }, encoding: 'utf8' },
	);
	const lines = stdout.split('\n').filter((line) => line.includes('not run'));
	expect(status).toBe(1);
	expect(lines).toEqual([
		expect.stringMatching(
			/Redis, but the one on 127\.0\.0\.1:1 can't be used .*: start it, or set REDIS_URL/,
		),
	]);
	expect(stdout + stderr).not.toContain('secret');
});
