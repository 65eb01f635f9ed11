import type { IDataObject } from 'n8n-workflow';
import { updateContact as putContact } from '../../service/crmWorkspace';
import { simplified, simplifiedContactFields } from '../../service/records';
import type { Operation } from '../operation';
import { runItems } from '../runItems';
import { isUnchanged, withCurrentValues } from './changes';
import { findContact, readReference } from './contact';
import { fieldNames, readFields } from './fields';
import { properties } from './properties';

/** Update Contact: changes fields of one contact for each item. */
export const updateContact: Operation = {
	properties,

	async execute(context) {
		return await runItems(context, (connection) => ({
			prepare: (itemIndex) => ({
				reference: readReference(context, itemIndex),
				fields: readFields(context, itemIndex),
				simplify: context.getNodeParameter('simplify', itemIndex, true) as boolean,
				options: context.getNodeParameter('options', itemIndex, {}),
			}),

			async perform({ reference, fields, simplify, options }, itemIndex) {
				const output = (contact: IDataObject) => [
					simplify ? (simplified(contact, simplifiedContactFields) as IDataObject) : contact,
				];
				const preserve = options.omittedFields === 'preserve';
				if ('id' in reference && !preserve && !options.skipUnchanged) {
					return output((await putContact(connection, reference.id, fields)) as IDataObject);
				}

				const contact = await findContact(context, connection, reference, itemIndex);
				if (options.skipUnchanged && isUnchanged(contact, fields)) return output(contact);
				const body = preserve ? withCurrentValues(contact, fields, fieldNames) : fields;
				return output((await putContact(connection, String(contact.id), body)) as IDataObject);
			},
		}));
	},
};
