import type { IDataObject } from 'n8n-workflow';
import { simplified, simplifiedContactFields } from '../../service/records';
import { Cancelled } from '../../transport/failure';
import type { Operation } from '../operation';
import { readRequestOptions } from '../requestOptions';
import { runItems } from '../runItems';
import { apply, type KnownContact, type UpdateResult } from './apply';
import { findContact } from './contact';
import { ContactFinder } from './contactFinder';
import { hintOfIgnoredColumns } from './fields';
import { properties } from './properties';
import { Turns } from './turns';
import { readUpdate } from './update';

/** Update Contact: changes fields of one contact for each item. */
export const updateContact: Operation = {
	properties,

	async execute(context) {
		const items = await runItems(context, (connection) => {
			const finder = new ContactFinder(connection, readRequestOptions(context).concurrency);
			const turns = new Turns<KnownContact>();
			return {
				prepare(itemIndex) {
					const update = readUpdate(context, itemIndex);
					finder.expect(update);
					return update;
				},

				async perform(update, itemIndex) {
					const result = await turns.take(
						findContact(context, finder, update, itemIndex),
						async (contact) => await apply(connection, contact, update),
						(contact) => {
							if (!context.continueOnFail()) throw new Cancelled();
							// Whether a write that failed was done all the same is not always known.
							return { ...contact, isCurrent: false };
						},
					);
					return [output(result, context.getNodeParameter('simplify', itemIndex, true) === true)];
				},
			};
		});
		context.addExecutionHints(...hintOfIgnoredColumns(context));
		return items;
	},
};

/** The record, and beside its fields what came of the item, so that a next node can count. */
function output({ record, result }: UpdateResult, simplify: boolean): IDataObject {
	const shown = simplify ? simplified(record, simplifiedContactFields) : record;
	return { ...shown, _result: result } as IDataObject;
}
