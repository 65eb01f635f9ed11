import type { IExecuteFunctions } from 'n8n-workflow';
import { randomUUID } from 'crypto';
import { fingerprint } from '../../service/idempotencyKey';
import { firstRunOf, memoryLossOf, type MemoryLoss } from './memoryLoss';
import { newMemory, type Memory, type Place } from './memory';

/**
 * An execution together with all its retries, as far as a run of the node can see them: see the table
 * of situations in docs/what-a-message-is-known-by.md.
 */
export interface Lineage {
	memory: Memory;
	executionId: string;
	/**
	 * Identifies the turn: one thing that n8n has the node do, such as one pass of a loop. A turn
	 * that is tried again, by Retry On Fail or by a retried execution, keeps its ID. No two turns of
	 * an execution share one.
	 */
	turn: string;
	/**
	 * The ID of the credential that the turn is sent with: two credentials may be for two workspaces,
	 * which know nothing of each other's messages. A turn that is tried again keeps the one that it
	 * began with, so that one made anew, after its key was revoked, sends nothing twice.
	 */
	credential: string;
	/** The places whose messages are done in this try of the turn, in all its runs. */
	donePlaces: WeakSet<Place>;
	/** Whether a turn that is tried again has its items in the same order. */
	isOrdered: boolean;
	/**
	 * Whether everything that the lineage has sent is certainly remembered: in a retry it is not, as
	 * another one, which n8n did not survive, may have come before.
	 */
	remembersAll: boolean;
	/** Set if n8n did not hand on what the retried execution remembered: see `Memory.losses`. */
	memoryLoss?: MemoryLoss;
}

/** The name under which this package marks the entries of n8n's stack, and kept an older memory. */
const markName = 'n8n-nodes-crm-workspace';

/** The name under which it keeps its memory in n8n's execution data; another one for another format. */
const memoryName = 'n8n-nodes-crm-workspace/2';

/**
 * The lineage of a run. Undefined where n8n runs a node outside of any execution that could be
 * retried, as its MCP Server Trigger and its agents module do.
 */
export function lineageOf(context: IExecuteFunctions): Lineage | undefined {
	const executionId = context.getExecutionId();
	const memory = executionId && memoryOf(context, executionId);
	if (!memory) return undefined;

	const isFirst = memory.executions.every(({ id }) => id === executionId);
	const remembersAll = isFirst && context.getMode() !== 'retry';
	const memoryLoss = memory.losses?.[fingerprint(context.getNode().name)] ?? undefined;
	return { memory, executionId, remembersAll, memoryLoss, ...turnOf(context) };
}

/**
 * Creates the memory as soon as the node begins, before anything can fail. If a retry then does not
 * find it, n8n was killed in the execution that is retried. Not needed where n8n gives executions a
 * token.
 */
export function beginMemory(context: IExecuteFunctions): void {
	const executionId = context.getExecutionId();
	if (!executionId || !keptForWorkflow(context)) return;
	if (executionToken(context) === undefined) memoryOf(context, executionId);
}

function memoryOf(context: IExecuteFunctions, executionId: string): Memory | undefined {
	const kept = keptForWorkflow(context);
	if (!kept) return undefined;
	const memory = (kept[memoryName] ??=
		fromFormerFormat(kept[markName]) ?? newMemoryOf(context, executionId));
	const { losses } = memory;
	const name = fingerprint(context.getNode().name);
	if (losses && losses[name] === undefined) losses[name] = memoryLossOf(context) ?? null;
	return memory;
}

/**
 * The memory of an execution that began with a version of this package that remembered in another
 * format: what it has sent is found by its keys, as after a crash.
 */
function fromFormerFormat(former: Memory | undefined): Memory | undefined {
	if (!former) return undefined;
	const { origin, executions, losses } = former;
	return { ...newMemory(origin), executions, losses };
}

/** The memory of an execution of which nothing is remembered. */
function newMemoryOf(context: IExecuteFunctions, executionId: string): Memory {
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
 * The turn of a run. n8n keeps what it has to do next on a stack, and puts a failed entry back
 * there unchanged, so a mark on the entry identifies a turn that is tried again. The mark is
 * stored, and lost, together with the memory. If an agent calls the node as a tool, the entry is
 * the agent's.
 */
function turnOf(
	context: IExecuteFunctions,
): Pick<Lineage, 'turn' | 'credential' | 'donePlaces' | 'isOrdered'> {
	const entry = context.getExecuteData();
	const node = context.getNode();
	entry.metadata ??= {};
	const marks = entry.metadata as Record<string, Mark | undefined>;
	const mark = (marks[markName] ??= { turn: fingerprint(randomUUID()), credentials: {} });
	const isCalled = entry.node.name !== node.name;
	// A called node is known by its ID, too, because it may be renamed while its turn waits.
	const names = isCalled ? [node.name, node.id ?? ''] : [''];
	const known = names.find((name) => Object.hasOwn(mark.credentials, name));
	const credential =
		known === undefined ? (node.credentials?.crmWorkspaceApi?.id ?? '') : mark.credentials[known];
	const added = names.map((name) => [name, credential]);
	mark.credentials = { ...Object.fromEntries(added), ...mark.credentials };
	const donePlaces = isCalled ? doneInTryOfCaller(context) : new WeakSet<Place>();
	return { turn: mark.turn, credential, donePlaces, isOrdered: !isCalled };
}

/** What this package writes on an entry of n8n's stack to recognize its turn. */
interface Mark {
	turn: string;
	/** The credential's ID for each node that an agent calls, by the node's name and its ID. */
	credentials: Record<string, string>;
}

const doneInTries = new WeakMap<object, WeakSet<Place>>();

/**
 * n8n does not tell a called node which try of its caller it belongs to, but gives all calls of one
 * try the same list object.
 */
function doneInTryOfCaller(context: IExecuteFunctions): WeakSet<Place> {
	const { closeFunctions = {} } = context as unknown as { closeFunctions?: object };
	const done = doneInTries.get(closeFunctions) ?? new WeakSet();
	doneInTries.set(closeFunctions, done);
	return done;
}
