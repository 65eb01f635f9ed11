/**
 * The operation Send Transactional Email. It promises that no message is sent twice, and that none is
 * reported as sent that may not be, however often n8n retries it. What keeps this promise is which
 * idempotency key a message gets: `sendLog.ts` numbers the messages, `deliver.ts` sends them.
 */
import type { IDataObject } from 'n8n-workflow';
import { describeSend } from '../../api/endpoints';
import { messageFieldNames, pickFields, simplifiedMessageFields } from '../../api/records';
import type { Hint } from '../../common/text';
import type { ItemReader } from '../../parameters/itemReader';
import { readShownFields } from '../../parameters/output';
import type { ItemWork, Operation } from '../operation';
import { deliver, findRejection, type Delivery, type SendPolicy } from './deliver';
import { IdempotencyReader, type Idempotency } from './idempotency';
import { readMessage, readRecipient, type GivenMessage, type GivenNames } from './message';
import * as property from './properties';
import { texts } from './texts';

/** What an item asks for. */
interface Prepared {
	own: GivenMessage;
	policy: SendPolicy;
	/** The fields of the message to output; undefined for all. */
	shown?: readonly string[];
	/** Absent for a message without a key. */
	idempotency?: Idempotency;
}

/** What came of an item: an equal one before it in the run may have sent its message. */
type Result = Delivery & { isRepeated: boolean };

export const sendTransactionalEmail: Operation = {
	properties: property.properties,

	begin({ context, client }): ItemWork<Prepared> {
		const idempotencies = new IdempotencyReader(context);
		// n8n runs a node for each item, needed or not, so equal messages of a run are meant as one.
		const deliveries = new Map<string, Promise<Delivery>>();
		const results: Array<Result & GivenNames> = [];
		let haveKeys = false;

		return {
			prepare(item) {
				item.notDone = texts.nothingSent;
				const to = readRecipient(item);
				item.notDone = `${describeSend(to).undone}.`;
				const own = readMessage(item, to);
				const policy = readPolicy(item);
				const shown = readShownFields(item, simplifiedMessageFields, messageFieldNames);
				const idempotency = idempotencies.read(own, item);
				haveKeys ||= idempotency !== undefined;
				return { own, policy, shown, idempotency };
			},

			laneOf: ({ own }) => own.message.to.toLowerCase(),

			async perform({ prepared: { own, policy, shown, idempotency }, itemIndex }) {
				const { message, withoutValue, areEntered, unused, doubts } = own;
				const id = idempotency?.id ?? String(itemIndex);
				const isRepeated = deliveries.has(id);
				const delivery = deliveries.get(id) ?? deliver({ client, message, idempotency, policy });
				deliveries.set(id, delivery);
				const result = { ...(await delivery), isRepeated };
				results.push({ ...result, withoutValue, areEntered, unused, doubts });
				return buildOutput(message.to, result, shown);
			},

			takesRequest: () => true,

			describeEnd(progress) {
				// A workflow that calls this one shows the error, too, and its own retry sends again.
				const isCalled = context.getMode() === 'integrated';
				return haveKeys && results.length > 0 && !isCalled
					? texts.notSentAgain(progress)
					: progress;
			},

			hints: () => [...describeTexts(results), ...describeResults(results)],
		};
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

function buildOutput(to: string, result: Result, fields?: readonly string[]): IDataObject {
	const { message, idempotencyKey, wasSentBefore, isRepeated } = result;
	const sent = { to, ...message, ...(idempotencyKey && { idempotencyKey }) };
	const shown = fields ? pickFields(sent, fields) : sent;
	const rejection = message && findRejection(message);
	const undelivered = rejection && (rejection.isFinal ? 'rejected' : 'unknown');
	const sentWhen = wasSentBefore || isRepeated ? 'sentBefore' : 'sent';
	return { _result: undelivered ?? sentWhen, ...shown };
}

/**
 * Hints about what may be a mistake: fields and variables that had no value, variables that no token
 * uses, as their tokens may be misspelled or written as in another tool, and doubts of the texts.
 */
function describeTexts(given: GivenNames[]): Hint[] {
	const count = (lists: Array<Iterable<string>>) => {
		const counts = new Map<string, number>();
		for (const name of lists.flatMap((list) => [...list]))
			counts.set(name, (counts.get(name) ?? 0) + 1);
		return [...counts].map(([name, number]) => texts.ofItems(name, number, given.length));
	};
	const gaps = count(given.map(({ doubts }) => doubts.gaps));
	const empty = count(given.map(({ withoutValue }) => withoutValue));
	const unused = (given[0]?.unused ?? []).filter((name) =>
		given.every((one) => one.areEntered && one.unused.includes(name)),
	);
	const messages = [
		...(gaps.length > 0 ? [texts.gaps(gaps)] : []),
		...(empty.length > 0 ? [texts.emptyVariables(empty)] : []),
		...(unused.length > 0 ? [texts.unusedVariables(unused)] : []),
		...count(given.map(({ doubts }) => doubts.sentences)).slice(0, 5),
	];
	return messages.map((message) => ({ message, type: 'warning' }));
}

function describeResults(results: Result[]): Hint[] {
	const repeated = results.filter(({ isRepeated }) => isRepeated).length;
	const before = results.filter((one) => one.wasSentBefore && !one.isRepeated).length;
	const once = texts.sentOnce(repeated, results.length);
	return [
		...(repeated > 0 ? [{ message: once, type: 'warning' as const }] : []),
		...(before > 0 ? [{ message: texts.sentBefore(before, results.length) }] : []),
	];
}
