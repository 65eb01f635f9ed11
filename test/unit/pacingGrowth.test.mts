import { expect, test } from '@jest/globals';
import { RateLimiter } from '../../nodes/CrmWorkspace/transport/pacer';

import { computed } from '../support/engine/cpuTime.mts';

const minute = 60_000;

const credential = (apiKey: string) =>
	({
		baseUrl: 'https://crm.example.com/api/v1',
		mode: 'test',
		apiKey,
		authHeader: 'authorization',
		requestsPerMinute: 60,
	}) as const;

test('ten times as many requests a minute take ten times as long, not a hundred times', async () => {
	const timeOf = async (count: number) => {
		const clock = { time: 0, now: () => clock.time, date: () => 0, wait: async () => {} };
		const pacer = new RateLimiter(clock, count);
		const begun = computed();
		for (; clock.time < 2 * minute; clock.time += minute + 1000) {
			const requests = Array.from({ length: count }, async () =>
				(await pacer.admit('a'))?.end('letThrough'),
			);
			await Promise.all(requests);
		}
		return computed() - begun;
	};
	await timeOf(4000);
	// Memory may have been cleared up meanwhile: the smallest of some counts.
	let least = Infinity;
	for (let tries = 0; least > 30 && tries < 5; tries++) {
		least = Math.min(least, (await timeOf(40_000)) / (await timeOf(4000)));
	}
	expect(least).toBeLessThan(30);
});
