import './harness/simulatedTime.mts';
import { it } from '@jest/globals';
import { check } from './harness/model.mts';
import { histories, rowsOf, type History } from './updates/history.mts';
import { check as checkInvariants } from './updates/invariants.mts';
import { play } from './updates/play.mts';

it('no value is lost without a word, no row reaches another contact, and results are true', async () => {
	await check({
		history: histories,
		async play(history) {
			const { runs, service } = await play(history);
			checkInvariants(history, runs, service);
		},
		runs: 2_000,
		storyOf,
	});
});

function storyOf(history: History): string {
	const { executions, ...rest } = history;
	const told = executions.map(({ rows: _, ...set }, index) => [
		JSON.stringify(set),
		...rowsOf(history, executions[index]).map((row) => JSON.stringify(row)),
	]);
	return [JSON.stringify(rest), ...told.flat()].join('\n');
}
