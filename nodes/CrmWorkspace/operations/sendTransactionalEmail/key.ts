import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { SendRequest } from '../../service/crmWorkspace';
import {
	contentHash,
	keyFromOrigin,
	maxKeyLength,
	randomKey,
	type SendOrigin,
} from '../../service/idempotencyKey';
import { refuse } from '../refuse';
import type { KeyFamily } from './deliver';

/** Reads the keys of a run's items as their Idempotency parameter asks. */
export class KeyReader {
	/** The content that each custom key of this run stands for. */
	private readonly contents = new Map<string, string>();

	private readonly execution?: string;

	constructor(private readonly context: IExecuteFunctions) {
		this.execution = firstExecution(context);
	}

	/**
	 * The keys of an item's message; undefined for None.
	 * @throws NodeOperationError for a custom key that is empty, too long, or used for another
	 * message of this run
	 */
	read(message: SendRequest, itemIndex: number): KeyFamily | undefined {
		switch (this.context.getNodeParameter('idempotency', itemIndex)) {
			case 'none':
				return undefined;
			case 'custom':
				return this.readCustomKey(message, itemIndex);
			default:
				return this.familyFromExecution(message, itemIndex);
		}
	}

	private familyFromExecution(message: SendRequest, itemIndex: number): KeyFamily {
		const { context, execution } = this;
		const { firstExecutionId } = memoryOf(context);
		return {
			first: execution ? keyFromOrigin(this.originOf(message, itemIndex, execution)) : randomKey(),
			ifReused: {
				message: `This item was already sent in execution ${firstExecutionId ?? '(unknown)'}, with other content`,
				advice:
					'Nothing was sent now. A retried execution keeps to what it sent before: to send the new content too, start a new execution.',
			},
		};
	}

	private originOf(message: SendRequest, itemIndex: number, execution: string): SendOrigin {
		const { context } = this;
		const runIndex = Number(context.getWorkflowDataProxy(itemIndex).$runIndex);
		return {
			instanceId: context.getInstanceId(),
			workflowId: context.getWorkflow().id ?? '',
			execution,
			nodeId: context.getNode().id,
			turn: isTool(context) ? toolTurn(context, message, runIndex) : runIndex,
			itemIndex,
		};
	}

	private readCustomKey(message: SendRequest, itemIndex: number): KeyFamily {
		const first = String(this.context.getNodeParameter('idempotencyKey', itemIndex) ?? '').trim();
		const problem = this.customKeyProblem(first, contentHash(message));
		if (problem) {
			refuse(
				this.context,
				itemIndex,
				`Idempotency Key ${problem}`,
				'Enter what this one message is about, such as order-1042-shipped, or set Idempotency to From Execution.',
			);
		}
		return {
			first,
			ifReused: {
				message: `A message with the idempotency key “${first}” was already sent, with other content`,
				advice: 'Nothing was sent now. If this is another message, give it another key.',
			},
		};
	}

	private customKeyProblem(key: string, content: string): string | undefined {
		if (key === '') return 'is empty';
		if (key.length > maxKeyLength) return `is longer than ${maxKeyLength} characters`;
		if ((this.contents.get(key) ?? content) !== content) {
			return `“${key}” is the same as that of an earlier item with another message`;
		}
		this.contents.set(key, content);
		return undefined;
	}
}

/** What the node remembers from one execution to those that retry it. */
interface Memory extends IDataObject {
	/** What identifies the execution that tried this node first. */
	firstExecution?: string;
	/** Its ID, for the user. */
	firstExecutionId?: string;
	/** As a tool: the runs of an execution that asked for the same message, by its hash. */
	calls?: { executionId: string; runs: Record<string, number[]> };
}

function memoryOf(context: IExecuteFunctions): Memory {
	return context.getContext('node');
}

/**
 * What identifies the execution that tried this node first. A retried execution has an ID of its
 * own, but n8n hands on to it what the node remembered. When n8n itself was killed, that memory is
 * lost: what is left then is the token that n8n draws for each execution and stores before the
 * first node runs.
 */
function firstExecution(context: IExecuteFunctions): string | undefined {
	const memory = memoryOf(context);
	if (memory.firstExecution === undefined) {
		memory.firstExecutionId = context.getExecutionId();
		memory.firstExecution = executionToken(context) ?? context.getExecutionId();
	}
	return memory.firstExecution;
}

/** The random part of the address under which n8n resumes the execution: drawn once, kept by retries. */
function executionToken(context: IExecuteFunctions): string | undefined {
	const { resumeUrl = '' } = (context.getWorkflowDataProxy(0).$execution ?? {}) as {
		resumeUrl?: string;
	};
	if (!URL.canParse(resumeUrl)) return undefined;
	return new URL(resumeUrl).searchParams.get('signature') ?? undefined;
}

function isTool(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool');
}

/**
 * A retried agent calls its tools anew: in runs of other numbers, and perhaps in another order. A
 * call is therefore known by its message, and by how many calls of this execution asked for the
 * same message before.
 */
function toolTurn(context: IExecuteFunctions, message: SendRequest, runIndex: number): string {
	const memory = memoryOf(context);
	const executionId = context.getExecutionId();
	if (memory.calls?.executionId !== executionId) memory.calls = { executionId, runs: {} };

	const content = contentHash(message);
	const runs = (memory.calls.runs[content] ??= []);
	if (!runs.includes(runIndex)) runs.push(runIndex);
	return `${content} ${runs.indexOf(runIndex)}`;
}
