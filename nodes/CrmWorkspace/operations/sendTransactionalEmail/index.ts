/**
 * The operation Send Transactional Email. It promises that no message is sent twice, and that none is
 * reported as sent that may not be, however often n8n retries it. What keeps this promise is which
 * idempotency key a message gets: `sendLog.ts` numbers the messages, `deliver.ts` sends them.
 */
import type { IDataObject } from 'n8n-workflow';
import { pickFields, simplifiedMessageFields } from '../../service/records';
import type { ItemReader } from '../itemReader';
import { runItems, type Operation } from '../runItems';
import { simplify } from '../../parameters/sharedProperties';
import { deliver, type Delivery, type SendPolicy } from './deliver';
import { describeResults, describeTexts, noteOnStop, type Result } from './runTexts';
import { IdempotencyReader } from './idempotency';
import { findRejection } from './rejection';
import { readMessage, readRecipient, type GivenNames } from './message';
import * as property from './properties';

/** Send Transactional Email: one message to one recipient for each item. */
export const sendTransactionalEmail: Operation = {
	properties: property.properties,

	async execute(context, connection) {
		const idempotencies = new IdempotencyReader(context);
		const recipients: string[] = [];
		// n8n runs a node for each item, needed or not, so equal messages of a run are meant as one.
		const deliveries = new Map<string, Promise<Delivery>>();
		const results: Array<Result & GivenNames> = [];
		let haveKeys = false;

		const { items, hints } = await runItems(context, connection, {
			prepare(item) {
				const to = readRecipient(item);
				recipients[item.itemIndex] = to;
				const own = readMessage(item, to);
				const policy = readPolicy(item);
				const isSimplified = item.boolean(simplify);
				const idempotency = idempotencies.read(own, item);
				haveKeys ||= idempotency !== undefined;
				return { own, policy, isSimplified, idempotency };
			},

			laneOf: ({ own }) => own.message.to.toLowerCase(),

			async perform({ prepared: { own, policy, isSimplified, idempotency }, itemIndex }) {
				const { message, withoutValue, areEntered, unused, doubts } = own;
				const id = idempotency?.id ?? String(itemIndex);
				const isRepeated = deliveries.has(id);
				const delivery = deliveries.get(id) ?? deliver(connection, message, idempotency, policy);
				deliveries.set(id, delivery);
				const result = { ...(await delivery), isRepeated };
				results.push({ ...result, withoutValue, areEntered, unused, doubts });
				return buildOutput(message.to, result, isSimplified);
			},

			takesRequest: () => true,

			noteOnStop: (error, itemIndex) => noteOnStop(error, recipients[itemIndex], haveKeys),
		});
		hints.push(...describeTexts(results), ...describeResults(results));
		return { items, hints };
	},
};

function readPolicy(item: ItemReader): SendPolicy {
	const options = item.read(property.options) as IDataObject;
	return {
		sendsAgain: item.choice(property.onOriginalFailed, options) === 'sendAgain',
		acceptsChanged: item.choice(property.onContentChanged, options) === 'output',
		acceptsRejected: item.choice(property.onRejected, options) === 'output',
	};
}

function buildOutput(to: string, result: Result, isSimplified: boolean): IDataObject {
	const { message, idempotencyKey, wasSentBefore, isRepeated } = result;
	const sent = { to, ...message, ...(idempotencyKey && { idempotencyKey }) };
	const shown = isSimplified ? pickFields(sent, simplifiedMessageFields) : sent;
	const rejection = message && findRejection(message);
	const undelivered = rejection && (rejection.isFinal ? 'rejected' : 'unknown');
	const sentWhen = wasSentBefore || isRepeated ? 'sentBefore' : 'sent';
	return { _result: undelivered ?? sentWhen, ...shown };
}
