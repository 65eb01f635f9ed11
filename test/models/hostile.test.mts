import './harness/simulatedTime.mts';
import { it } from '@jest/globals';
import { inspect } from 'node:util';
import { check } from './harness/model.mts';
import { Violation } from './harness/violation.mts';
import { histories } from './hostile/history.mts';
import { check as checkOutcome } from './hostile/invariants.mts';
import { play } from './hostile/play.mts';

/** CPU time that the node may take without letting n8n do anything else, in ms. */
const longestMs = 1_000;

it('whatever comes in, errors are in words, nothing blocks n8n, and the key stays secret', async () => {
	await check({
		history: histories,
		async play(history) {
			let outcome = await play(history);
			// What was slow counts if it is slow again, when all is compiled.
			if (outcome.blockedMs > longestMs) outcome = await play(history);
			checkOutcome(history, outcome);
			if (outcome.blockedMs > longestMs) {
				throw new Violation('nothing blocks n8n', `${Math.round(outcome.blockedMs)} ms at once`);
			}
		},
		runs: 700,
		storyOf: (history) => inspect(history, { depth: 9, breakLength: 100, maxStringLength: 300 }),
	});
});
