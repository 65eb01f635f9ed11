import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { ContactFields } from '../../service/records';
import { addedFieldsOf, fieldOf } from '../../parameters/parameter';
import { choice, isOn } from '../../parameters/setting';
import { readFields } from './fields';
import {
	dryRun,
	emptyFields,
	omittedFields,
	options as optionsProperty,
	skipUnchanged,
} from './properties';
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
	const options = addedFieldsOf(context, optionsProperty, itemIndex);
	const chosen = (option: INodeProperties) =>
		choice(context, option, fieldOf(options, option), itemIndex);
	const isSwitchedOn = (option: INodeProperties) =>
		isOn(context, option, fieldOf(options, option), itemIndex);
	return {
		reference: readReference(context, itemIndex),
		fields: readFields(context, itemIndex, chosen(emptyFields) === 'clear'),
		skipUnchanged: isSwitchedOn(skipUnchanged),
		preserve: chosen(omittedFields) === 'preserve',
		dryRun: isSwitchedOn(dryRun),
	};
}
