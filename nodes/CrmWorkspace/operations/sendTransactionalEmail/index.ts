import type { IDataObject } from 'n8n-workflow';
import { sendMessage } from '../../service/crmWorkspace';
import { simplified, simplifiedMessageFields } from '../../service/records';
import type { Operation } from '../operation';
import { runItems } from '../runItems';
import { readKey } from './key';
import { readMessage } from './message';
import { properties } from './properties';

/** Send Transactional Email: one message to one recipient for each item. */
export const sendTransactionalEmail: Operation = {
	properties,

	async execute(context) {
		return await runItems(context, (connection) => ({
			prepare: (itemIndex) => ({
				...readMessage(context, itemIndex),
				idempotencyKey: readKey(context, itemIndex),
			}),

			async perform(message, itemIndex) {
				const { to, idempotencyKey } = message;
				const sent = { to, idempotencyKey, ...(await sendMessage(connection, message)) };
				return context.getNodeParameter('simplify', itemIndex, true)
					? [simplified(sent, simplifiedMessageFields) as IDataObject]
					: [sent as IDataObject];
			},
		}));
	},
};
