import './harness/simulatedTime.mts';
import { it } from '@jest/globals';
import { check } from './harness/model.mts';
import { histories, rowsOf } from './updates/history.mts';
import { check as checkInvariants } from './updates/invariants.mts';
import { play } from './updates/play.mts';

it('no value is lost without a word, no row reaches another contact, and results are true', async () => {
	await check({
		history: histories,
		async play(history) {
			const { runs, service } = await play(history);
			checkInvariants(history, runs, service);
		},
		runs: 1_000,
		storyOf: (one) => JSON.stringify([one, one.executions.map((run) => rowsOf(one, run))]),
	});
});
