import type { IDataObject, IExecuteFunctions, ResourceMapperField } from 'n8n-workflow';
import { contactFieldNames, type ContactFieldName } from '../../service/records';
import { normalizeName } from '../../text/plainText';
import { displayNames } from '../../parameters/contactFields';
import { quote } from '../../parameters/value';
import type { ItemReader } from '../itemReader';

/** Whether the user maps each field; otherwise the input's columns of the same names are taken. */
export function isMappedByHand(context: IExecuteFunctions): boolean {
	return context.getNodeParameter('fields.mappingMode', 0, 'defineBelow') === 'defineBelow';
}

/** The field that a column is for: its name or label counts, whatever its case and punctuation. */
export function findField(column: string): ContactFieldName | undefined {
	return fieldsByLetters.get(normalizeName(column));
}

const fieldsByLetters = new Map(contactFieldNames.map((name) => [normalizeName(name), name]));

/**
 * The values that an item maps, by the names of their fields: null or empty text for one that is
 * blank. Those whose expression gave nothing are left out.
 * @throws NodeOperationError for a field that is mapped twice, and for one by hand that is none
 */
export function readMapping(item: ItemReader): Map<ContactFieldName, unknown> {
	const { context, itemIndex } = item;
	const isByHand = isMappedByHand(context);
	const { json } = context.getInputData()[itemIndex];
	const values = new Map<ContactFieldName, unknown>();
	const refuse = (problem: string) => {
		const advice = `Remove or rename it. The fields of a contact are ${Object.values(displayNames).join(', ')}.`;
		return item.refuse(problem, advice);
	};
	for (const [column, value] of isByHand ? readByHand(item) : Object.entries(json)) {
		if (value === undefined) continue;
		const name = findField(column);
		const hasOther = name && values.has(name) && values.get(name) !== value;
		if (hasOther) refuse(`${quote(column)} is a second column for '${displayNames[name]}'`);
		if (name) values.set(name, value);
		else if (isByHand && value !== null)
			refuse(`'Fields' has ${quote(column)}, which isn't a field`);
	}
	return values;
}

function readByHand(item: ItemReader): Array<[string, unknown]> {
	const parameter = item.stored('fields', {});
	const entered = getMapperValue(parameter);
	return getAddedNames(parameter).map((column) => {
		const name = findField(column);
		const use = { displayName: name ? displayNames[name] : column };
		// A field that was added and left blank is meant to be blank.
		return [column, item.evaluateStored(entered[column] ?? null, use)];
	});
}

/**
 * The fields that the user has added. n8n's editor keeps no value of one that is left blank, only
 * that it was not removed; a workflow made by hand may have values alone.
 */
export function getAddedNames(parameter: unknown): string[] {
	const { schema } = (parameter ?? {}) as { schema?: unknown };
	const fields = (Array.isArray(schema) ? schema : []) as Array<Partial<ResourceMapperField>>;
	const removed = new Map(fields.map((one) => [String(one?.id), one?.removed]));
	const value = getMapperValue(parameter);
	const names = new Set([...Object.keys(value), ...removed.keys()]);
	const isAdded = (name: string) =>
		name in value ? removed.get(name) !== true : removed.get(name) === false;
	return [...names].filter(isAdded);
}

function getMapperValue(parameter: unknown): IDataObject {
	const { value } = (parameter ?? {}) as { value?: unknown };
	return typeof value === 'object' && value !== null ? (value as IDataObject) : {};
}
