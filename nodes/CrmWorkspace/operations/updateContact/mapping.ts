import type { IDataObject, IExecuteFunctions, ResourceMapperField } from 'n8n-workflow';
import { contactFieldNames } from '../../service/records';
import { readByName, throwParameterError } from '../../parameters/parameter';
import { quoted } from '../../parameters/value';

const displayName = 'Fields';

/** Whether the user maps each field; otherwise the input's columns of the same names are taken. */
export function isMappedByHand(context: IExecuteFunctions): boolean {
	const ref = { itemIndex: 0, displayName };
	return readByName(context, 'fields.mappingMode', ref, 'defineBelow') === 'defineBelow';
}

/**
 * The values of an item by the names of its fields, empty ones included: whoever adds a field and
 * leaves it blank means that.
 * @throws NodeOperationError for a name mapped by hand that is no field of a contact
 */
export function mappedValues(context: IExecuteFunctions, itemIndex: number): IDataObject {
	if (!isMappedByHand(context)) return context.getInputData()[itemIndex].json;

	const raw = { rawExpressions: true };
	const asEntered: unknown = context.getNodeParameter('fields', itemIndex, {}, raw);
	const entered = valueIn(asEntered);
	const names = namesAdded(asEntered);
	const isField = (name: string) => (contactFieldNames as readonly string[]).includes(name);
	const unknown = names.find((name) => !isField(name) && (entered[name] ?? null) !== null);
	if (unknown !== undefined) {
		const advice = `The fields of a contact are ${contactFieldNames.join(', ')}.`;
		const problem = `${displayName} has ${quoted(unknown)}, which is no field`;
		throwParameterError(context, itemIndex, problem, advice);
	}
	const value = valueIn(readByName(context, 'fields', { itemIndex, displayName }, {}));
	return Object.fromEntries(names.map((name) => [name, value[name]]));
}

/**
 * The fields that the user has added. n8n's editor keeps no value of one that is left blank, only
 * that it was not removed; a workflow made by hand may have values alone.
 */
function namesAdded(parameter: unknown): string[] {
	const { schema } = (parameter ?? {}) as { schema?: unknown };
	const fields = (Array.isArray(schema) ? schema : []) as Array<Partial<ResourceMapperField>>;
	const removed = new Map(fields.map((one) => [String(one?.id), one?.removed]));
	const value = valueIn(parameter);
	const names = new Set([...Object.keys(value), ...removed.keys()]);
	const isAdded = (name: string) =>
		name in value ? removed.get(name) !== true : removed.get(name) === false;
	return [...names].filter(isAdded);
}

function valueIn(parameter: unknown): IDataObject {
	const { value } = (parameter ?? {}) as { value?: unknown };
	return typeof value === 'object' && value !== null ? (value as IDataObject) : {};
}
