import { afterEach, beforeEach, expect } from '@jest/globals';
import type { Execution, N8n, StoredWorkflow } from '../../../playground/client.mts';
import { createCredential } from '../../../playground/examples.mts';
import { anotherPoll, beginPolling, requestsTo, told, untilTold } from './pollingWorkflow.mts';
import { type RunningSandbox, startSandbox, unpaced } from '../sandbox/sandbox.mts';
import { outputOf } from './crmWorkflow.mts';

/**
 * A service for each test, and workflows that poll it until the test ends. n8n may go on asking for a
 * moment after it was shown to stop, so none is used again.
 */
export function pollingScene() {
	let sandbox: RunningSandbox;
	const active: Array<{ n8n: N8n; workflow: StoredWorkflow }> = [];

	beforeEach(async () => {
		sandbox = await startSandbox(['--requests-per-minute', '0']);
	});
	afterEach(async () => {
		for (const { n8n, workflow } of active.splice(0)) await n8n.deactivate(workflow);
		await sandbox.stop();
	});

	return {
		sandbox: () => sandbox,

		credentialIn: async (n8n: N8n) => await createCredential(n8n, unpaced(sandbox), 'Polling'),

		/** n8n polls at once, and what it finds then is what there was before. */
		async activate(n8n: N8n, workflow: StoredWorkflow): Promise<StoredWorkflow> {
			active.push({ n8n, workflow });
			await beginPolling(n8n, sandbox, workflow);
			return workflow;
		},

		/** How many messages the service was asked to send. */
		sends: async () => (await requestsTo(sandbox, 'POST', '/transactional/send')).length,

		/** Expects these and no other events to have been shown, each in one message, now and later. */
		async expectTold(events: string[]): Promise<void> {
			await untilTold(sandbox, events.length);
			await anotherPoll(sandbox);
			expect(await told(sandbox)).toEqual([...events].sort());
		},
	};
}

/** What the trigger gave in all executions. */
export function eventsOf(executions: Execution[]) {
	return executions.flatMap((execution) => outputOf(execution, 'Trigger')).map(({ json }) => json);
}
