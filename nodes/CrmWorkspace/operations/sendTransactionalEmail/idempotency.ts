/**
 * Which key a message gets: from the execution in which it was first tried, or the user's own. The
 * sends of an execution are stored with it, and an invocation is recognized when n8n retries it.
 */
import { randomUUID } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import {
	computeFingerprint,
	computeKey,
	computeNextKey,
	maxKeyLength,
} from '../../api/idempotencyKeys';
import { ExplainedError, trim } from '../../common/text';
import { credentialName } from '../../n8n/credential';
import {
	findOriginBeforeToken,
	getAgentAttempt,
	getCall,
	getCallingRun,
	getEntryMark,
	getExecutionStorage,
	getResumeToken,
	isTool,
	isWithinAgent,
} from '../../n8n/execution';
import type { ItemReader } from '../../parameters/itemReader';
import type { GivenMessage } from './message';
import { idempotency } from './properties';
import type { LoggedMessage, LoggedSend, SendLog } from './sendLog';
import { createCustomKeyTexts, createRecipientTexts, texts, type KeyTexts } from './texts';

/**
 * The sends of an execution. n8n stores them with the execution, for all its nodes together, and
 * passes them on to every retry. The property names must not change.
 */
interface ExecutionSends {
	/**
	 * Identifies the original execution, which is the first one of a retry chain. Absent if n8n has lost
	 * it, so that nothing can be sent without a custom key.
	 */
	origin?: string;
	/** When it began to send, in ms since 1970. */
	beganAt: number;
	/** By a fingerprint of the credential, and of the recipient or the custom key. */
	logs: Record<string, LoggedSend[]>;
}

/** One thing that n8n has the node do, such as one pass of a loop. Its retries have the same ID. */
interface Invocation {
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

/**
 * The invocation of a run. In AI Agent 3.x each call of a tool is one; an agent up to 2.2 makes all its
 * calls within its own.
 */
function readInvocation(context: IExecuteFunctions): Invocation {
	const sends = getExecutionStorage(context, () => createSends(context));
	if (!sends) {
		const call = getCall(context);
		const random = { origin: computeFingerprint(randomUUID()), beganAt: Date.now(), logs: {} };
		const once = sendsOfCalls.get(call) ?? random;
		sendsOfCalls.set(call, once);
		return { id: '', scope: '', credential: '', sends: once, isInExecution: false };
	}
	const isCalled = isWithinAgent(context);
	const mark = getEntryMark(context, createMark);
	const { id: nodeId, credentials } = context.getNode();
	const own = credentials?.[credentialName]?.id ?? '';
	const credential = (mark.credentials[isCalled ? nodeId : ''] ??= own);
	const calls = isCalled ? getCalls(getAgentAttempt(context)) : undefined;
	const scope = (isCalled ? undefined : getCallingRun(context)) ?? mark.invocation;
	return { id: mark.invocation, scope, calls, credential, sends, isInExecution: true };
}

/** Outside of an execution, by the call. */
const sendsOfCalls = new WeakMap<object, ExecutionSends>();

function createSends(context: IExecuteFunctions): ExecutionSends {
	const isRetry = context.getMode() === 'retry';
	const token = getResumeToken(context);
	const found = token ?? (isRetry ? findOriginBeforeToken(context) : context.getExecutionId());
	// Who knows the token can resume the execution.
	return { origin: found && computeFingerprint(found), beganAt: Date.now(), logs: {} };
}

/** What this package writes on an entry of n8n's stack. */
interface Mark {
	invocation: string;
	/** The ID of the credential; of each node that an agent calls, by the node's ID. */
	credentials: Record<string, string>;
}

const createMark = (): Mark => ({ invocation: computeFingerprint(randomUUID()), credentials: {} });

const callsOfAgents = new WeakMap<object, Set<LoggedSend>>();

function getCalls(attempt: object): Set<LoggedSend> {
	const calls = callsOfAgents.get(attempt) ?? new Set();
	callsOfAgents.set(attempt, calls);
	return calls;
}

/** What keeps a message from being sent twice. */
export interface Idempotency extends KeyTexts {
	invocation: Invocation;
	log: SendLog;
	/** The message as the log recognizes it. */
	logged: LoggedMessage;
	/** The same for equal messages of a run. */
	id: string;
	/** The idempotency key of a sequence number. */
	keyAt(number: number): string;
}

/** Reads the idempotency parameters for the messages of one run. */
export class IdempotencyReader {
	/** The fingerprint of the message that each custom key stands for in this run. */
	private readonly customKeys = new Map<string, string>();

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly invocation = readInvocation(context),
	) {}

	/**
	 * @returns undefined for a message that is sent without a key
	 * @throws NodeOperationError for an unknown choice and for an invalid custom key; ExplainedError if
	 *   n8n has lost what was sent
	 */
	read(given: GivenMessage, item: ItemReader): Idempotency | undefined {
		const { invocation } = this;
		const choice = item.choice(idempotency);
		if (choice === 'none') return undefined;
		const message = computeFingerprints(given);
		const { to } = given.message;
		if (choice === 'custom')
			return this.ofKey(this.readCustomKey(message.content, item), to, message);
		const { origin } = invocation.sends;
		if (origin !== undefined) return this.ofRecipient(to, message, origin, item.itemIndex);
		throw new ExplainedError(texts.logsLost);
	}

	/** For one of the messages that an execution sends to a recipient. */
	private ofRecipient(
		to: string,
		message: Fingerprints,
		execution: string,
		index: number,
	): Idempotency {
		const { context, invocation } = this;
		const { credential, scope, id } = invocation;
		const recipient = to.toLowerCase();
		// Two instances both count their executions from 1, and another credential may be for a workspace
		// that knows nothing of the message. docs/design/deduplication.md says why it is this and no more.
		const instance = [context.getInstanceId(), context.getWorkflow().id ?? ''];
		const origin = [...instance, execution, credential, recipient];
		const item = invocation.calls ? undefined : index;
		return {
			...this.open(`to ${recipient}`, { ...message, scope, invocation: id, item }),
			keyAt: (number) => computeKey(origin, number),
			...createRecipientTexts(this.place),
		};
	}

	private get place() {
		if (!this.invocation.isInExecution) return 'outside';
		const isStopped = this.context.getNode().onError === 'stopWorkflow';
		if (isTool(this.context.getNode()) && !isStopped) return 'tool';
		if (this.context.continueOnFail()) return 'continuing';
		return this.context.getMode() === 'integrated' ? 'subWorkflow' : 'execution';
	}

	/** For the one message that a key stands for; another recipient has another log, and a conflict. */
	private ofKey(key: string, to: string, message: Fingerprints): Idempotency {
		const origin = { scope: '', invocation: '', item: 0 };
		return {
			...this.open(`under ${key} to ${to.toLowerCase()}`, { ...message, ...origin }),
			keyAt: (number) => computeNextKey(key, number + 1),
			...createCustomKeyTexts(key),
		};
	}

	private open(name: string, message: Omit<LoggedMessage, 'nodeId' | 'nodeName'>) {
		const { invocation, context } = this;
		const { id: nodeId, name: nodeName } = context.getNode();
		const { sends: stored, credential, calls } = invocation;
		const mayMissSends = context.getMode() === 'retry';
		const sends = (stored.logs[computeFingerprint(`${name} by ${credential}`)] ??= []);
		return {
			invocation,
			log: { sends, mayMissSends, calls },
			logged: { ...message, nodeId, nodeName },
			id: `${name} ${message.content}`,
		};
	}

	private readCustomKey(content: string, item: ItemReader): string {
		// A part that has no value would make one key of two messages.
		const use = { displayName: 'Custom Key', needsEach: true };
		const key = trim(item.textOf(item.stored('idempotencyKey'), use));
		const problem = validateCustomKey(key, (this.customKeys.get(key) ?? content) !== content);
		if (problem) item.refuse(texts.invalidCustomKey(problem));
		this.customKeys.set(key, content);
		return key;
	}
}

type Fingerprints = Pick<LoggedMessage, 'content' | 'rendered'>;

/**
 * Fingerprints of a message, and of what the service compares of it: without variables that no token
 * uses, because an item that is looped back to the node has gained fields. Interface: KEY-4, KEY-7.
 */
function computeFingerprints({ message, unused }: GivenMessage): Fingerprints {
	const { variables = {}, templateSlug, subject, html } = message;
	const to = message.to.toLowerCase();
	const used = Object.entries(variables).filter(([name]) => !unused.includes(name));
	used.sort(([one], [other]) => (one < other ? -1 : 1));
	return {
		content: computeFingerprint({ ...message, to, variables: used }),
		rendered: computeFingerprint({ to, templateSlug, subject, html, variables: used }),
	};
}

function validateCustomKey(key: string, isForAnother: boolean): string | undefined {
	if (key === '') return texts.keyIsEmpty;
	if (key.length > maxKeyLength) return texts.keyIsTooLong;
	return isForAnother ? texts.keyIsTaken(key) : undefined;
}
