import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { normalizedEmail } from '../../service/formats';
import type { ContactFields } from '../../service/records';
import { getField, readParameter } from '../../parameters/parameter';
import { parseBoolean, parseChoice } from '../../parameters/value';
import type { ItemReader } from '../itemReader';
import { readFields } from './fields';
import type { UnmappedFieldsMode } from './contactWriter';
import {
	dryRun,
	emptyValues,
	options as optionsProperty,
	skipUnchanged,
	tagMode,
	unmappedFields,
} from './properties';
import { getName, readReference, type ContactReference } from './reference';
import type { TagMode } from './tags';

/** What an item asks for. */
export interface Update {
	reference: ContactReference;
	/** What to write; null clears a field that has a format. */
	fields: ContactFields;
	/** Whether it may give the contact another email address than it has. */
	changesAddress: boolean;
	/** Whether nothing is sent to a contact that has these values already. */
	skipsUnchanged: boolean;
	unmappedFields: UnmappedFieldsMode;
	/** What becomes of the tags that the contact has, where `fields` has some. */
	tagMode: TagMode;
	isDryRun: boolean;
}

/** Whether what is written depends on the tags that the contact has. */
export function dependsOnTags({ tagMode, fields }: Update): boolean {
	return tagMode !== 'replace' && fields.tags !== undefined;
}

/** Whether nothing is written to a contact that has these values already. */
export function comparesFirst(update: Update): boolean {
	return update.skipsUnchanged || update.isDryRun || dependsOnTags(update);
}

/** Whether the contact has to be read, whatever that costs. */
export function needsRecord(update: Update): boolean {
	return update.unmappedFields === 'preserve' || update.isDryRun || dependsOnTags(update);
}

/**
 * Reads what an item asks for.
 * @throws NodeOperationError for everything that can be seen to be wrong without a request
 */
export function readUpdate(item: ItemReader): Update {
	const { context, itemIndex } = item;
	const options = readParameter(context, optionsProperty, itemIndex) as IDataObject;
	const chosen = (option: INodeProperties) =>
		parseChoice(context, option, getField(options, option), itemIndex);
	// One that was added is on unless it was switched off.
	const isSwitchedOn = (option: INodeProperties) =>
		Object.hasOwn(options, option.name) &&
		parseBoolean(context, option, options[option.name], itemIndex);
	const reference = readReference(item);
	const fields = readFields(item, chosen(emptyValues) === 'clear');
	const { email } = fields;
	const isOwnAddress = 'email' in reference && normalizedEmail(email) === getName(reference);
	return {
		reference,
		fields,
		changesAddress: email !== undefined && !isOwnAddress,
		skipsUnchanged: isSwitchedOn(skipUnchanged),
		unmappedFields: chosen(unmappedFields) as UnmappedFieldsMode,
		tagMode: chosen(tagMode) as TagMode,
		isDryRun: isSwitchedOn(dryRun),
	};
}
