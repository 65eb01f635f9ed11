import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeProperties,
} from 'n8n-workflow';
import { simplified, simplifiedMessageFields, type Message } from '../../service/records';
import { shortened } from '../../text/plainText';
import { withoutKeyIn } from '../../transport/credential/withoutKey';
import type { Operation } from '../operation';
import { addedFieldsOf, fieldOf, parameterOf } from '../../parameters/parameter';
import { notYet } from '../pool';
import { runItems } from '../runItems';
import { choice, isOn } from '../../parameters/setting';
import { simplify } from '../../parameters/simplify';
import { newExecution } from './again';
import { Sequences } from './sequences';
import { deliver, deliverWithoutKey } from './deliver';
import { Held } from './held';
import { tokensInExpressions } from './contentText';
import { readMessage } from './message';
import { hintsOf, type Counts } from './messageHints';
import {
	onContentChanged,
	onOriginalFailed,
	onRejected,
	options as optionsProperty,
	properties,
} from './properties';
import { rejectionOf } from './rejection';

/** Send Transactional Email: one message to one recipient for each item. */
export const sendTransactionalEmail: Operation = {
	properties,

	async execute(context, connection) {
		const sequences = new Sequences(context);
		const held = new Held();
		let again: string | undefined;
		const counts: Counts = { sentAgain: 0, sentBefore: 0, changed: 0, unanswered: 0 };

		const { items, hints } = await runItems(context, connection, {
			prepare(itemIndex) {
				held.refuseTooMuch(context, itemIndex);
				const message = readMessage(context, itemIndex);
				held.add(message);
				const { sendsAgain, ...options } = readOptions(context, itemIndex);
				// Last, because others wait for an intent: one that was sequenced is sent.
				const sequenced = sequences.intentFor(message, itemIndex, sendsAgain);
				again ??= sequenced?.sequence.owner.again;
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
				const { message: taken, idempotencyKey, failures, isSentBefore } = delivery;
				const result = { _result: isSentBefore ? 'sentBefore' : 'sent' };
				if (!taken) {
					counts.changed++;
					return [{ ...result, to, idempotencyKey }];
				}
				if (failures > 0) counts.sentAgain++;
				if (Object.keys(taken).length === 0) counts.unanswered++;
				if (!mayBeRejected) {
					const said = withoutKeyIn(taken, connection.withoutKey) as Message;
					throwIfRejected(context, itemIndex, said, sequenced?.sequence.owner.anew);
				}
				if (isSentBefore) counts.sentBefore++;
				const sent = { to, ...taken, ...(idempotencyKey && { idempotencyKey }) };
				const shown = isSimplified ? simplified(sent, simplifiedMessageFields) : sent;
				return [{ ...result, ...shown } as IDataObject];
			},

			takesRequest: () => true,

			noteOnDone: () => (again === undefined ? '' : `${again} sends the others only`),
		});

		const ofMessages = hintsOf({
			...counts,
			all: context.getInputData().length,
			isInDoubt: sequences.isInDoubt,
			tokens: tokensInExpressions(context),
		});
		return { items, hints: [...hints, ...ofMessages] };
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

/** @param anew what sends the message again */
function throwIfRejected(
	context: IExecuteFunctions,
	itemIndex: number,
	said: Message,
	anew = newExecution,
): void {
	const rejection = rejectionOf(said);
	if (rejection === undefined) return;
	const { isFinal } = rejection;
	const reason = shortened(rejection.reason);
	const message = isFinal
		? `The message was not delivered: ${reason}`
		: `The message may not have been delivered: ${reason}`;
	const check = isFinal
		? 'Check the address.'
		: 'It may still be delivered: look it up at the service first.';
	const option =
		'To go on with such messages, set If Message Is Rejected in the options to Output the Message.';
	const description = `${check} ${anew} sends it again. ${option}`;
	throw new NodeOperationError(context.getNode(), message, { itemIndex, description });
}
