import type { IExecuteFunctions, IRunExecutionData } from 'n8n-workflow';
import { randomUUID } from 'crypto';
import { computeFingerprint } from '../../service/idempotencyKey';
import type { LoggedSend } from './sendLog';

/**
 * The sends of an execution. n8n stores them with the execution, for all its nodes together, and
 * passes them on to every retry. The property names must not change.
 */
export interface ExecutionSends {
	/**
	 * Identifies the original execution, which is the first one of a retry chain. Absent if n8n has lost
	 * it, so that nothing can be sent.
	 */
	origin?: string;
	/** When it began to send, in ms since 1970. */
	beganAt: number;
	/** By a fingerprint of the credential, and of the recipient or the custom key. */
	logs: Record<string, LoggedSend[]>;
}

/** One thing that n8n has the node do, such as one pass of a loop. Its retries have the same ID. */
export interface Invocation {
	id: string;
	sends: ExecutionSends;
	/** False in n8n's MCP Server Trigger and its agents module, which can't retry it. */
	isInExecution: boolean;
	/** As in `SendLog`. */
	calls?: Set<LoggedSend>;
	/** Within which equal messages are one. */
	scope: string;
	/**
	 * The ID of the credential that the invocation began with. In a retry, another one may replace it
	 * for the same workspace.
	 */
	credential: string;
}

/** The name under which this package stores data in n8n's execution. */
const storageName = 'n8n-nodes-crm-workspace';

/**
 * The invocation of a run. In AI Agent 3.x each call of a tool is one; an agent up to 2.2 makes all its
 * calls within its own.
 */
export function readInvocation(context: IExecuteFunctions): Invocation {
	const executionId = context.getExecutionId();
	const stored = executionId ? getWorkflowData(context) : undefined;
	if (!stored) {
		const sends = { origin: computeFingerprint(randomUUID()), beganAt: Date.now(), logs: {} };
		return { id: '', scope: '', credential: '', sends, isInExecution: false };
	}
	const sends = (stored[storageName] ??= createSends(context, executionId));
	const { id: nodeId, name, type } = context.getNode();
	const entry = context.getExecuteData();
	const isWithinAgent = entry.node.name !== name;
	const { id, credential } = readMark(context, isWithinAgent ? nodeId : '');
	const calls = isWithinAgent ? getCalls(context) : undefined;
	// The run of the agent, from version 3 on, that has n8n make the call.
	const [caller] = (type.endsWith('Tool') && !isWithinAgent && entry.source?.main) || [];
	const scope = caller ? `${caller.previousNode} ${caller.previousNodeRun}` : id;
	return { id, scope, calls, credential, sends, isInExecution: true };
}

function createSends(context: IExecuteFunctions, executionId: string): ExecutionSends {
	const isRetry = context.getMode() === 'retry';
	const token = getResumeToken(context);
	const found = token ?? (isRetry ? findOriginBeforeToken(context) : executionId);
	// Who knows the token can resume the execution.
	return { origin: found && computeFingerprint(found), beganAt: Date.now(), logs: {} };
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
	// What n8n finds of an execution that crashed, it notes in seconds.
	const isInMs = beganAt > 100_000_000_000;
	return runs.length > ownRuns && isInMs ? `began ${beganAt}` : undefined;
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
function readMark(context: IExecuteFunctions, node: string): Pick<Invocation, 'id' | 'credential'> {
	const metadata = (context.getExecuteData().metadata ??= {}) as Record<string, Mark>;
	const mark = (metadata[storageName] ??= {
		invocation: computeFingerprint(randomUUID()),
		credentials: {},
	});
	const own = context.getNode().credentials?.crmWorkspaceApi?.id ?? '';
	return { id: mark.invocation, credential: (mark.credentials[node] ??= own) };
}

const callsOfAgents = new WeakMap<object, Set<LoggedSend>>();

/** n8n gives all calls of one attempt of an agent up to 2.2 the same list of functions. */
function getCalls(context: IExecuteFunctions): Set<LoggedSend> {
	const { closeFunctions = {} } = context as unknown as { closeFunctions?: object };
	const calls = callsOfAgents.get(closeFunctions) ?? new Set();
	callsOfAgents.set(closeFunctions, calls);
	return calls;
}
