import type { IExecuteFunctions } from 'n8n-workflow';
import type { SendRequest } from '../../service/records';
import {
	fingerprint,
	keyFromOrigin,
	maxKeyLength,
	nextKey,
	randomKey,
} from '../../service/idempotencyKey';
import type { Explanation } from '../../transport/errors/failure';
import { parameterOf } from '../../parameters/parameter';
import { refuse } from '../../parameters/refuse';
import { choice } from '../../parameters/setting';
import { textParameter } from '../../parameters/textParameter';
import { MessageSequence, type SendIntent, type SequenceOwner } from './messageSequence';
import { againOutside, againUnderKey, againWithin, type Again } from './again';
import { lineageOf, type Lineage } from './lineage';
import { executionIndex, nothingRemembered, rememberedOf, type Place } from './memory';
import { idempotency } from './properties';

/** An intent and the sequence that it belongs to. */
export interface SequencedIntent {
	intent: SendIntent;
	sequence: MessageSequence;
	/** When the lineage began to send, in ms since 1970; absent where there is none. */
	began?: number;
}

/**
 * The message sequences of one run: adds each item's message to the right one, as its Idempotency
 * parameter says.
 */
export class Sequences {
	private readonly recipients = new Map<string, MessageSequence>();

	private readonly keys = new Map<string, SequencedIntent & { content: string }>();

	private readonly lineage: Lineage | undefined;

	constructor(private readonly context: IExecuteFunctions) {
		this.lineage = lineageOf(context);
	}

	/**
	 * The intent for an item's message; undefined if it is sent without an idempotency key.
	 * @param sendsAgain whether it is sent again after an earlier send of it has failed at the
	 * service
	 * @throws NodeOperationError for an unknown choice, and for a custom key that is empty, too long,
	 * or used for another message of this run
	 */
	intentFor(
		message: SendRequest,
		itemIndex: number,
		sendsAgain: boolean,
	): SequencedIntent | undefined {
		const value = parameterOf(this.context, idempotency, itemIndex);
		switch (choice(this.context, idempotency, value, itemIndex)) {
			case 'none':
				return undefined;
			case 'custom':
				return this.underKey(message, itemIndex, sendsAgain);
			default:
				if (!this.lineage) return this.alone(randomKey(), againOutside, sendsAgain);
				return this.toRecipient(message, itemIndex, this.lineage, sendsAgain);
		}
	}

	/** One of the messages that the lineage sends to a recipient. */
	private toRecipient(
		message: SendRequest,
		itemIndex: number,
		lineage: Lineage,
		sendsAgain: boolean,
	): SequencedIntent {
		if (lineage.loss === 'hadBegun') refuse(this.context, itemIndex, killed.message, killed.advice);
		const recipient = message.to.toLowerCase();
		const sequence = this.recipients.get(recipient) ?? this.openRecipient(recipient, lineage);
		this.recipients.set(recipient, sequence);
		const name = lineage.isOrdered ? String(itemIndex) : fingerprint(message);
		return { sequence, intent: sequence.add(name, sendsAgain), began: beginningOf(lineage) };
	}

	private openRecipient(recipient: string, lineage: Lineage): MessageSequence {
		const { context } = this;
		const origin = {
			instanceId: context.getInstanceId(),
			workflowId: context.getWorkflow().id ?? '',
			execution: lineage.memory.origin,
			credential: lineage.credential,
			recipient,
		};
		const owner: SequenceOwner = {
			keyAt: (place) => keyFromOrigin({ ...origin, place: place + 1 }),
			explainOther: (known) => otherContent(recipient, known, lineage),
			...againWithin(context),
		};
		const record = rememberedOf(lineage.memory, `to ${recipient} by ${lineage.credential}`);
		return new MessageSequence(owner, record, { ...lineage, execution: presentExecution(lineage) });
	}

	/**
	 * Whether messages got keys of an execution that may be the retry of one that sent them before.
	 */
	get isInDoubt(): boolean {
		return this.recipients.size > 0 && this.lineage?.loss === 'unknown';
	}

	/**
	 * The one message that an idempotency key of the user stands for, however many items ask for it.
	 */
	private underKey(message: SendRequest, itemIndex: number, sendsAgain: boolean): SequencedIntent {
		const ref = { itemIndex, displayName: 'Idempotency Key' };
		const key = textParameter(this.context, 'idempotencyKey', ref).trim();
		const content = fingerprint(message);
		const problem = this.customKeyProblem(key, content);
		if (problem) {
			refuse(
				this.context,
				itemIndex,
				`Idempotency Key ${problem}`,
				'Enter what this one message is about, such as order-1042-shipped, or set Idempotency to From Execution.',
			);
		}
		const known = this.keys.get(key) ?? {
			...this.alone(key, againUnderKey, sendsAgain),
			content,
		};
		this.keys.set(key, known);
		return known;
	}

	private customKeyProblem(key: string, content: string): string | undefined {
		if (key === '') return 'is empty';
		if (key.length > maxKeyLength) return `is longer than ${maxKeyLength} characters`;
		// n8n writes an object like this if an expression puts it between other text.
		if (key.includes('[object Object]')) return 'has an object in it, not text';
		const isForAnother = (this.keys.get(key)?.content ?? content) !== content;
		return isForAnother
			? `“${key}” is the same as that of an earlier item with another message`
			: undefined;
	}

	/**
	 * A message whose key does not depend on the turn or on its content: the only one of its
	 * sequence.
	 */
	private alone(key: string, again: Again, sendsAgain: boolean): SequencedIntent {
		const { lineage } = this;
		const owner: SequenceOwner = {
			keyAt: (place) => nextKey(key, place + 1),
			explainOther: () => ({
				message: `A message with the idempotency key “${key}” was sent or tried before, with other content`,
				advice: 'Nothing was sent now. If this is another message, give it another key.',
			}),
			...again,
		};
		const record = lineage
			? rememberedOf(lineage.memory, `under ${key} by ${lineage.credential}`)
			: nothingRemembered();
		const execution = lineage ? presentExecution(lineage) : 0;
		const sender = { turn: '', tryOfTurn: {}, isOrdered: true, isComplete: false, execution };
		const sequence = new MessageSequence(owner, record, sender);
		const began = lineage && beginningOf(lineage);
		return { sequence, intent: sequence.add('', sendsAgain), began };
	}
}

/** The index of the lineage's present execution in its memory. */
function presentExecution({ memory, executionId }: Lineage): number {
	return executionIndex(memory, executionId, Date.now());
}

function beginningOf({ memory }: Lineage): number | undefined {
	return memory.executions[0]?.at;
}

const killed: Required<Explanation> = {
	message:
		'n8n was killed after this node had begun in the execution that this one retries, and kept nothing of what it had sent',
	advice:
		'Nothing was sent now, because it could be the second time. Find out who got the message, and send it to the others in a new execution; or set Idempotency to None, and retry the killed execution with the currently saved workflow, to send everything again. With n8n 2.14 or newer, or a custom key from the beginning, a retry sends what is missing.',
};

/** What to say when the service has other content where this message belongs. */
function otherContent(recipient: string, known: Place | null, lineage: Lineage): Explanation {
	const when = known ? timeOf(known, lineage) : 'in an earlier execution or try';
	if (known?.state === 'sent') {
		return {
			message: `This message was already sent ${when}, with other content`,
			advice:
				'Nothing was sent now. To let such an item count as done, set If Content Has Changed in the options to Count as Done. To send the new content as well, start a new execution.',
		};
	}
	return {
		message: `A message to ${recipient} was sent or tried ${when}, with other content`,
		advice:
			'Nothing was sent now: whether that was this message, before its content changed, is not known. If it was not, send this one in a new execution.',
	};
}

function timeOf({ state, execution, until }: Place, lineage: Lineage): string {
	const { id, at } = lineage.memory.executions[execution];
	if (id === lineage.executionId) return 'earlier in this execution';
	const time = new Date(at).toISOString().slice(0, 16).replace('T', ' ');
	const isCertain = state === 'sent' && until === undefined;
	return `in execution ${id} (${time} UTC)${isCertain ? '' : ' or a retry of it'}`;
}
