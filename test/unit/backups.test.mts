import { expect, test } from '@jest/globals';
import type { IExecuteFunctions } from 'n8n-workflow';
import { backupsIn } from '../../nodes/CrmWorkspace/operations/updateContact/backups';

/** What n8n hands to a run of the node. */
const run = (execution: string | undefined, $runIndex: number, kept?: object) =>
	({
		getExecutionId: () => execution,
		getWorkflowDataProxy: () => ({ $runIndex }),
		getContext() {
			if (!kept) throw new Error('`executionData` is not initialized');
			return kept;
		},
	}) as unknown as IExecuteFunctions;

const debt = { others: { notes: 'x' }, written: { tags: ['a'] } };

test('another try of a turn finds what the first one has left owing', () => {
	const kept = {};
	backupsIn(run('1', 0, kept)).a = debt;
	const stored = JSON.parse(JSON.stringify(kept));
	expect(backupsIn(run('1', 0, stored))).toEqual({ a: debt });
});

test.each([
	['another turn', '1', 1],
	['another execution', '2', 0],
])('%s begins anew', (_what, execution, runIndex) => {
	const kept = {};
	backupsIn(run('1', 0, kept)).a = debt;
	expect(backupsIn(run(execution, runIndex, kept))).toEqual({});
	expect(backupsIn(run('1', 0, kept))).toEqual({});
});

test.each([
	['without an execution', undefined],
	['where n8n keeps nothing', '1'],
])('%s nothing is owing', (_where, execution) => {
	expect(backupsIn(run(execution, 0))).toEqual({});
});
