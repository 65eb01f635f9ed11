import { expect, test } from '@jest/globals';
import type { IExecuteFunctions } from 'n8n-workflow';
import { putBackWhenCancelled } from '../../nodes/CrmWorkspace/operations/putBackWhenCancelled';

const items = [{ json: { id: 1 } }];

/** A run of the node Ours, for an entry of n8n's stack that is another node's if it is a tool. */
function begin(nodeOfEntry = 'Ours') {
	const cancel = new AbortController();
	const stack: unknown[] = [];
	const context = {
		getExecutionCancelSignal: () => cancel.signal,
		getExecuteData: () => ({ node: { name: nodeOfEntry }, data: {}, source: null }),
		getNode: () => ({ name: 'Ours' }),
		getExecutionId: () => '1',
		getMode: () => 'webhook',
		runExecutionData: { resultData: { runData: {} }, executionData: { nodeExecutionStack: stack } },
	} as unknown as IExecuteFunctions;
	return { cancel: () => cancel.abort(), stack, context };
}

test('a run that is cancelled goes back on the stack at once, and puts out nothing, whatever comes of it', async () => {
	for (const end of [async () => items, async () => Promise.reject(new Error('Cancelled'))]) {
		const { context, cancel, stack } = begin();
		const run = async () => {
			cancel();
			expect(stack).toMatchObject([{ node: { name: 'Ours' } }]);
			return await end();
		};
		expect(await putBackWhenCancelled(context, run)).toBeNull();
	}
});

test('a run that ended before the execution was cancelled is not done again', async () => {
	const { context, cancel, stack } = begin();
	expect(await putBackWhenCancelled(context, async () => items)).toEqual([items]);
	cancel();
	expect(stack).toEqual([]);
});

test("a tool is called again by its agent: the agent's place on the stack is not its own", async () => {
	const { context, cancel, stack } = begin('Agent');
	const run = async () => {
		cancel();
		throw new Error('Cancelled');
	};
	await expect(putBackWhenCancelled(context, run)).rejects.toThrow('Cancelled');
	expect(stack).toEqual([]);
});
