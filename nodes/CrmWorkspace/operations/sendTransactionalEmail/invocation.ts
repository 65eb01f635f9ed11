import type { IExecuteData, IExecuteFunctions, IRunExecutionData } from 'n8n-workflow';
import { randomUUID } from 'crypto';
import { computeFingerprint } from '../../service/idempotencyKey';
import type { LoggedSend } from './sendLog';

/**
 * The sends of an execution. n8n stores them with the execution, for all its nodes together, and
 * passes them on to every retry. The property names must not change.
 */
export interface ExecutionSends {
	/**
	 * Identifies the original execution, which is the first one of a retry chain. Absent outside of
	 * executions, as in n8n's MCP Server Trigger and its agents module, and if it is lost.
	 */
	origin?: string;
	/** When it began to send, in ms since 1970; infinite outside of executions. */
	beganAt: number;
	/** By a fingerprint of the credential, and of the recipient or the custom key. */
	logs: Record<string, LoggedSend[]>;
	/** Whether n8n may have lost the logs of the retried execution, because it was killed. */
	mayMissSends: boolean;
	/** Whether it has lost the origin, too, so that nothing can be sent. */
	isLost: boolean;
}

/** One thing that n8n has the node do, such as one pass of a loop. Its retries have the same ID. */
export interface Invocation {
	id: string;
	sends: ExecutionSends;
	/** The sends that this attempt of an agent up to 2.2 has come to. Present only if one calls. */
	calls?: Set<LoggedSend>;
	/** Within which equal messages are one. */
	scope: string;
	/** Identifies an item over all attempts; undefined for calls that have no item. */
	sourceOf(item: number): string | undefined;
	/**
	 * The ID of the credential that the invocation began with. In a retry, another one may replace it
	 * for the same workspace.
	 */
	credential: string;
}

const outsideExecutions = (): Invocation => ({
	...{ id: '', scope: '', sourceOf: String, credential: '' },
	sends: { beganAt: Infinity, logs: {}, mayMissSends: false, isLost: false },
});

/** The name under which this package stores data in n8n's execution. */
const storageName = 'n8n-nodes-crm-workspace';

/**
 * The invocation of a run. In AI Agent 3.x each call of a tool is one; an agent up to 2.2 makes all its
 * calls within its own.
 */
export function readInvocation(context: IExecuteFunctions): Invocation {
	const executionId = context.getExecutionId();
	const stored = executionId ? getWorkflowData(context) : undefined;
	if (!stored) return outsideExecutions();
	const sends = (stored[storageName] ??= createSends(context, executionId));
	const { id: nodeId, name, type } = context.getNode();
	const entry = context.getExecuteData();
	const isWithinAgent = entry.node.name !== name;
	const { invocation: id, credential } = readMark(context, isWithinAgent ? nodeId : '');
	if (isWithinAgent) {
		const calls = getCalls(context);
		return { id, sends, calls, scope: id, sourceOf: () => undefined, credential };
	}
	const agentRun = type.endsWith('Tool') ? findAgentRun(entry) : undefined;
	const sourceOf = (item: number) => `${id} ${item}`;
	return { id, sends, scope: agentRun ?? id, sourceOf, credential };
}

/** The run of AI Agent 3.x that has n8n make a call. */
function findAgentRun({ source }: IExecuteData): string | undefined {
	const [caller] = source?.main ?? [];
	return caller ? `${caller.previousNode} ${caller.previousNodeRun ?? 0}` : undefined;
}

function createSends(context: IExecuteFunctions, executionId: string): ExecutionSends {
	const isRetry = context.getMode() === 'retry';
	const token = getResumeToken(context);
	const found = token ?? (isRetry ? findOriginBeforeToken(context) : executionId);
	// Who knows the token can resume the execution.
	const origin = found && computeFingerprint(found);
	const isLost = origin === undefined;
	return { origin, beganAt: Date.now(), logs: {}, mayMissSends: isRetry, isLost };
}

function getWorkflowData(context: IExecuteFunctions): Record<string, ExecutionSends> | undefined {
	try {
		return context.getContext('flow') as Record<string, ExecutionSends>;
	} catch {
		return undefined;
	}
}

/**
 * The random part of the URL at which n8n resumes the execution. It is stored before the first node
 * runs, and retries keep it even if n8n was killed and all other data is lost.
 */
function getResumeToken(context: IExecuteFunctions): string | undefined {
	const { resumeUrl = '' } = (context.getWorkflowDataProxy(0).$execution ?? {}) as {
		resumeUrl?: string;
	};
	if (!URL.canParse(resumeUrl)) return undefined;
	return new URL(resumeUrl).searchParams.get('signature') ?? undefined;
}

/** Before this, a moment is in seconds: n8n notes so what it finds of an execution that crashed. */
const firstMs = 100_000_000_000;

/**
 * Stands in for the token of a retry before n8n 2.14: when the retried execution began, which all its
 * retries have in common. Undefined if n8n has lost it, because it was killed.
 */
function findOriginBeforeToken(context: IExecuteFunctions): string | undefined {
	const { runExecutionData, additionalData } = context as unknown as {
		runExecutionData?: IRunExecutionData;
		additionalData?: { currentNodeExecutionIndex?: number };
	};
	const runs = Object.values(runExecutionData?.resultData.runData ?? {}).flat();
	// n8n counts the runs of each execution from 0, with the one that has begun.
	const ownRuns = (additionalData?.currentNodeExecutionIndex ?? 1) - 1;
	const beganAt = Math.min(...runs.map(({ startTime }) => startTime));
	return runs.length > ownRuns && beganAt > firstMs ? `began ${beganAt}` : undefined;
}

/** What this package writes on an entry of n8n's stack. */
interface Mark {
	invocation: string;
	/** The ID of the credential; of each node that an agent calls, by the node's ID. */
	credentials: Record<string, string>;
}

/**
 * n8n keeps pending work on a stack, and puts a failed entry back unchanged, so an ID on the entry
 * identifies an invocation that is retried.
 * @param node the ID of a node that works within an agent's entry; else empty
 */
function readMark(
	context: IExecuteFunctions,
	node: string,
): { invocation: string; credential: string } {
	const metadata = (context.getExecuteData().metadata ??= {}) as Record<string, Mark>;
	const mark = (metadata[storageName] ??= {
		invocation: computeFingerprint(randomUUID()),
		credentials: {},
	});
	if (!Object.hasOwn(mark.credentials, node)) {
		const credential = context.getNode().credentials?.crmWorkspaceApi?.id ?? '';
		mark.credentials = { ...mark.credentials, [node]: credential };
	}
	return { invocation: mark.invocation, credential: mark.credentials[node] };
}

const callsOfAgents = new WeakMap<object, Set<LoggedSend>>();

/** n8n gives all calls of one attempt of an agent up to 2.2 the same list of functions. */
function getCalls(context: IExecuteFunctions): Set<LoggedSend> {
	const { closeFunctions = {} } = context as unknown as { closeFunctions?: object };
	const calls = callsOfAgents.get(closeFunctions) ?? new Set();
	callsOfAgents.set(closeFunctions, calls);
	return calls;
}
