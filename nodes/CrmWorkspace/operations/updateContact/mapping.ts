/** Which values an item maps to the fields of a contact. */
import type {
	IDataObject,
	IExecuteFunctions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';
import { contactFieldNames, type ContactFieldName, type ContactFields } from '../../api/records';
import { normalizeName, type Hint } from '../../common/text';
import type { ItemReader } from '../../parameters/itemReader';
import { displayNames, sourceOptions } from '../../parameters/properties';
import { readCell } from './cells';
import { texts } from './texts';

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

/** Whether the user maps each field; otherwise the input's columns of the same names are taken. */
function isMappedByHand(context: IExecuteFunctions): boolean {
	return context.getNodeParameter('fields.mappingMode', 0, 'defineBelow') === 'defineBelow';
}

/** The field that a column is for: its name or label counts, whatever its case and punctuation. */
function findField(column: string): ContactFieldName | undefined {
	return fieldsByLetters.get(normalizeName(column));
}

const fieldsByLetters = new Map(contactFieldNames.map((name) => [normalizeName(name), name]));

/**
 * The values that an item maps, by the names of their fields: null or empty text for one that is
 * blank. Those whose expression gave nothing are left out.
 * @throws NodeOperationError for a field that is mapped twice, and for one by hand that is none
 */
function readMapping(item: ItemReader, isByHand: boolean): Map<ContactFieldName, unknown> {
	const { context, itemIndex } = item;
	const { json } = context.getInputData()[itemIndex];
	const values = new Map<ContactFieldName, unknown>();
	for (const [column, value] of isByHand ? readByHand(item) : Object.entries(json)) {
		if (value === undefined) continue;
		const name = findField(column);
		const hasOther = name && values.has(name) && values.get(name) !== value;
		if (hasOther) item.refuse(texts.secondColumn(column, name));
		if (name) values.set(name, value);
		else if (isByHand && value !== null) item.refuse(texts.notAField(column));
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
function getAddedNames(parameter: unknown): string[] {
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

/**
 * Reads what an item changes: by hand, or from the input's columns of the same names. An expression
 * that gives nothing leaves its field out; what is empty clears it, or changes nothing.
 * @throws NodeOperationError for a value that cannot be right, and for an item that maps nothing
 */
export function readFields(item: ItemReader, clearsEmpty: boolean): ContactFields {
	const { context } = item;
	const isByHand = isMappedByHand(context);
	const mapping = [...readMapping(item, isByHand)];
	const entries = mapping
		.map(([name, value]) => [name, readCell(item, name, value, isByHand)] as const)
		// A contact keeps its address, which names it.
		.filter(([name, value]) => value.length > 0 || (clearsEmpty && name !== 'email'))
		.map(([name, value]) => [name, value.length > 0 ? value : getClearedValue(name)]);
	if (mapping.length > 0) return Object.fromEntries(entries) as ContactFields;
	const { json } = context.getInputData()[item.itemIndex];
	const names = item.adviseOnNames(context.getNode().parameters.fields);
	return item.refuse(texts.nothingToUpdate(Object.keys(json), names));
}

/** A hint that names columns without a field, or fields mapped by hand without any value. */
export function describeMapping(
	context: IExecuteFunctions,
	updates: Array<{ fields: ContactFields }>,
): Hint[] {
	const isByHand = isMappedByHand(context);
	const isEmpty = (name: ContactFieldName) => updates.every(({ fields }) => !(name in fields));
	const columns = new Set(context.getInputData().flatMap(({ json }) => Object.keys(json)));
	const added = getAddedNames(context.getNode().parameters.fields).map(findField);
	const names = isByHand
		? added.flatMap((name) => (name && isEmpty(name) ? displayNames[name] : []))
		: [...columns].filter((column) => !findField(column) && !columnsOfList.test(column));
	return names.length > 0 ? [{ message: texts.withoutField(names, isByHand) }] : [];
}

/** What List and each data table of n8n have besides, which an update leaves alone. */
const columnsOfList = /^(?:id|companyId|createdAt|updatedAt|_result|_changes)$/;

/** What clears a field: empty text or an empty list, or null where those do not fit its format. */
function getClearedValue(name: ContactFieldName): [] | '' | null {
	if (name === 'tags') return [];
	return ['accountId', 'source'].includes(name) ? null : '';
}
