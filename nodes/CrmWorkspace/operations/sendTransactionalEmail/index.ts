/**
 * The operation Send Transactional Email. It promises that nothing is sent twice, and nothing is
 * reported as sent that may not be, however often n8n tries a message again. All that keeps this
 * promise is which idempotency key a message gets: `lineage.ts` and `memory.ts` know what was tried
 * before, `plan.ts` and `placeAfter.ts` decide, and docs/what-a-message-is-known-by.md says why.
 */
import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeProperties,
} from 'n8n-workflow';
import { simplified, simplifiedMessageFields, type SendRequest } from '../../service/records';
import { shortened } from '../../text/plainText';
import type { Connection } from '../../transport/connection';
import type { Operation } from '../operation';
import { getField, readAddedFields } from '../../parameters/parameter';
import { parseChoice, readBoolean } from '../../parameters/value';
import { endOf, runGroups, type GroupItem } from '../runItems';
import { simplify } from '../../parameters/sharedProperties';
import { newExecution } from './resendWords';
import { deliver, deliverWithoutKey, type Delivery } from './deliver';
import { RunSize } from './runSize';
import { Mailings, type Mailing } from './mailings';
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
import { rejectionOf, type Rejection } from './rejection';

/** Send Transactional Email: one message to one recipient for each item. */
export const sendTransactionalEmail: Operation = {
	properties,

	async execute(context, connection) {
		const mailings = new Mailings(context);
		const runSize = new RunSize();
		let resentBy: string | undefined;
		const counts: Counts = { sentAgain: 0, sentBefore: 0, changed: 0, unanswered: 0 };

		const { items, hints } = await runGroups<Prepared>(context, connection, {
			prepare(itemIndex) {
				runSize.refuseTooMuch(context, itemIndex);
				const message = readMessage(context, itemIndex);
				runSize.add(message);
				const { isSimplified, ...options } = readOptions(context, itemIndex);
				// Last, because a message that was added is sent.
				const mailing = mailings.add({ message, ...options }, itemIndex);
				resentBy ??= mailing?.keys.resentBy;
				const { mayBeRejected } = options;
				const how = mailing ? { mailing } : { message };
				return { to: message.to, ...how, mayBeRejected, isSimplified };
			},

			groupOf: (prepared) => ('mailing' in prepared ? prepared.mailing : prepared),

			async *perform(group) {
				runSize.refuseTooMuch(context, group[0].itemIndex);
				const prepared = new Map(group.map((item) => [item.itemIndex, item.prepared]));
				for await (const { items: indexes, ...ended } of deliveriesOf(connection, group[0])) {
					for (const itemIndex of indexes) {
						yield endOf(itemIndex, () => {
							if ('error' in ended) throw ended.error;
							return output(prepared.get(itemIndex)!, ended.delivery, itemIndex);
						});
					}
				}
			},

			takesRequest: () => true,

			noteOnDone: () => (resentBy === undefined ? '' : `${resentBy} sends the others only`),
		});

		/** What an item puts out. @throws NodeOperationError where its message was rejected */
		function output(prepared: Prepared, delivery: Delivery, itemIndex: number): IDataObject[] {
			const { to, mayBeRejected, isSimplified } = prepared;
			const { message, idempotencyKey, failures, wasSentBefore } = delivery;
			const result = { _result: wasSentBefore ? 'sentBefore' : 'sent' };
			if (!message) {
				counts.changed++;
				return [{ ...result, to, idempotencyKey }];
			}
			if (failures > 0) counts.sentAgain++;
			if (Object.keys(message).length === 0) counts.unanswered++;
			const rejection = mayBeRejected ? undefined : rejectionOf(message);
			if (rejection) {
				const sentAnewBy = 'mailing' in prepared ? prepared.mailing.keys.sentAnewBy : newExecution;
				const reason = shortened(connection.redact(rejection.reason));
				throw rejectionError(context, itemIndex, { ...rejection, reason }, sentAnewBy);
			}
			if (wasSentBefore) counts.sentBefore++;
			const sent = { to, ...message, ...(idempotencyKey && { idempotencyKey }) };
			const shown = isSimplified ? simplified(sent, simplifiedMessageFields) : sent;
			return [{ ...result, ...shown } as IDataObject];
		}

		const ofMessages = hintsOf({
			...counts,
			all: context.getInputData().length,
			isInDoubt: mailings.isInDoubt,
			tokens: tokensInExpressions(context),
		});
		return { items, hints: [...hints, ...ofMessages] };
	},
};

/** An item that is to be sent: as one of a mailing, or without an idempotency key. */
type Prepared = ({ mailing: Mailing } | { message: SendRequest }) & {
	to: string;
	mayBeRejected: boolean;
	isSimplified: boolean;
};

/** What comes of the messages of a group, as soon as it is known; of one without a key it is the only one. */
async function* deliveriesOf(connection: Connection, { prepared, itemIndex }: GroupItem<Prepared>) {
	if ('mailing' in prepared) yield* deliver(connection, prepared.mailing);
	else {
		const delivery = await deliverWithoutKey(connection, prepared.message);
		yield { items: [itemIndex], delivery };
	}
}

function readOptions(context: IExecuteFunctions, itemIndex: number) {
	const options = readAddedFields(context, optionsProperty, itemIndex);
	const chosen = (option: INodeProperties) =>
		parseChoice(context, option, getField(options, option), itemIndex);
	return {
		sendsAgain: chosen(onOriginalFailed) === 'sendAgain',
		countsAsDone: chosen(onContentChanged) === 'output',
		mayBeRejected: chosen(onRejected) === 'output',
		isSimplified: readBoolean(context, simplify, itemIndex),
	};
}

function rejectionError(
	context: IExecuteFunctions,
	itemIndex: number,
	{ reason, isFinal }: Rejection,
	sentAnewBy: string,
): NodeOperationError {
	const message = isFinal
		? `The message was not delivered: ${reason}`
		: `The message may not have been delivered: ${reason}`;
	const check = isFinal
		? 'Check the address.'
		: 'It may still be delivered: look it up at the service first.';
	const option =
		'To go on with such messages, set If Message Is Rejected in the options to Output the Message.';
	const description = `${check} ${sentAnewBy} sends it again. ${option}`;
	return new NodeOperationError(context.getNode(), message, { itemIndex, description });
}
