/** Plays the scenario that it is sent, in simulated time, and sends back the outcome. */
import { once } from 'node:events';
import { currentTime, fakeTime, pass, passUntilDone } from '../../test/models/harness/clock.mts';
import { randomFrom } from '../../sandbox/random.mts';
import type { Outcome, Scenario } from './scenario.mts';

const received = once(process, 'message');
fakeTime();
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
	const { requests, messages, updated } = service;
	return {
		seconds: (currentTime() - begun) / 1000,
		requests,
		messages: messages.size,
		updated: updated.size,
		errors: errors.filter((error) => error !== undefined),
	};
}
