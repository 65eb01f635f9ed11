import type { IExecuteFunctions } from 'n8n-workflow';
import { fingerprint } from '../../service/idempotencyKey';
import { newMemory, type Memory } from './memory';

/** An execution and all that retry it, as far as a run of the node can see them. */
export interface Lineage {
	memory: Memory;
	executionId: string;
	/**
	 * Which turn of the workflow this run belongs to. A turn that is tried again, by Retry On Fail or
	 * by a retried execution, has the same name; no two turns of an execution share one.
	 */
	turn: string;
	/** The same object for all runs of one try of the turn, another one for the next try. */
	tryOfTurn: object;
	/** Whether a turn that is tried again has its items in the same order. */
	isOrdered: boolean;
}

/** Under which name the memory stands in what n8n keeps for the workflow's nodes. */
const memoryName = 'n8n-nodes-crm-workspace';

/**
 * The lineage of a run. Undefined where n8n runs a node outside of any execution that could be
 * retried, as its MCP Server Trigger and its agents module do.
 */
export function lineageOf(context: IExecuteFunctions): Lineage | undefined {
	const executionId = context.getExecutionId();
	const kept = keptForWorkflow(context);
	if (!executionId || !kept) return undefined;

	kept[memoryName] ??= newMemory(executionToken(context) ?? executionId);
	return { memory: kept[memoryName], executionId, ...turnOf(context) };
}

/**
 * What n8n keeps with an execution for all nodes together, and hands on to every retry, also when a
 * node was renamed or made anew meanwhile.
 */
function keptForWorkflow(context: IExecuteFunctions): Record<string, Memory> | undefined {
	try {
		return context.getContext('flow') as Record<string, Memory>;
	} catch {
		return undefined;
	}
}

/**
 * The random part of the address under which n8n resumes the execution: drawn once, stored before
 * the first node runs, and kept by retries even where n8n was killed and all memory is lost.
 */
function executionToken(context: IExecuteFunctions): string | undefined {
	const { resumeUrl = '' } = (context.getWorkflowDataProxy(0).$execution ?? {}) as {
		resumeUrl?: string;
	};
	if (!URL.canParse(resumeUrl)) return undefined;
	return new URL(resumeUrl).searchParams.get('signature') ?? undefined;
}

/**
 * A node that n8n's engine runs has its turns counted. An agent that calls the node itself counts
 * each call as a run, tries again included, so there the turn is the agent's, whatever the node is
 * called: between tries it may be renamed, and n8n retries no agent that was.
 */
function turnOf(context: IExecuteFunctions): Pick<Lineage, 'turn' | 'tryOfTurn' | 'isOrdered'> {
	const { name } = context.getNode();
	const proxy = context.getWorkflowDataProxy(0);
	const { node: caller = { name }, runIndex } = context.getExecuteData() ?? {};
	if (caller.name === name) {
		return { turn: fingerprint([name, proxy.$runIndex]), tryOfTurn: {}, isOrdered: true };
	}

	const ended = (proxy.$node as Record<string, { runIndex: number }>)[caller.name].runIndex;
	const turn = fingerprint(['called by', caller.name, runIndex ?? ended + 1]);
	return { turn, tryOfTurn: tryOfCaller(context), isOrdered: false };
}

/** n8n tells a called node nothing of its caller's try, but hands to all calls of a try one list. */
function tryOfCaller(context: IExecuteFunctions): object {
	return (context as unknown as { closeFunctions?: object }).closeFunctions ?? {};
}
