import type { IExecuteFunctions, NodeExecutionHint, ResourceMapperFields } from 'n8n-workflow';
import {
	contactFieldNames,
	type ContactFieldName,
	type ContactFields,
} from '../../service/records';
import { hint, formatList } from '../../text/plainText';
import { displayNames, sourceOptions } from '../../parameters/contactFields';
import type { ItemReader } from '../itemReader';
import { readCell } from './cells';
import { findField, isMappedByHand, getAddedNames, readMapping } from './mapping';

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
 * Reads what an item changes: by hand, or from the input's columns of the same names. An expression
 * that gives nothing leaves its field out; what is empty clears it, or changes nothing.
 * @throws NodeOperationError for a value that cannot be right, and for an item that maps nothing
 */
export function readFields(item: ItemReader, clearsEmpty: boolean): ContactFields {
	const mapping = [...readMapping(item)];
	const entries = mapping
		.map(([name, value]) => [name, readCell(item, name, value)] as const)
		// A contact keeps its address, which names it.
		.filter(([name, value]) => value.length > 0 || (clearsEmpty && name !== 'email'))
		.map(([name, value]) => [name, value.length > 0 ? value : getClearedValue(name)]);
	if (mapping.length > 0) return Object.fromEntries(entries) as ContactFields;
	const { json } = item.context.getInputData()[item.itemIndex];
	const misspelled = item.adviseOnNames(item.context.getNode().parameters.fields);
	const advice = `The item has ${formatList(Object.keys(json)) || 'no fields'}. Enter a value for one of ${Object.values(displayNames).join(', ')}. To skip such items, put a Filter node before this one.`;
	return item.refuse(
		'Nothing to update: no field has a value',
		[misspelled, advice].join(' ').trim(),
	);
}

/** A hint that names columns without a field, or fields mapped by hand without any value. */
export function describeMapping(
	context: IExecuteFunctions,
	updates: Array<{ fields: ContactFields }>,
): NodeExecutionHint[] {
	const isByHand = isMappedByHand(context);
	const isEmpty = (name: ContactFieldName) => updates.every(({ fields }) => !(name in fields));
	const columns = new Set(context.getInputData().flatMap(({ json }) => Object.keys(json)));
	const added = getAddedNames(context.getNode().parameters.fields).map(findField);
	const names = isByHand
		? added.flatMap((name) => (name && isEmpty(name) ? displayNames[name] : []))
		: [...columns].filter((column) => !findField(column) && !columnsOfList.test(column));
	const text = isByHand
		? 'No updated item has a value for'
		: 'No field of a contact has the name of these columns:';
	return names.length > 0 ? [hint(`${text} ${formatList(names)}`)] : [];
}

/** What List and each data table of n8n have besides, which an update leaves alone. */
const columnsOfList = /^(?:id|companyId|createdAt|updatedAt|_result|_changes)$/;

/** What clears a field: empty text or an empty list, or null where those do not fit its format. */
function getClearedValue(name: ContactFieldName): [] | '' | null {
	if (name === 'tags') return [];
	return ['accountId', 'source'].includes(name) ? null : '';
}
