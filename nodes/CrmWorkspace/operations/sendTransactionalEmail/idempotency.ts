import type { IExecuteFunctions } from 'n8n-workflow';
import {
	computeFingerprint,
	computeKey,
	computeNextKey,
	maxKeyLength,
} from '../../service/idempotencyKey';
import type { ItemReader } from '../itemReader';
import { trim } from '../../text/plainText';
import { readInvocation, type Invocation } from './invocation';
import type { GivenMessage } from './message';
import { idempotency } from './properties';
import type { LoggedMessage, SendLog } from './sendLog';
import * as texts from './texts';

/** What keeps a message from being sent twice. */
export interface Idempotency extends texts.KeyTexts {
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
	 * @throws NodeOperationError for an unknown choice and for an invalid custom key
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
		return item.refuse(texts.logsLost.message, texts.logsLost.advice);
	}

	/** For one of the messages that an execution sends to a recipient. */
	private ofRecipient(
		to: string,
		message: Fingerprints,
		execution: string,
		index: number,
	): Idempotency {
		const { context, invocation } = this;
		const { credential, scope } = invocation;
		const recipient = to.toLowerCase();
		const instanceId = context.getInstanceId();
		const workflowId = context.getWorkflow().id ?? '';
		const origin = { instanceId, workflowId, execution, credential, recipient };
		const item = invocation.calls ? undefined : index;
		return {
			...this.open(`to ${recipient}`, { ...message, scope, invocation: invocation.id, item }),
			keyAt: (number) => computeKey({ ...origin, number }),
			...texts.createRecipientTexts(to, this.place),
		};
	}

	private get place() {
		if (!this.invocation.isInExecution) return 'outside';
		if (this.context.continueOnFail()) return 'continuing';
		return this.context.getMode() === 'integrated' ? 'subWorkflow' : 'execution';
	}

	/** For the one message that a key stands for; another recipient has another log, and a conflict. */
	private ofKey(key: string, to: string, message: Fingerprints): Idempotency {
		const origin = { scope: '', invocation: '', item: 0 };
		return {
			...this.open(`under ${key} to ${to.toLowerCase()}`, { ...message, ...origin }),
			keyAt: (number) => computeNextKey(key, number + 1),
			...texts.createCustomKeyTexts(key),
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
		if (problem) item.refuse(`'Custom Key' ${problem}`, texts.customKeyAdvice);
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
	if (key === '') return 'is empty';
	if (key.length > maxKeyLength) return `is longer than ${maxKeyLength} characters`;
	if (!isForAnother) return undefined;
	return `“${key}” is the same as that of an earlier item with another message`;
}
