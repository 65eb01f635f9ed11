import type { IExecuteFunctions } from 'n8n-workflow';
import type { SendRequest } from '../../service/crmWorkspace';
import {
	fingerprint,
	keyFromOrigin,
	maxKeyLength,
	nextKey,
	randomKey,
} from '../../service/idempotencyKey';
import type { Explanation } from '../../transport/failure';
import { refuse } from '../refuse';
import { Correspondence, type Kind, type Letter } from './correspondence';
import { lineageOf, type Lineage } from './lineage';
import { enter, placesOf, type Place } from './memory';

/** A letter and the correspondence that it belongs to. */
export interface Addressed {
	letter: Letter;
	correspondence: Correspondence;
}

/** Finds the correspondence of each item of a run, as its Idempotency parameter asks. */
export class Addressing {
	private readonly correspondences = new Map<string, Correspondence>();

	/** The content that each of the user's keys stands for in this run. */
	private readonly contents = new Map<string, string>();

	private readonly lineage: Lineage | undefined;

	constructor(private readonly context: IExecuteFunctions) {
		this.lineage = lineageOf(context);
	}

	/**
	 * Makes a letter of an item's message; undefined for one without an idempotency key.
	 * @param sendsAgain whether it is sent again when a send of it has failed at the service
	 * @throws NodeOperationError for a custom key that is empty, too long, or used for another
	 * message of this run
	 */
	address(message: SendRequest, itemIndex: number, sendsAgain: boolean): Addressed | undefined {
		const correspondence = this.correspondenceOf(message, itemIndex);
		const letter = correspondence?.add(fingerprint(message), sendsAgain);
		return correspondence && letter && { correspondence, letter };
	}

	private correspondenceOf(message: SendRequest, itemIndex: number): Correspondence | undefined {
		switch (this.context.getNodeParameter('idempotency', itemIndex)) {
			case 'none':
				return undefined;
			case 'custom':
				return this.underKey(this.readCustomKey(message, itemIndex));
			default:
				return this.lineage
					? this.withRecipient(message.to, this.lineage)
					: this.open(`once ${itemIndex}`, onlyNow());
		}
	}

	/** All messages that the lineage sends to a recipient. */
	private withRecipient(recipient: string, lineage: Lineage): Correspondence {
		const { context } = this;
		const origin = {
			instanceId: context.getInstanceId(),
			workflowId: context.getWorkflow().id ?? '',
			execution: lineage.memory.origin,
			recipient,
		};
		return this.open(`to ${recipient.toLowerCase()}`, {
			isOneMessage: false,
			keyAt: (place) => keyFromOrigin({ ...origin, place: place + 1 }),
			explainOther: (known) => otherContent(recipient, known, lineage),
			doubt: doubtWithKey,
		});
	}

	/** The one message that a key of the user's stands for. */
	private underKey(key: string): Correspondence {
		return this.open(`under ${key}`, {
			isOneMessage: true,
			keyAt: (place) => nextKey(key, place + 1),
			explainOther: () => ({
				message: `A message with the idempotency key “${key}” was sent or tried before, with other content`,
				advice: 'Nothing was sent now. If this is another message, give it another key.',
			}),
			doubt: doubtWithKey,
		});
	}

	private open(name: string, kind: Kind): Correspondence {
		const known = this.correspondences.get(name);
		if (known) return known;

		const { lineage } = this;
		const opened = lineage
			? new Correspondence(kind, placesOf(lineage.memory, name), {
					...lineage,
					execution: enter(lineage.memory, lineage.executionId, Date.now()),
				})
			: new Correspondence(kind, [], { turn: '', tryOfTurn: {}, execution: 0 });
		this.correspondences.set(name, opened);
		return opened;
	}

	private readCustomKey(message: SendRequest, itemIndex: number): string {
		const key = String(this.context.getNodeParameter('idempotencyKey', itemIndex) ?? '').trim();
		const problem = this.customKeyProblem(key, fingerprint(message));
		if (problem) {
			refuse(
				this.context,
				itemIndex,
				`Idempotency Key ${problem}`,
				'Enter what this one message is about, such as order-1042-shipped, or set Idempotency to From Execution.',
			);
		}
		return key;
	}

	private customKeyProblem(key: string, content: string): string | undefined {
		if (key === '') return 'is empty';
		if (key.length > maxKeyLength) return `is longer than ${maxKeyLength} characters`;
		if ((this.contents.get(key) ?? content) !== content) {
			return `“${key}” is the same as that of an earlier item with another message`;
		}
		this.contents.set(key, content);
		return undefined;
	}
}

const doubtWithKey =
	'The message may have been sent: a retry of the execution sends nothing twice.';

/** A message that no later try can recognise. */
function onlyNow(): Kind {
	const key = randomKey();
	return {
		isOneMessage: true,
		keyAt: (place) => nextKey(key, place + 1),
		explainOther: () => ({
			message: 'The service knows the idempotency key of this message already',
		}),
		doubt:
			'The message may or may not have been sent: n8n runs the node outside of an execution here, so another call would send it again.',
	};
}

/** What to say when the service has other content where this message belongs. */
function otherContent(recipient: string, known: Place | null, lineage: Lineage): Explanation {
	const when = known ? timeOf(known, lineage) : 'in an earlier execution';
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

function timeOf({ execution }: Place, { memory, executionId }: Lineage): string {
	const { id, at } = memory.executions[execution];
	if (id === executionId) return 'earlier in this execution';
	return `in execution ${id} (${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC)`;
}
