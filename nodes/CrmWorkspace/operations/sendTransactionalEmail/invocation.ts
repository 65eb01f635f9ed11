import type { IExecuteFunctions } from 'n8n-workflow';
import { randomUUID } from 'crypto';
import { computeFingerprint } from '../../service/idempotencyKey';
import { findOriginBeforeToken, hasLostLogs } from './n8nWithoutToken';
import type { LoggedSend } from './sendLog';

/**
 * The sends of an execution. n8n stores them with the execution, for all its nodes together, and
 * passes them on to every retry. The property names must not change.
 */
export interface ExecutionSends {
	/** Identifies the original execution, which is the first one of a retry chain. */
	origin: string;
	/** When it began to send, in ms since 1970. */
	beganAt?: number;
	/** By a fingerprint of the credential, and of the recipient or the custom key. */
	logs: Record<string, LoggedSend[]>;
	/** Whether n8n has lost what the retried execution had sent: see `n8nWithoutToken.ts`. */
	isLost?: boolean;
}

/** One thing that n8n has the node do, such as one pass of a loop. Its retries have the same ID. */
export interface Invocation {
	id: string;
	sends: ExecutionSends;
	/**
	 * The ID of the credential that the invocation began with. In a retry, another one may replace it
	 * for the same workspace.
	 */
	credential: string;
	/** The messages that this attempt of an agent has finished. Present only if an agent calls the node. */
	finishedCalls?: WeakSet<LoggedSend>;
}

/** The name under which this package stores data in n8n's execution. */
const storageName = 'n8n-nodes-crm-workspace';

/**
 * The invocation of a run; undefined if n8n runs the node outside of executions, as its MCP Server
 * Trigger and its agents module do.
 */
export function readInvocation(context: IExecuteFunctions): Invocation | undefined {
	const sends = openSends(context);
	if (!sends) return undefined;
	sends.beganAt ??= Date.now();
	return { sends, ...readMark(context) };
}

/**
 * The sends of the execution, created when the node first runs. Before n8n 2.14 that has to happen
 * before anything can fail: if a retry doesn't find them, n8n was killed.
 */
export function openSends(context: IExecuteFunctions): ExecutionSends | undefined {
	const executionId = context.getExecutionId();
	const stored = executionId ? getWorkflowData(context) : undefined;
	if (!stored) return undefined;
	if (stored[storageName]) return stored[storageName];
	const token = getResumeToken(context);
	const origin = token ?? findOriginBeforeToken(context) ?? executionId;
	const isLost = token === undefined && hasLostLogs(context);
	return (stored[storageName] = { origin, logs: {}, isLost });
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
 * identifies an invocation that is retried. If an agent up to 2.2 calls the node, the entry is the
 * agent's.
 */
function readMark(context: IExecuteFunctions): Omit<Invocation, 'sends'> {
	const entry = context.getExecuteData();
	const { id, name, credentials } = context.getNode();
	const metadata = (entry.metadata ??= {}) as Record<string, Mark>;
	const mark = (metadata[storageName] ??= {
		invocation: computeFingerprint(randomUUID()),
		credentials: {},
	});
	const isCalled = entry.node.name !== name;
	const node = isCalled ? id : '';
	if (!Object.hasOwn(mark.credentials, node)) {
		const credential = credentials?.crmWorkspaceApi?.id ?? '';
		mark.credentials = { ...mark.credentials, [node]: credential };
	}
	const finishedCalls = isCalled ? getFinishedCalls(context) : undefined;
	return { id: mark.invocation, credential: mark.credentials[node], finishedCalls };
}

const finishedCallsOf = new WeakMap<object, WeakSet<LoggedSend>>();

/** n8n gives all calls of one attempt of an agent the same list of functions. */
function getFinishedCalls(context: IExecuteFunctions): WeakSet<LoggedSend> {
	const { closeFunctions = {} } = context as unknown as { closeFunctions?: object };
	const finished = finishedCallsOf.get(closeFunctions) ?? new WeakSet();
	finishedCallsOf.set(closeFunctions, finished);
	return finished;
}
