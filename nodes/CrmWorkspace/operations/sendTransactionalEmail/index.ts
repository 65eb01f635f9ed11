/**
 * The operation Send Transactional Email. It promises that no message is sent twice, and that none is
 * reported as sent that may not be, however often n8n retries it. What keeps this promise is which
 * idempotency key a message gets: `sendLog.ts` numbers the messages, `deliver.ts` sends them.
 */
import type {
	IDataObject,
	IExecuteFunctions,
	INodeProperties,
	NodeExecutionHint,
} from 'n8n-workflow';
import { simplified, simplifiedMessageFields } from '../../service/records';
import { hint } from '../../text/hint';
import type { Operation } from '../operation';
import { getField, readAddedFields } from '../../parameters/parameter';
import { parseChoice, readBoolean } from '../../parameters/value';
import { runItems } from '../runItems';
import { simplify } from '../../parameters/sharedProperties';
import { hintOfTokens } from './contentText';
import { deliver, type Delivery, type SendPolicy } from './deliver';
import { IdempotencyReader } from './idempotency';
import { readMessage } from './message';
import {
	onContentChanged,
	onOriginalFailed,
	onRejected,
	options as optionsProperty,
	properties,
} from './properties';

/** Send Transactional Email: one message to one recipient for each item. */
export const sendTransactionalEmail: Operation = {
	properties,

	async execute(context, connection) {
		const idempotencies = new IdempotencyReader(context);
		// n8n runs a node once for each item, so equal messages of a run are meant as one.
		const deliveries = new Map<string, Promise<Delivery>>();
		const results: Result[] = [];

		const { items, hints } = await runItems(context, connection, {
			prepare(itemIndex) {
				const message = readMessage(context, itemIndex);
				const policy = readPolicy(context, itemIndex);
				const isSimplified = readBoolean(context, simplify, itemIndex);
				const idempotency = idempotencies.read(message, itemIndex);
				idempotency?.log.offer(message, idempotency.identity);
				return { message, policy, isSimplified, idempotency };
			},

			laneOf: ({ message }) => message.to.toLowerCase(),

			async perform({ message, policy, isSimplified, idempotency }, itemIndex) {
				const key = idempotency
					? [idempotency.keyAt(0), idempotency.identity.content, ...Object.values(policy)].join()
					: String(itemIndex);
				const isRepeated = deliveries.has(key);
				const sending = deliveries.get(key) ?? deliver(connection, message, idempotency, policy);
				deliveries.set(key, sending);
				const result = { ...(await sending), isRepeated };
				results.push(result);
				return [output(message.to, result, isSimplified)];
			},

			takesRequest: () => true,

			noteOnDone: () =>
				results.some(({ idempotencyKey }) => idempotencyKey)
					? 'a retry of the execution sends the others only'
					: '',
		});
		return { items, hints: [...hints, ...hintOfTokens(context), ...hintsOf(results)] };
	},
};

/** What came of an item: an equal one before it in the run may have sent its message. */
type Result = Delivery & { isRepeated: boolean };

function readPolicy(context: IExecuteFunctions, itemIndex: number): SendPolicy {
	const options = readAddedFields(context, optionsProperty, itemIndex);
	const chosen = (option: INodeProperties) =>
		parseChoice(context, option, getField(options, option), itemIndex);
	return {
		sendsAgain: chosen(onOriginalFailed) === 'sendAgain',
		acceptsChanged: chosen(onContentChanged) === 'output',
		acceptsRejected: chosen(onRejected) === 'output',
	};
}

function output(to: string, result: Result, isSimplified: boolean): IDataObject {
	const { message, idempotencyKey, wasSentBefore, isRepeated } = result;
	const sent = { to, ...message, ...(idempotencyKey && { idempotencyKey }) };
	const shown = isSimplified ? simplified(sent, simplifiedMessageFields) : sent;
	return { _result: wasSentBefore || isRepeated ? 'sentBefore' : 'sent', ...shown };
}

function hintsOf(results: Result[]): NodeExecutionHint[] {
	const counted = (isOne: (result: Result) => boolean, text: string, type?: 'warning') => {
		const count = results.filter(isOne).length;
		return count > 0 ? [hint(`${count} of ${results.length} ${text}`, type)] : [];
	};
	return [
		...counted(
			({ isRepeated }) => isRepeated,
			"items had the same message for the same recipient as an earlier item, and it was sent once. If one item is enough, turn on Execute Once in the node's settings. To send equal messages, set Idempotency to None, or give each its own custom key",
			'warning',
		),
		...counted(
			({ isRepeated, wasSentBefore }) => wasSentBefore && !isRepeated,
			'messages had been sent before and were not sent again',
		),
		...counted(
			({ message }) => message !== undefined && Object.keys(message).length === 0,
			"messages were accepted without details. If the service doesn't have them, check Base URL in the credential",
		),
	];
}
