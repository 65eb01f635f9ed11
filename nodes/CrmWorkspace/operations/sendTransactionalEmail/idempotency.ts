import type { IExecuteFunctions } from 'n8n-workflow';
import {
	computeFingerprint,
	computeKey,
	maxKeyLength,
	computeNextKey,
	createRandomKey,
} from '../../service/idempotencyKey';
import type { Explanation } from '../../transport/failure';
import { readParameter, throwParameterError } from '../../parameters/parameter';
import { parseChoice, parseText } from '../../parameters/value';
import { trim } from '../../text/plainText';
import { readInvocation, type Invocation } from './invocation';
import { evaluatePart, raw } from './messageText';
import type { GivenMessage } from './message';
import { idempotency } from './properties';
import { SendLog, type LoggedSend, type SearchedMessage } from './sendLog';

/** What keeps a message from being sent twice. */
export interface Idempotency extends IdempotencyTexts {
	log: SendLog;
	identity: SearchedMessage;
	/** The idempotency key of a sequence number. */
	keyAt(number: number): string;
	/** When the execution began to send, in ms since 1970; absent outside of executions. */
	beganAt?: number;
}

interface IdempotencyTexts {
	/** For a message of which it isn't known whether it was sent. */
	unknownOutcome: string;
	/** For a message under whose key the service has other content. */
	conflict: Explanation;
}

/** Reads the idempotency parameters for the messages of one run. */
export class IdempotencyReader {
	private readonly invocation: Invocation | undefined;

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
		const { to } = given.message;
		const content = computeContentFingerprint(given);
		const value = readParameter(context, idempotency, item);
		switch (parseChoice(context, idempotency, value, item)) {
			case 'none':
				return undefined;
			case 'custom': {
				const key = this.readCustomKey(content, item);
				return this.ofKey(key, to, content, createKeyTexts(key));
			}
			default:
				if (!invocation) return this.ofKey(createRandomKey(), to, content, textsOutsideExecutions);
				if (!invocation.sends.isLost) return this.ofRecipient(to, content, item, invocation);
				return throwParameterError(context, item, logsLost.message, logsLost.advice);
		}
	}

	/** For one of the messages that an execution sends to a recipient. */
	private ofRecipient(
		to: string,
		content: string,
		item: number,
		invocation: Invocation,
	): Idempotency {
		const { context } = this;
		const { id, sends, credential, finishedCalls } = invocation;
		const recipient = to.toLowerCase();
		const origin = {
			instanceId: context.getInstanceId(),
			workflowId: context.getWorkflow().id ?? '',
			execution: sends.origin,
			credential,
			recipient,
		};
		return {
			log: openLog(sends.logs, `to ${recipient} by ${credential}`),
			identity: { invocation: id, item, content, finishedCalls },
			keyAt: (number) => computeKey({ ...origin, number }),
			beganAt: sends.beganAt,
			...createRecipientTexts(to),
		};
	}

	/** For the one message that a key stands for; another recipient has another log, and a conflict. */
	private ofKey(key: string, to: string, content: string, texts: IdempotencyTexts): Idempotency {
		const { sends, credential } = this.invocation ?? {};
		return {
			log: openLog(sends?.logs ?? {}, `under ${key} to ${to.toLowerCase()} by ${credential}`),
			identity: { invocation: '', item: 0, content },
			keyAt: (number) => computeNextKey(key, number + 1),
			beganAt: sends?.beganAt,
			...texts,
		};
	}

	private readCustomKey(content: string, item: number): string {
		const { context, customKeys } = this;
		const ref = { itemIndex: item, displayName: 'Custom Key' };
		const stored: unknown = context.getNodeParameter('idempotencyKey', item, '', raw);
		// A part that has no value would make one key of two messages.
		const value = evaluatePart(context, stored, ref, false, true);
		const key = trim(parseText(context, value, ref));
		const problem = validateCustomKey(key, (customKeys.get(key) ?? content) !== content);
		if (problem) throwParameterError(context, item, `'Custom Key' ${problem}`, adviceForKey);
		customKeys.set(key, content);
		return key;
	}
}

/**
 * A fingerprint of what the service renders, by which it tells contents apart: without variables that
 * no token uses, because an item that is looped back to the node has gained fields. Interface: KEY-4.
 */
function computeContentFingerprint({ message, unused }: GivenMessage): string {
	const { to, variables = {} } = message;
	const rendered = Object.entries(variables).filter(([name]) => !unused.includes(name));
	return computeFingerprint({ ...message, to: to.toLowerCase(), variables: rendered });
}

const openLogs = new WeakMap<LoggedSend[], SendLog>();

function openLog(logs: Record<string, LoggedSend[]>, name: string): SendLog {
	const sends = (logs[computeFingerprint(name)] ??= []);
	const log = openLogs.get(sends) ?? new SendLog(sends);
	openLogs.set(sends, log);
	return log;
}

function validateCustomKey(key: string, isForAnother: boolean): string | undefined {
	if (key === '') return 'is empty';
	if (key.length > maxKeyLength) return `is longer than ${maxKeyLength} characters`;
	return isForAnother
		? `“${key}” is the same as that of an earlier item with another message`
		: undefined;
}

const adviceForKey =
	"Enter a text that identifies this message, such as order-1042-shipped, or set 'Idempotency Key' to From Execution.";

export const unknownWithoutKey =
	'The message may already have been sent. Another attempt would send it again.';

const createRecipientTexts = (to: string): IdempotencyTexts => ({
	unknownOutcome:
		'The message may already have been sent. To retry safely, use Retry in the Executions tab, or, if the node continues on errors, loop the item back. A new execution would send it again.',
	conflict: {
		message: `A message to ${to} was sent or tried earlier with different content`,
		advice:
			'Nothing was sent. The earlier message may be this one before its content changed, so this execution and its retries send nothing more to this recipient. Check the messages in the service, and send missing ones in a new execution.',
	},
});

const createKeyTexts = (key: string): IdempotencyTexts => ({
	unknownOutcome:
		'The message may already have been sent. Running the item again with the same key is safe.',
	conflict: {
		message: `A message with the idempotency key “${key}” was sent or tried earlier with different content`,
		advice:
			'Nothing was sent. For the same event, there is nothing to do; keep values that change with each attempt, such as {{ $now }}, out of the content. For another event, use another key.',
	},
});

/** Outside of executions each message has a random key, which no other attempt can have. */
const textsOutsideExecutions = { ...createKeyTexts('random'), unknownOutcome: unknownWithoutKey };

const logsLost: Explanation = {
	message: "n8n crashed during the original execution, so it's unknown which messages were sent",
	advice:
		'This retry sent nothing, to avoid duplicates, but the original execution may have sent some messages. Check in the service who got one, then run the workflow for the others only. With n8n 2.14 and later, or with a custom key, a retry sends only missing messages.',
};
