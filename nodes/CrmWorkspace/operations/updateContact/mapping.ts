import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { contactFieldNames } from '../../service/records';
import { readParameter } from '../../parameters/parameter';
import { refuse } from '../../parameters/refuse';
import { choice } from '../../parameters/setting';
import { quoted } from '../../parameters/shown';

const displayName = 'Fields';

/** How the Fields parameter is set, which n8n itself offers. */
const modes = {
	displayName: `The mode of ${displayName}`,
	options: [
		{ name: 'Map Each Field Manually', value: 'defineBelow' },
		{ name: 'Map Automatically', value: 'autoMapInputData' },
	],
};

/** Whether the user maps each field; otherwise the input's columns of the same names are taken. */
export function isMappedByHand(context: IExecuteFunctions): boolean {
	const ref = { itemIndex: 0, displayName };
	const mode = readParameter(context, 'fields.mappingMode', ref, 'defineBelow');
	return choice(context, modes, mode, 0) === 'defineBelow';
}

/**
 * The values of an item by the names of its fields, empty ones included. Of the fields to map by
 * hand, n8n keeps null for those that the user left alone.
 * @throws NodeOperationError for a name mapped by hand that is no field of a contact
 */
export function mappedValues(context: IExecuteFunctions, itemIndex: number): IDataObject {
	if (!isMappedByHand(context)) return context.getInputData()[itemIndex].json;

	const asEntered: unknown = context.getNodeParameter(
		'fields',
		itemIndex,
		{},
		{
			rawExpressions: true,
		},
	);
	const entered = valueIn(asEntered);
	const names = Object.keys(entered).filter((name) => (entered[name] ?? null) !== null);
	const unknown = names.find((name) => !(contactFieldNames as readonly string[]).includes(name));
	if (unknown !== undefined) {
		const advice = `The fields of a contact are ${contactFieldNames.join(', ')}.`;
		refuse(context, itemIndex, `${displayName} has ${quoted(unknown)}, which is no field`, advice);
	}
	const value = valueIn(readParameter(context, 'fields', { itemIndex, displayName }, {}));
	return Object.fromEntries(names.map((name) => [name, value[name]]));
}

function valueIn(parameter: unknown): IDataObject {
	const { value } = (parameter ?? {}) as { value?: unknown };
	return typeof value === 'object' && value !== null ? (value as IDataObject) : {};
}
