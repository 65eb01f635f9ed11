import type { IExecuteFunctions, NodeExecutionHint, ResourceMapperFields } from 'n8n-workflow';
import { valueProblem } from '../../service/contactValues';
import {
	contactFieldNames,
	contactSources,
	type ContactFieldName,
	type ContactFields,
} from '../../service/records';
import { listed, trimmed } from '../../text/plainText';
import { displayNames } from '../../parameters/contactFields';
import { throwParameterError } from '../../parameters/parameter';
import { parseText } from '../../parameters/value';
import { sourceOptions } from '../sourceOptions';
import { isMappedByHand, mappedValues } from './mapping';
import { tagsIn } from './tags';
import { hint } from '../../text/hint';

/** Load method of the Fields parameter: the ten fields with their types. */
export async function getContactFields(): Promise<ResourceMapperFields> {
	return {
		fields: contactFieldNames.map((name) => ({
			id: name,
			displayName: displayNames[name],
			required: false,
			defaultMatch: false,
			display: true,
			type: name === 'source' ? 'options' : 'string',
			options: name === 'source' ? sourceOptions : undefined,
		})),
	};
}

/**
 * Reads what an item changes: by hand, or from the input's columns of the same names.
 * @param clearsEmpty whether an empty value clears the field; otherwise it changes nothing
 * @throws NodeOperationError for a value that cannot be right, and when nothing is left to change
 */
export function readFields(
	context: IExecuteFunctions,
	itemIndex: number,
	clearsEmpty: boolean,
): ContactFields {
	const values = mappedValues(context, itemIndex);
	const entries = contactFieldNames
		.filter((name) => name in values)
		.map((name) => [name, readField(context, itemIndex, name, values[name])] as const)
		.filter(([, value]) => clearsEmpty || value.length > 0)
		.map(([name, value]) => [name, value.length > 0 ? value : clearedValue(name)]);
	if (entries.length === 0) {
		throwParameterError(
			context,
			itemIndex,
			'Nothing to update: no field has a value',
			isMappedByHand(context)
				? `${clearsEmpty ? 'Add' : 'Enter a value for'} at least one field. Empty ones are cleared if Empty Fields in the options is Clear.`
				: `The input has no column with a value named ${contactFieldNames.join(', ')}.`,
		);
	}
	return Object.fromEntries(entries) as ContactFields;
}

/** Columns that each data table of n8n has: nobody means to write them. */
const columnsOfTables = ['id', 'createdAt', 'updatedAt'];

/** A hint that names the columns of the input which automatic mapping does not know. */
export function hintOfIgnoredColumns(context: IExecuteFunctions): NodeExecutionHint[] {
	if (isMappedByHand(context)) return [];
	const columns = new Set(context.getInputData().flatMap(({ json }) => Object.keys(json)));
	const ignored = [...columns].filter(
		(column) => !Object.hasOwn(displayNames, column) && !columnsOfTables.includes(column),
	);
	if (ignored.length === 0) return [];
	return [
		hint(
			`Columns of the input that are no fields of a contact were ignored: ${listed(ignored)}. Fields are named ${contactFieldNames.join(', ')}`,
		),
	];
}

/** The value of a field; empty if there is nothing in it that anyone can see. */
function readField(
	context: IExecuteFunctions,
	itemIndex: number,
	name: ContactFieldName,
	value: unknown,
): string | string[] {
	const displayName = displayNames[name];
	if (name === 'tags') {
		const problem = `${displayName} is neither a list of texts nor comma-separated text`;
		const advice = 'Enter tags like vip, customer, or a list like ["vip", "customer"].';
		return tagsIn(value ?? []) ?? throwParameterError(context, itemIndex, problem, advice);
	}
	if (Array.isArray(value) && value.length === 0) return '';
	const text = trimmed(parseText(context, value, { itemIndex, displayName }));
	const problem = text === '' ? undefined : valueProblem(name, text);
	if (problem === undefined) return text;
	const advice = name === 'source' ? `Use ${contactSources.join(', ')}.` : undefined;
	return throwParameterError(context, itemIndex, `${displayName} ${problem}`, advice);
}

/** What clears a field: empty text or an empty list, or null where those do not fit its format. */
function clearedValue(name: ContactFieldName): [] | '' | null {
	if (name === 'tags') return [];
	return ['email', 'accountId', 'source'].includes(name) ? null : '';
}
