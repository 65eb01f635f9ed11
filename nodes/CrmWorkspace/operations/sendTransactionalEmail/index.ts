import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeProperties,
	type NodeExecutionHint,
} from 'n8n-workflow';
import { simplified, simplifiedMessageFields, type Message } from '../../service/records';
import { longestName, shortened } from '../../text/plainText';
import { withoutKeyIn, type WithoutKey } from '../../transport/credential/withoutKey';
import type { Operation } from '../operation';
import { addedFieldsOf, fieldOf, parameterOf } from '../../parameters/parameter';
import { notYet } from '../pool';
import { runItems } from '../runItems';
import { choice, isOn } from '../../parameters/setting';
import { simplify } from '../../parameters/simplify';
import { Sequences } from './sequences';
import { deliver, deliverWithoutKey, type Delivery } from './deliver';
import { Held } from './held';
import { readMessage } from './message';
import {
	onContentChanged,
	onOriginalFailed,
	onRejected,
	options as optionsProperty,
	properties,
} from './properties';
import { rejectionOf } from './rejection';

/** How many messages went out at another time than one would think, or nobody knows how. */
interface Counts {
	sentAgain: number;
	sentBefore: number;
	untold: number;
}

/** Send Transactional Email: one message to one recipient for each item. */
export const sendTransactionalEmail: Operation = {
	properties,

	async execute(context, connection) {
		const sequences = new Sequences(context);
		const held = new Held();
		const counts: Counts = { sentAgain: 0, sentBefore: 0, untold: 0 };

		const { items, hints } = await runItems(context, connection, {
			prepare(itemIndex) {
				held.refuseTooMuch(context, itemIndex);
				const message = readMessage(context, itemIndex);
				held.add(message);
				const { sendsAgain, ...options } = readOptions(context, itemIndex);
				// Last, because others wait for an intent: one that was sequenced is sent.
				const sequenced = sequences.intentFor(message, itemIndex, sendsAgain);
				return { message, sequenced, ...options };
			},

			async perform(prepared, itemIndex) {
				held.refuseTooMuch(context, itemIndex);
				const { message, sequenced, countsAsDone, mayBeRejected, isSimplified } = prepared;
				const delivery = sequenced
					? await deliver(connection, { message, countsAsDone, mayBeRejected, ...sequenced })
					: await deliverWithoutKey(connection, message);
				if (delivery === notYet) return notYet;

				const { to } = message;
				const { message: taken, idempotencyKey, failures } = delivery;
				if (!taken) {
					counts.sentBefore++;
					return [{ to, idempotencyKey, _result: 'sentBefore' }];
				}
				if (failures > 0) counts.sentAgain++;
				if (Object.keys(taken).length === 0) counts.untold++;
				if (!mayBeRejected) throwIfRejected(context, itemIndex, delivery, connection.withoutKey);
				const sent = { to, ...taken, ...(idempotencyKey && { idempotencyKey }) };
				return [(isSimplified ? simplified(sent, simplifiedMessageFields) : sent) as IDataObject];
			},

			takesRequest: () => true,
		});

		return { items, hints: [...hints, ...hintsOf(counts, sequences.isInDoubt)] };
	},
};

/** What an item's options say of the message. */
function readOptions(context: IExecuteFunctions, itemIndex: number) {
	const options = addedFieldsOf(context, optionsProperty, itemIndex);
	const chosen = (option: INodeProperties) =>
		choice(context, option, fieldOf(options, option), itemIndex);
	const isSimplified = parameterOf(context, simplify, itemIndex);
	return {
		sendsAgain: chosen(onOriginalFailed) === 'sendAgain',
		countsAsDone: chosen(onContentChanged) === 'output',
		mayBeRejected: chosen(onRejected) === 'output',
		isSimplified: isOn(context, simplify, isSimplified, itemIndex),
	};
}

function hintsOf(counts: Counts, isInDoubt: boolean): NodeExecutionHint[] {
	const { sentAgain, sentBefore, untold } = counts;
	const messages = [
		untold > 0 &&
			`The service said nothing of ${counted(untold)} but that the request succeeded: what became of ${untold === 1 ? 'it' : 'them'} is not known. If it keeps no such message, Base URL in the credential leads to another site`,
		sentAgain > 0 &&
			`An earlier try had failed at the service for ${counted(sentAgain)}: sent again, under the next idempotency key`,
		sentBefore > 0 &&
			`An earlier try had sent ${counted(sentBefore)} with other content: that counts as done, and nothing was sent now`,
		isInDoubt &&
			'n8n kept nothing of what may have been sent before in the execution that this one retries, or in another retry of it: if n8n was killed meanwhile, these messages may have gone out a second time. Should this execution fail, retry it and no other. n8n 2.14 or newer, or a custom key from the beginning, makes sure of that',
	].filter((message) => message !== false);
	return messages.map((message) => ({ message, type: 'info', location: 'outputPane' }));
}

function counted(messages: number): string {
	return messages === 1 ? 'a message' : `${messages} messages`;
}

function throwIfRejected(
	context: IExecuteFunctions,
	itemIndex: number,
	{ message: taken = {}, idempotencyKey }: Delivery,
	withoutKey: WithoutKey,
): void {
	const said = withoutKeyIn(taken, withoutKey) as Message;
	const rejection = rejectionOf(said);
	if (rejection === undefined) return;
	const { isFinal } = rejection;
	const reason = shortened(rejection.reason);
	// What the service calls a status may be anything.
	const status = typeof said.status === 'string' ? shortened(said.status, longestName) : '';
	const description = [
		status && `Its status is “${status}”.`,
		`The service keeps it under the idempotency key ${idempotencyKey ?? '(none)'}.`,
		isFinal
			? 'Another key sends it anew, or, with From Execution, a new execution.'
			: 'It may be delivered all the same: look it up at the service before you send it anew, under another key or, with From Execution, in a new execution.',
		'To hand such messages on instead, set If Message Is Rejected in the options to Output the Message.',
	].filter(Boolean);
	const message = isFinal
		? `The message was not delivered: ${reason}`
		: `The message may not have been delivered: ${reason}`;
	throw new NodeOperationError(context.getNode(), message, {
		itemIndex,
		description: description.join(' '),
	});
}
