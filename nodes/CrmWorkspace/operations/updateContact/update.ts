import type { IExecuteFunctions } from 'n8n-workflow';
import type { ContactFields } from '../../service/records';
import { readFields } from './fields';
import { readReference, type ContactReference } from './reference';

/** What an item asks for. */
export interface Update {
	reference: ContactReference;
	/** What to write; null clears a field that has a format. */
	fields: ContactFields;
	/** Sends nothing to a contact that has these values already. */
	skipUnchanged: boolean;
	/** Sends the current values of all other fields along. */
	preserve: boolean;
	/** Says what would be written, and writes nothing. */
	dryRun: boolean;
}

/**
 * Reads what an item asks for.
 * @throws NodeOperationError for everything that can be seen to be wrong without a request
 */
export function readUpdate(context: IExecuteFunctions, itemIndex: number): Update {
	const options = context.getNodeParameter('options', itemIndex, {});
	return {
		reference: readReference(context, itemIndex),
		fields: readFields(context, itemIndex, options.emptyFields === 'clear'),
		skipUnchanged: options.skipUnchanged === true,
		preserve: options.omittedFields === 'preserve',
		dryRun: options.dryRun === true,
	};
}
