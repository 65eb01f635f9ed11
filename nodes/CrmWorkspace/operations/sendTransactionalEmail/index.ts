import { NodeOperationError, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';
import { simplified, simplifiedMessageFields } from '../../service/records';
import type { Operation } from '../operation';
import { runItems } from '../runItems';
import { deliver, type Delivery } from './deliver';
import { KeyReader } from './key';
import { readMessage } from './message';
import { properties } from './properties';
import { rejectionReason } from './rejection';

interface SendOptions {
	onRejected?: 'fail' | 'output';
	onOriginalFailed?: 'sendAgain' | 'fail';
}

/** Send Transactional Email: one message to one recipient for each item. */
export const sendTransactionalEmail: Operation = {
	properties,

	async execute(context) {
		const keys = new KeyReader(context);
		let sentAgain = 0;

		const output = await runItems(context, (connection) => ({
			prepare(itemIndex) {
				const message = readMessage(context, itemIndex);
				return {
					message,
					family: keys.read(message, itemIndex),
					isSimplified: context.getNodeParameter('simplify', itemIndex, true) as boolean,
					options: context.getNodeParameter('options', itemIndex, {}) as SendOptions,
				};
			},

			async perform({ message, family, isSimplified, options }, itemIndex) {
				const delivery = await deliver(connection, message, family, options.onOriginalFailed);
				if (delivery.link > 1) sentAgain++;
				if (options.onRejected !== 'output') throwIfRejected(context, itemIndex, delivery);
				const sent = { to: message.to, ...delivery.message, idempotencyKey: delivery.key };
				return [(isSimplified ? simplified(sent, simplifiedMessageFields) : sent) as IDataObject];
			},
		}));

		if (sentAgain > 0) {
			context.addExecutionHints({
				message: `Of ${sentAgain} messages an earlier try had failed at the service: they were sent again, with the next idempotency key`,
				type: 'info',
				location: 'outputPane',
			});
		}
		return output;
	},
};

function throwIfRejected(
	context: IExecuteFunctions,
	itemIndex: number,
	{ message, key }: Delivery,
): void {
	const reason = rejectionReason(message);
	if (reason === undefined) return;
	const status = message.status ? `Its status is “${message.status}”. ` : '';
	throw new NodeOperationError(context.getNode(), `The message was not delivered: ${reason}`, {
		itemIndex,
		description: `${status}The service keeps it under the idempotency key ${key ?? '(none)'}. To hand such messages on instead, set If Message Is Rejected in the options to Output the Message.`,
	});
}
