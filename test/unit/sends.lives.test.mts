import { expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { sendTransactionalEmail } from '../../nodes/CrmWorkspace/operations/sendTransactionalEmail';
import type { Connection } from '../../nodes/CrmWorkspace/transport/connection';
import { IdempotentService, type Disturbance } from '../support/simulated/idempotentService.mts';

// More lives take longer.
jest.setTimeout(900_000);

const disturbances: Disturbance[] = [
	'refused',
	'conflictOfProxy',
	'rejected',
	'deliveredLater',
	'neverSent',
	'lostBefore',
	'lostAfter',
	'stoppedAfter',
	'sendFails',
	'sendFailsAsMessage',
	'sendFailsUnseen',
	'sendFailsNow',
];

const contents = ['a', 'b', 'c'] as const;

interface Row {
	id: number;
	content: string;
}

/** What happens before, in and after a run of the node. All messages go to one recipient. */
const step = fc.record({
	disturbed: fc.array(
		fc.record({ content: fc.constantFrom(...contents), by: fc.constantFrom(...disturbances) }),
		{ maxLength: 3 },
	),
	/** How many rows a new invocation takes, and which credential it has. */
	size: fc.integer({ min: 1, max: 3 }),
	workspace: fc.constantFrom(0, 0, 1),
	then: fc.constantFrom('next', 'next', 'back', 'back', 'again', 'retry', 'kill', 'kill'),
	/** What becomes of the rows before a retry. */
	edit: fc.constantFrom('none', 'none', 'reverse', 'rotate', 'change', 'remove'),
});

const life = fc.record({
	rows: fc.array(fc.constantFrom(...contents), { minLength: 1, maxLength: 6 }),
	steps: fc.array(step, { minLength: 1, maxLength: 12 }),
	isAgent: fc.boolean(),
	code: fc.constantFrom('IDEMPOTENT_REPLAY', 'IDEMPOTENCY_KEY_REUSED'),
	options: fc.record({
		onOriginalFailed: fc.constantFrom('sendAgain', 'fail'),
		onContentChanged: fc.constantFrom('fail', 'output'),
		onRejected: fc.constantFrom('fail', 'output'),
	}),
});

/** One invocation of the node: its rows, and the entry of n8n's stack, which retries keep. */
interface Invocation {
	rows: Row[];
	workspace: number;
	entry: { node: { name: string }; metadata?: object };
}

/** What n8n stores of an execution; after a kill it is as it was when the execution was stored last. */
interface Stored {
	flow: object;
	invocation?: Invocation;
	rest: Row[];
}

/** The part of n8n's context that the operation uses, for one call of the node. */
function contextOf(
	{ rows, workspace, entry }: Invocation,
	flow: object,
	closeFunctions: object,
	options: IDataObject,
): IExecuteFunctions {
	const parameters: Record<string, unknown> = {
		to: 'ada@example.com',
		content: 'template',
		templateSlug: 'welcome',
		idempotency: 'execution',
		simplify: true,
		options,
	};
	const valueOf = (name: string, item: number) =>
		name === 'additionalFields.subject' ? rows[item].content : parameters[name];
	const credentials = { crmWorkspaceApi: { id: `${workspace}`, name: 'CRM' } };
	return {
		closeFunctions,
		continueOnFail: () => true,
		getContext: () => flow,
		getExecuteData: () => entry,
		getExecutionId: () => '1',
		getInputData: () => rows.map(({ content }) => ({ json: { content } })),
		getInstanceId: () => 'instance',
		getMode: () => 'trigger',
		getNode: () => ({ id: 'id', name: 'Send', parameters: {}, credentials }),
		getNodeParameter: (name: string, item: number, fallback?: unknown) =>
			valueOf(name, item) ?? fallback,
		getWorkflow: () => ({ id: 'workflow' }),
		getWorkflowDataProxy: () => ({
			$execution: { resumeUrl: 'http://127.0.0.1/?signature=token' },
		}),
	} as unknown as IExecuteFunctions;
}

const connectionTo = (service: IdempotentService): Connection =>
	({
		...{ announce() {}, close() {}, hints: () => [], redact: (text: string) => text },
		...service.connection,
	}) as unknown as Connection;

test('whatever happens, no message is sent more often than it was meant, and none is taken for sent', async () => {
	const lives = fc.asyncProperty(life, async ({ rows, steps, isAgent, code, options }) => {
		const services = [new IdempotentService(code), new IdempotentService(code)];
		const meant = new Map<string, Set<number>>();
		let execution: Stored = { flow: {}, rest: rows.map((content, id) => ({ id, content })) };
		let stored = structuredClone(execution);

		for (const { disturbed, size, workspace, then, edit } of steps) {
			const { flow, rest } = execution;
			const entry = { node: { name: isAgent ? 'Agent' : 'Send' } };
			const invocation = execution.invocation ?? { rows: rest.splice(0, size), workspace, entry };
			if (invocation.rows.length === 0) break;
			const service = services[invocation.workspace];
			service.disturbances.clear();
			for (const { content, by } of disturbed) {
				service.disturbances.set(content, [...(service.disturbances.get(content) ?? []), by]);
			}

			// An agent calls the node once for each row; n8n gives it all items of an invocation at once.
			const calls = isAgent ? invocation.rows.map((row) => [row]) : [invocation.rows];
			const closeFunctions = {};
			const failed: Row[] = [];
			for (const called of calls) {
				for (const [content, equal] of Map.groupBy(called, (row) => row.content)) {
					const message = `${invocation.workspace} ${content}`;
					const ids = meant.get(message) ?? new Set();
					meant.set(message, ids);
					if (!equal.some(({ id }) => ids.has(id))) ids.add(equal[0].id);
				}
				const call = { ...invocation, rows: called };
				const context = contextOf(call, flow, closeFunctions, options);
				const output = await sendTransactionalEmail.execute(context, connectionTo(service));
				for (const [item, { json }] of output.items.entries()) {
					if (json.error !== undefined) failed.push(called[item]);
					else if (json.id !== undefined && options.onRejected === 'fail') {
						expect(service.delivered).toContain(called[item].content);
					}
				}
			}
			for (const [message, { size: times }] of meant) {
				const [of, content] = message.split(' ');
				const delivered = services[Number(of)].delivered.filter((one) => one === content);
				expect({ message, isTwice: delivered.length > times }).toEqual({ message, isTwice: false });
			}

			execution.invocation = undefined;
			if (then === 'back' && !isAgent && failed.length > 0) {
				const { workspace: its } = invocation;
				execution.invocation = { rows: failed, workspace: its, entry: { node: entry.node } };
			}
			if (then === 'again' || then === 'retry') execution.invocation = invocation;
			if (then === 'retry') stored = structuredClone(execution);
			if (then === 'retry' || then === 'kill') {
				execution = structuredClone(stored);
				// Parameters may be corrected; the rows of an invocation stay in their order.
				if (execution.invocation && edit === 'change') {
					execution.invocation.rows = edited(execution.invocation.rows, edit);
				}
				execution.rest = edited(execution.rest, edit);
			}
		}
	});
	await fc.assert(lives, {
		numRuns: Number(process.env.LIVES ?? 2000),
		seed: Number(process.env.SEED ?? 1),
	});
});

function edited(rows: Row[], edit: string): Row[] {
	switch (edit) {
		case 'reverse':
			return rows.toReversed();
		case 'rotate':
			return [...rows.slice(1), ...rows.slice(0, 1)];
		case 'change':
			return rows.map((row, index) => (index === 0 ? { ...row, content: `${row.content}'` } : row));
		case 'remove':
			return rows.slice(1);
		default:
			return rows;
	}
}
