import './harness/simulatedTime.mts';
import { test } from '@jest/globals';
import { forgetWaits, passUntilDone } from './harness/clock.mts';
import { beginAnew, check } from './harness/model.mts';
import { history, type History, type Try } from './sends/history.mts';
import { Invariants } from './sends/invariants.mts';
import { Life } from './sends/life.mts';
import { DisturbedService } from './sends/service.mts';

/** The last retries of an execution that isn't done by then. */
const undisturbed: Try = {
	...{ edits: [], workflow: 'current', isOfFirst: false, faults: [], outcomes: [] },
	...{ failsAfter: undefined, kill: undefined, isLate: false },
};

async function play(one: History): Promise<void> {
	beginAnew(one.chance);
	const service = new DisturbedService(one.service);
	const life = new Life(one, service);
	const invariants = new Invariants(one, life, service);
	const tryAll = async () => {
		for (const next of [...one.tries, undisturbed, undisturbed]) {
			if (life.isGreen) return;
			if (next === undisturbed) service.messages.outcomes.clear();
			await life.go(next);
			invariants.check();
		}
	};
	await passUntilDone(tryAll()).finally(forgetWaits);
}

/** A line for the workflow, and one for each try. */
function storyOf({ tries, ...workflow }: History): string {
	const withoutEmpty = (_key: string, value: unknown) =>
		Array.isArray(value) && value.length === 0 ? undefined : value;
	return [workflow, ...tries].map((part) => JSON.stringify(part, withoutEmpty)).join('\n');
}

test('each message is sent once, and reported as what it is', async () => {
	await check({ history, play, storyOf, runs: 600 });
});
