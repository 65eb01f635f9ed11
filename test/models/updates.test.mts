import './harness/simulatedTime.mts';
import { test } from '@jest/globals';
import { check } from './harness/model.mts';
import { histories, rowsOf, type History } from './updates/history.mts';
import { check as checkInvariants } from './updates/invariants.mts';
import { play } from './updates/play.mts';

test('no value is lost without a word, no row reaches another contact, and results are true', async () => {
	await check({
		history: histories,
		async play(history) {
			const { runs, contacts } = await play(history);
			checkInvariants(history, runs, contacts);
		},
		runs: 1_000,
		storyOf: (one: History) => JSON.stringify([one, one.executions.map((run) => rowsOf(one, run))]),
	});
});
