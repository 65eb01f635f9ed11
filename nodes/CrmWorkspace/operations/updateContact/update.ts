import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { ContactFields } from '../../service/records';
import { getField, readAddedFields } from '../../parameters/parameter';
import { parseBoolean, parseChoice } from '../../parameters/value';
import { readFields } from './fields';
import type { OmittedFieldsMode } from './omittedFields';
import {
	dryRun,
	emptyFields,
	omittedFields,
	options as optionsProperty,
	skipUnchanged,
	tags,
} from './properties';
import { readReference, type ContactReference } from './reference';
import type { TagsMode } from './tags';

/** What an item asks for. */
export interface Update {
	reference: ContactReference;
	/** What to write; null clears a field that has a format. */
	fields: ContactFields;
	/** Whether nothing is sent to a contact that has these values already. */
	skipsUnchanged: boolean;
	omittedFields: OmittedFieldsMode;
	/** What becomes of the tags that the contact has, where `fields` has some. */
	tags: TagsMode;
	/** Whether the user has chosen that. */
	areTagsChosen: boolean;
	isDryRun: boolean;
}

/** Whether what is written depends on the tags that the contact has. */
export function mergesTags({ tags, fields }: Update): boolean {
	return tags !== 'replace' && fields.tags !== undefined;
}

/** Whether mapped tags replace those of the contact although nobody has chosen that. */
export function replacesTags({ tags, areTagsChosen, fields }: Update): boolean {
	return tags === 'replace' && !areTagsChosen && (fields.tags?.length ?? 0) > 0;
}

/** Whether the contact has to be read, whatever that costs. */
export function needsRecord(update: Update): boolean {
	return update.omittedFields === 'preserve' || update.isDryRun || mergesTags(update);
}

/** Whether it takes a request whatever the contact has: the rate limiter counts on that one. */
export function isSurelyWritten(update: Update): boolean {
	return !update.skipsUnchanged && !update.isDryRun && !mergesTags(update);
}

/**
 * Reads what an item asks for.
 * @throws NodeOperationError for everything that can be seen to be wrong without a request
 */
export function readUpdate(context: IExecuteFunctions, itemIndex: number): Update {
	const options = readAddedFields(context, optionsProperty, itemIndex);
	const chosen = (option: INodeProperties) =>
		parseChoice(context, option, getField(options, option), itemIndex);
	// One that was added is on unless it was switched off.
	const isSwitchedOn = (option: INodeProperties) =>
		Object.hasOwn(options, option.name) &&
		parseBoolean(context, option, options[option.name], itemIndex);
	return {
		reference: readReference(context, itemIndex),
		fields: readFields(context, itemIndex, chosen(emptyFields) === 'clear'),
		skipsUnchanged: isSwitchedOn(skipUnchanged),
		omittedFields: chosen(omittedFields) as OmittedFieldsMode,
		tags: chosen(tags) as TagsMode,
		areTagsChosen: Object.hasOwn(options, tags.name),
		isDryRun: isSwitchedOn(dryRun),
	};
}
