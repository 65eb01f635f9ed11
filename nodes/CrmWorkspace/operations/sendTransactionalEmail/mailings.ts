import type { IExecuteFunctions } from 'n8n-workflow';
import type { SendRequest } from '../../service/records';
import {
	fingerprint,
	keyFromOrigin,
	maxKeyLength,
	nextKey,
	randomKey,
} from '../../service/idempotencyKey';
import type { Explanation } from '../../transport/failure';
import { readParameter, throwParameterError } from '../../parameters/parameter';
import { readText } from '../../parameters/value';
import {
	wordsOutsideExecutions,
	wordsUnderKey,
	wordsWithinExecution,
	type ResendWords,
} from './resendWords';
import { lineageOf, type Lineage } from './lineage';
import { executionIndex, placesOf, type Place, type Places } from './memory';
import { Plan, type Intent } from './plan';
import { idempotency } from './properties';

/** A message that items ask for, and what their options say of it. */
export interface MessageIntent extends Intent {
	message: SendRequest;
	/** Whether it counts as done if an earlier try has sent it with other content. */
	countsAsDone: boolean;
	/** The indexes of the items: several of one custom key ask for one message. */
	items: number[];
}

/** Where the idempotency keys of a plan's places come from, and what to say of them. */
export interface KeySource extends ResendWords {
	/** The idempotency key of a place; places count from 0. */
	keyAt(place: number): string;
	/**
	 * What to tell the user when the service has other content under the key of a place.
	 * @param known what is known of the place; null where nothing is, or nothing of this message
	 */
	explainOtherContent(known: Place | null): Explanation;
}

/** All that a run sends to one recipient, or under one idempotency key of the user's. */
export interface Mailing {
	plan: Plan<MessageIntent>;
	keys: KeySource;
	/** What is remembered of them, which the plan reads and changes. */
	places: Places;
	/** In ms since 1970; absent where there is no lineage. */
	lineageBegan?: number;
}

/** What an item asks for. */
type UnnamedIntent = Omit<MessageIntent, 'name' | 'items'>;

/**
 * The mailings of one run: adds each item's message to the right one, as its Idempotency parameter
 * says.
 */
export class Mailings {
	private readonly recipients = new Map<string, Mailing>();

	private readonly customKeys = new Map<
		string,
		{ mailing: Mailing; items: number[]; content: string }
	>();

	private readonly lineage: Lineage | undefined;

	constructor(private readonly context: IExecuteFunctions) {
		this.lineage = lineageOf(context);
	}

	/**
	 * Adds an item's message; gives what it is sent with, undefined if that is without an idempotency
	 * key.
	 * @throws NodeOperationError for a custom key that is empty, too long, or used for another message
	 * of this run
	 */
	add(intent: UnnamedIntent, itemIndex: number): Mailing | undefined {
		switch (readParameter(this.context, idempotency, itemIndex)) {
			case 'none':
				return undefined;
			case 'custom':
				return this.underKey(intent, itemIndex);
			default:
				if (this.lineage) return this.toRecipient(intent, itemIndex, this.lineage);
				return this.ofOneMessage(randomKey(), wordsOutsideExecutions, {
					...intent,
					name: '',
					items: [itemIndex],
				});
		}
	}

	/**
	 * Whether messages got keys of an execution that may be the retry of one that sent them before.
	 */
	get isInDoubt(): boolean {
		return this.recipients.size > 0 && this.lineage?.memoryLoss === 'unknown';
	}

	/** One of the messages that the lineage sends to a recipient. */
	private toRecipient(intent: UnnamedIntent, itemIndex: number, lineage: Lineage): Mailing {
		if (lineage.memoryLoss === 'hadBegun') {
			throwParameterError(this.context, itemIndex, memoryLost.message, memoryLost.advice);
		}
		const recipient = intent.message.to.toLowerCase();
		const mailing = this.recipients.get(recipient) ?? this.openRecipient(recipient, lineage);
		this.recipients.set(recipient, mailing);
		const name = lineage.isOrdered ? String(itemIndex) : fingerprint(intent.message);
		mailing.plan.add({ ...intent, name, items: [itemIndex] });
		return mailing;
	}

	private openRecipient(recipient: string, lineage: Lineage): Mailing {
		const { context } = this;
		const origin = {
			instanceId: context.getInstanceId(),
			workflowId: context.getWorkflow().id ?? '',
			execution: lineage.memory.origin,
			credential: lineage.credential,
			recipient,
		};
		const keys: KeySource = {
			keyAt: (place) => keyFromOrigin({ ...origin, place: place + 1 }),
			explainOtherContent: (known) => otherContent(recipient, known, lineage),
			...wordsWithinExecution(context),
		};
		const places = placesOf(lineage.memory, `to ${recipient} by ${lineage.credential}`);
		const execution = presentExecution(lineage);
		const plan = new Plan<MessageIntent>(places, { ...lineage, execution });
		return { plan, keys, places, lineageBegan: beginningOf(lineage) };
	}

	/**
	 * The one message that an idempotency key of the user stands for, however many items ask for it.
	 */
	private underKey(intent: UnnamedIntent, itemIndex: number): Mailing {
		const ref = { itemIndex, displayName: 'Idempotency Key' };
		const key = readText(this.context, 'idempotencyKey', ref).trim();
		const content = fingerprint(intent.message);
		const problem = this.customKeyProblem(key, content);
		if (problem) {
			throwParameterError(
				this.context,
				itemIndex,
				`Idempotency Key ${problem}`,
				'Enter what this one message is about, such as order-1042-shipped, or set Idempotency to From Execution.',
			);
		}
		const known = this.customKeys.get(key);
		if (known) {
			known.items.push(itemIndex);
			return known.mailing;
		}
		const items = [itemIndex];
		const mailing = this.ofOneMessage(key, wordsUnderKey, { ...intent, name: '', items });
		this.customKeys.set(key, { mailing, items, content });
		return mailing;
	}

	private customKeyProblem(key: string, content: string): string | undefined {
		if (key === '') return 'is empty';
		if (key.length > maxKeyLength) return `is longer than ${maxKeyLength} characters`;
		// n8n writes an object like this if an expression puts it between other text.
		if (key.includes('[object Object]')) return 'has an object in it, not text';
		const isForAnother = (this.customKeys.get(key)?.content ?? content) !== content;
		return isForAnother
			? `“${key}” is the same as that of an earlier item with another message`
			: undefined;
	}

	/**
	 * A message whose key does not depend on the turn or on its content: the only one of its mailing.
	 */
	private ofOneMessage(key: string, words: ResendWords, intent: MessageIntent): Mailing {
		const { lineage } = this;
		const keys: KeySource = {
			keyAt: (place) => nextKey(key, place + 1),
			explainOtherContent: () => ({
				message: `A message with the idempotency key “${key}” was sent or tried before, with other content`,
				advice: 'Nothing was sent now. If this is another message, give it another key.',
			}),
			...words,
		};
		const places = lineage ? placesOf(lineage.memory, `under ${key} by ${lineage.credential}`) : [];
		const plan = new Plan<MessageIntent>(places, {
			turn: '',
			isOrdered: true,
			// A key of the user's may be used anywhere.
			remembersAll: false,
			execution: lineage ? presentExecution(lineage) : 0,
			donePlaces: new WeakSet(),
		});
		plan.add(intent);
		return { plan, keys, places, lineageBegan: lineage && beginningOf(lineage) };
	}
}

/** The index of the lineage's present execution in its memory. */
function presentExecution({ memory, executionId }: Lineage): number {
	return executionIndex(memory, executionId, Date.now());
}

function beginningOf({ memory }: Lineage): number | undefined {
	return memory.executions[0]?.at;
}

const memoryLost: Required<Explanation> = {
	message:
		'n8n was killed after this node had begun in the execution that this one retries, and kept nothing of what it had sent',
	advice:
		'Nothing was sent now, because it could be the second time. Find out who got the message, and send it to the others in a new execution; or set Idempotency to None, and retry the killed execution with the currently saved workflow, to send everything again. With n8n 2.14 or newer, or a custom key from the beginning, a retry sends what is missing.',
};

/** What to say when the service has other content where this message belongs. */
function otherContent(recipient: string, known: Place | null, lineage: Lineage): Explanation {
	const when = known ? timeOf(known, lineage) : 'in an earlier execution or try';
	if (known?.fate === 'sent') {
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

/** When the message that is at a place, or the last one that was tried there, was sent. */
function timeOf({ fate, claims }: Place, lineage: Lineage): string {
	const { execution, until } = claims[claims.length - 1];
	const { id, at } = lineage.memory.executions[execution];
	if (id === lineage.executionId) return 'earlier in this execution';
	const time = new Date(at).toISOString().slice(0, 16).replace('T', ' ');
	const isCertain = fate === 'sent' && until === undefined;
	return `in execution ${id} (${time} UTC)${isCertain ? '' : ' or a retry of it'}`;
}
