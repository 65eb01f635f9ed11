import type { IExecuteFunctions } from 'n8n-workflow';
import {
	computeFingerprint,
	computeKey,
	computeNextKey,
	createRandomKey,
	maxKeyLength,
} from '../../service/idempotencyKey';
import { readParameter, throwParameterError } from '../../parameters/parameter';
import { parseChoice, parseText } from '../../parameters/value';
import { trim } from '../../text/plainText';
import { readInvocation, type Invocation } from './invocation';
import { evaluatePart, raw } from './messageText';
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
	/** The idempotency key of a sequence number. */
	keyAt(number: number): string;
}

/** Reads the idempotency parameters for the messages of one run. */
export class IdempotencyReader {
	private readonly invocation: Invocation;

	/** The fingerprint of the message that each custom key stands for in this run. */
	private readonly customKeys = new Map<string, string>();

	constructor(private readonly context: IExecuteFunctions) {
		this.invocation = readInvocation(context);
	}

	/**
	 * @returns undefined for a message that is sent without a key
	 * @throws NodeOperationError for an unknown choice and for an invalid custom key
	 */
	read(given: GivenMessage, item: number): Idempotency | undefined {
		const { context, invocation } = this;
		const value = readParameter(context, idempotency, item);
		const choice = parseChoice(context, idempotency, value, item);
		if (choice === 'none') return undefined;
		const message = computeFingerprints(given);
		const { to } = given.message;
		if (choice === 'custom') {
			const key = this.readCustomKey(message.content, item);
			return this.ofKey(key, to, message, texts.createCustomKeyTexts(key));
		}
		const { origin, isLost } = invocation.sends;
		if (isLost) throwParameterError(context, item, texts.logsLost.message, texts.logsLost.advice);
		if (origin !== undefined) return this.ofRecipient(to, message, origin, item);
		// Outside of executions each message has a random key, which no other attempt can have.
		const keyTexts = texts.createCustomKeyTexts('random');
		const { retryingWithoutKey: retrying } = texts;
		return this.ofKey(createRandomKey(), to, message, { ...keyTexts, retrying });
	}

	/** For one of the messages that an execution sends to a recipient. */
	private ofRecipient(
		to: string,
		message: Fingerprints,
		execution: string,
		item: number,
	): Idempotency {
		const { context, invocation } = this;
		const { credential, scope, sourceOf } = invocation;
		const recipient = to.toLowerCase();
		const instanceId = context.getInstanceId();
		const workflowId = context.getWorkflow().id ?? '';
		const origin = { instanceId, workflowId, execution, credential, recipient };
		return {
			...this.open(`to ${recipient}`, { ...message, scope, source: sourceOf(item) }),
			keyAt: (number) => computeKey({ ...origin, number }),
			...texts.createRecipientTexts(to),
		};
	}

	/** For the one message that a key stands for; another recipient has another log, and a conflict. */
	private ofKey(
		key: string,
		to: string,
		message: Fingerprints,
		keyTexts: texts.KeyTexts,
	): Idempotency {
		return {
			...this.open(`under ${key} to ${to.toLowerCase()}`, { ...message, scope: '', source: '' }),
			keyAt: (number) => computeNextKey(key, number + 1),
			...keyTexts,
		};
	}

	private open(
		name: string,
		message: Omit<LoggedMessage, 'nodeId' | 'nodeName'>,
	): Pick<Idempotency, 'invocation' | 'log' | 'logged'> {
		const { invocation, context } = this;
		const { id: nodeId, name: nodeName } = context.getNode();
		const { logs, mayMissSends } = invocation.sends;
		const sends = (logs[computeFingerprint(`${name} by ${invocation.credential}`)] ??= []);
		return { invocation, log: { sends, mayMissSends }, logged: { ...message, nodeId, nodeName } };
	}

	private readCustomKey(content: string, item: number): string {
		const { context, customKeys } = this;
		const ref = { itemIndex: item, displayName: 'Custom Key' };
		const stored: unknown = context.getNodeParameter('idempotencyKey', item, '', raw);
		// A part that has no value would make one key of two messages.
		const value = evaluatePart(context, stored, ref, false, true);
		const key = trim(parseText(context, value, ref));
		const problem = validateCustomKey(key, (customKeys.get(key) ?? content) !== content);
		if (problem)
			throwParameterError(context, item, `'Custom Key' ${problem}`, texts.customKeyAdvice);
		customKeys.set(key, content);
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
	return isForAnother ? texts.repeatedKey(key) : undefined;
}
