/** Plays the scenario that it is sent, in simulated time, and sends back the outcome. */
import { once } from 'node:events';
import { currentTime, pass, passUntilDone, simulateTime } from './clock.mts';
import type { Outcome, Scenario } from './scenario.mts';

const received = once(process, 'message');
simulateTime();
// n8n takes its clocks when it's loaded.
const { N8n } = await import('./n8n.mts');
const { Service } = await import('./service.mts');

const [scenario] = (await received) as [Scenario];
Math.random = randomFrom(scenario.seed);
const outcome = await passUntilDone(play(scenario));
process.send!(outcome, undefined, undefined, () => process.exit());

async function play(scenario: Scenario): Promise<Outcome> {
	const begun = currentTime();
	const service = new Service(scenario.items);
	const errors = await Promise.all(
		scenario.beginsAt.map(async (ms) => {
			await pass(ms);
			return await new N8n(service, scenario).run();
		}),
	);
	const { requests, throttled, messages, updated } = service;
	return {
		seconds: (currentTime() - begun) / 1000,
		requests,
		throttled,
		messages: messages.size,
		updated: updated.size,
		errors: errors.filter((error) => error !== undefined),
	};
}

/** Random numbers from 0 to below 1, by mulberry32. */
function randomFrom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
