import type { IExecuteFunctions } from 'n8n-workflow';
import { randomUUID } from 'crypto';
import { fingerprint } from '../../service/idempotencyKey';
import { firstRunOf, lossOf, type Loss } from './loss';
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
	/**
	 * The ID of the credential that the turn is sent with: two credentials may be for two workspaces,
	 * which know nothing of each other's messages. A turn that is tried again keeps the one that it
	 * began with, so that one made anew, after its key was revoked, sends nothing twice.
	 */
	credential: string;
	/** The same object for all runs of one try of the turn, another one for the next try. */
	tryOfTurn: object;
	/** Whether a turn that is tried again has its items in the same order. */
	isOrdered: boolean;
	/** Whether no execution of the lineage can have done more than is remembered. */
	isComplete: boolean;
	/** What is known where the execution that is retried is forgotten: see `Memory.losses`. */
	loss?: Loss;
}

/** Under which name this package's things stand in what n8n keeps. */
const ourName = 'n8n-nodes-crm-workspace';

/**
 * The lineage of a run. Undefined where n8n runs a node outside of any execution that could be
 * retried, as its MCP Server Trigger and its agents module do.
 */
export function lineageOf(context: IExecuteFunctions): Lineage | undefined {
	const executionId = context.getExecutionId();
	const memory = executionId && memoryOf(context, executionId);
	if (!memory) return undefined;

	const isFirst = memory.executions.every(({ id }) => id === executionId);
	const isComplete = isFirst && context.getMode() !== 'retry';
	const loss = memory.losses?.[fingerprint(context.getNode().name)] ?? undefined;
	return { memory, executionId, isComplete, loss, ...turnOf(context) };
}

/**
 * Leaves a sign that the node has begun, before anything can fail: one that n8n does not hand on to
 * a retry was lost with n8n's life. Where the execution has a token, nothing depends on it.
 */
export function noteBegin(context: IExecuteFunctions): void {
	const executionId = context.getExecutionId();
	if (!executionId || !keptForWorkflow(context)) return;
	if (executionToken(context) === undefined) memoryOf(context, executionId);
}

function memoryOf(context: IExecuteFunctions, executionId: string): Memory | undefined {
	const kept = keptForWorkflow(context);
	if (!kept) return undefined;
	const memory = (kept[ourName] ??= beginning(context, executionId));
	const { losses } = memory;
	const name = fingerprint(context.getNode().name);
	if (losses && losses[name] === undefined) losses[name] = lossOf(context) ?? null;
	return memory;
}

/** The memory of an execution of which nothing is remembered. */
function beginning(context: IExecuteFunctions, executionId: string): Memory {
	const token = executionToken(context);
	if (token !== undefined) return newMemory(token);
	if (context.getMode() !== 'retry') return newMemory(executionId);
	return { ...newMemory(firstRunOf(context) ?? executionId), losses: {} };
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
 * What n8n has to do next stands on a stack, and what failed goes back there as it is, so a mark on
 * it tells a turn that is tried again. It is saved and lost together with the memory. Where an agent
 * calls the node by itself, what stands there is the agent's.
 */
function turnOf(
	context: IExecuteFunctions,
): Pick<Lineage, 'turn' | 'credential' | 'tryOfTurn' | 'isOrdered'> {
	const entry = context.getExecuteData();
	const node = context.getNode();
	entry.metadata ??= {};
	const marks = entry.metadata as Record<string, Mark | undefined>;
	const mark = (marks[ourName] ??= { turn: fingerprint(randomUUID()), credentials: {} });
	const isCalled = entry.node.name !== node.name;
	// A called node is known by its ID, too, because it may be renamed while its turn waits.
	const names = isCalled ? [node.name, node.id ?? ''] : [''];
	const known = names.find((name) => Object.hasOwn(mark.credentials, name));
	const credential =
		known === undefined ? (node.credentials?.crmWorkspaceApi?.id ?? '') : mark.credentials[known];
	const added = names.map((name) => [name, credential]);
	mark.credentials = { ...Object.fromEntries(added), ...mark.credentials };
	const tryOfTurn = isCalled ? tryOfCaller(context) : {};
	return { turn: mark.turn, credential, tryOfTurn, isOrdered: !isCalled };
}

/** What tells a turn that is tried again. */
interface Mark {
	turn: string;
	/** The credential's ID, for each of the nodes that a caller calls. */
	credentials: Record<string, string>;
}

/** n8n tells a called node nothing of its caller's try, but hands to all calls of a try one list. */
function tryOfCaller(context: IExecuteFunctions): object {
	return (context as unknown as { closeFunctions?: object }).closeFunctions ?? {};
}
