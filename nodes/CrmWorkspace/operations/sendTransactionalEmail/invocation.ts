import type { IExecuteData, IExecuteFunctions } from 'n8n-workflow';
import { randomUUID } from 'crypto';
import { computeFingerprint } from '../../service/idempotencyKey';
import { findOriginBeforeToken } from './n8nWithoutToken';
import type { LoggedSend } from './sendLog';

/**
 * The sends of an execution. n8n stores them with the execution, for all its nodes together, and
 * passes them on to every retry. The property names must not change.
 */
export interface ExecutionSends {
	/** Identifies the original execution, which is the first one of a retry chain. */
	origin: string;
	/** When it began to send, in ms since 1970. */
	beganAt: number;
	/** By a fingerprint of the credential, and of the recipient or the custom key. */
	logs: Record<string, LoggedSend[]>;
	/** Whether n8n may have lost the logs of the retried execution, because it was killed. */
	mayMissSends: boolean;
	/** Whether nothing can be sent then, because the origin is lost as well. */
	isLost: boolean;
}

/** One thing that n8n has the node do, such as one pass of a loop. Its retries have the same ID. */
export interface Invocation {
	id: string;
	/** Absent outside of executions, as in n8n's MCP Server Trigger and its agents module. */
	sends?: ExecutionSends;
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

/** The name under which this package stores data in n8n's execution. */
const storageName = 'n8n-nodes-crm-workspace';

/**
 * The invocation of a run. In AI Agent 3.x each call of a tool is one; an agent up to 2.2 makes all its
 * calls within its own.
 */
export function readInvocation(context: IExecuteFunctions): Invocation {
	const sends = openSends(context);
	if (!sends) return { id: '', scope: '', sourceOf: String, credential: '' };
	const { id, name, type } = context.getNode();
	const entry = context.getExecuteData();
	const isWithinAgent = entry.node.name !== name;
	const { invocation, credential } = readMark(context, isWithinAgent ? id : '');
	if (isWithinAgent) {
		const calls = getCalls(context);
		const sourceOf = () => undefined;
		return { id: invocation, sends, calls, scope: invocation, sourceOf, credential };
	}
	const agentRun = type.endsWith('Tool') ? findAgentRun(entry) : undefined;
	const sourceOf = (item: number) => `${invocation} ${item}`;
	return { id: invocation, sends, scope: agentRun ?? invocation, sourceOf, credential };
}

/** The run of AI Agent 3.x that has n8n make a call. */
function findAgentRun({ source }: IExecuteData): string | undefined {
	const [caller] = source?.main ?? [];
	return caller ? `${caller.previousNode} ${caller.previousNodeRun ?? 0}` : undefined;
}

/** The sends of the execution, created when the node first sends. */
function openSends(context: IExecuteFunctions): ExecutionSends | undefined {
	const executionId = context.getExecutionId();
	const stored = executionId ? getWorkflowData(context) : undefined;
	if (!stored) return undefined;
	const isRetry = context.getMode() === 'retry';
	const token = getResumeToken(context);
	const origin = token ?? (isRetry ? findOriginBeforeToken(context) : executionId);
	return (stored[storageName] ??= {
		// Who knows the token can resume the execution.
		origin: computeFingerprint(origin),
		beganAt: Date.now(),
		logs: {},
		mayMissSends: isRetry,
		isLost: origin === undefined,
	});
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
