import { asText, type TextResult } from './asText';
import { readParameter, type ParameterRef } from './parameter';
import type { ParameterContext } from './parameterContext';
import { refuse } from './refuse';

/** What to do about a value of which no text can be made. */
type WaysOut = Record<Extract<TextResult, { is: string }>['is'], string>;

const waysOut: WaysOut = {
	'a list':
		'Write an expression that leads to one entry of it, such as {{ $json.orders[0].id }}, or that joins its entries, such as {{ $json.names.join(", ") }}. To do something for each entry, make items of them first, with the Split Out node.',
	'an object':
		'Write an expression that leads to one value of it, such as {{ $json.order.id }} instead of {{ $json.order }}.',
	'not a finite number': 'Check what the expression calculates with.',
	'not a valid date': 'Check the date that the expression begins with.',
};

/**
 * The text of a parameter, the white space around it included; empty when there is none.
 * @param name as `getNodeParameter` takes it
 * @param ownWaysOut what to do where the parameter has ways of its own
 * @throws NodeOperationError for an object or a list, of which no text can be made
 */
export function textParameter(
	context: ParameterContext,
	name: string,
	ref: ParameterRef,
	ownWaysOut?: Partial<WaysOut>,
): string {
	return textOf(context, readParameter(context, name, ref, ''), ref, ownWaysOut);
}

/**
 * The text of a value inside a parameter, such as one of the Additional Fields.
 * @throws NodeOperationError for an object, a list, or what was no number or date
 */
export function textOf(
	context: ParameterContext,
	value: unknown,
	{ itemIndex, displayName }: ParameterRef,
	ownWaysOut: Partial<WaysOut> = {},
): string {
	const result = asText(value);
	if ('text' in result) return result.text;
	const { is } = result;
	const problem = is.startsWith('not ') ? is : `${is}, not text`;
	return refuse(context, itemIndex, `${displayName} is ${problem}`, ownWaysOut[is] ?? waysOut[is]);
}
