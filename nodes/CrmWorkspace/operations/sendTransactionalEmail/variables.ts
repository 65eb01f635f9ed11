import { jsonParse, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';
import { withoutInvisible } from '../../text/invisible';
import { asJson, maxCharacters } from '../asJson';
import { parameterOf, readParameter, type ParameterRef } from '../../parameters/parameter';
import { refuse } from '../../parameters/refuse';
import { choice } from '../../parameters/setting';
import { quoted } from '../../parameters/shown';
import { textOf } from '../../parameters/textParameter';
import { variablesInput } from './properties';

/**
 * Reads an item's variables. Those that are null are left out, because nobody knows what the
 * service makes of null.
 * @throws NodeOperationError for what JSON cannot carry to the service
 */
export function readVariables(context: IExecuteFunctions, itemIndex: number): IDataObject {
	const input = parameterOf(context, variablesInput, itemIndex);
	const isJson = choice(context, variablesInput, input, itemIndex) === 'json';
	const variables = isJson ? readJson(context, itemIndex) : readFields(context, itemIndex);
	return Object.fromEntries(
		Object.entries(variables).filter(([, value]) => value !== null && value !== undefined),
	);
}

function readFields(context: IExecuteFunctions, itemIndex: number): IDataObject {
	const ref = { itemIndex, displayName: 'Variables' };
	const pairs = readParameter(context, 'variables.variable', ref, []);
	const isList = Array.isArray(pairs) && pairs.every((pair) => typeof pair === 'object' && pair);
	if (!isList) {
		return refuse(
			context,
			itemIndex,
			'Variables is not a list of names and values',
			'To give all of them by one expression, set Specify Variables to Using JSON.',
		);
	}
	const variables = (pairs as IDataObject[]).map((pair) => readPair(context, itemIndex, pair));
	return asJsonVariables(context, Object.fromEntries(variables), ref) as IDataObject;
}

/** A variable's name and its value: a number or a boolean remains one. */
function readPair(
	context: IExecuteFunctions,
	itemIndex: number,
	pair: IDataObject,
): [string, unknown] {
	const ref = { itemIndex, displayName: 'The name of a variable' };
	const name = withoutInvisible(textOf(context, pair.name, ref));
	if (name === '') {
		const advice = 'Enter the name of its token, or remove the entry.';
		refuse(context, itemIndex, 'Variables has an entry without a name', advice);
	}
	const { value } = pair;
	if (typeof value !== 'object' || value === null) return [name, value];
	return [name, textOf(context, value, { itemIndex, displayName: variableName([name]) })];
}

function readJson(context: IExecuteFunctions, itemIndex: number): IDataObject {
	const ref = { itemIndex, displayName: 'Variables (JSON)' };
	const input = readParameter(context, 'variablesJson', ref, '{}');
	const isLong = typeof input === 'string' && input.length > maxCharacters;
	const variables = typeof input === 'string' && !isLong ? parsed(input) : input;
	if (isLong || isObject(variables)) {
		const json = asJsonVariables(context, variables, ref);
		// A value with a toJSON method, such as a date, may be something else than an object by now.
		if (isObject(json)) return json;
	}
	return refuse(
		context,
		itemIndex,
		`${ref.displayName} is not an object`,
		'It has to look like { "firstName": "Nathan" }, with a value for each token.',
	);
}

function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(text: string): unknown {
	return jsonParse(text || '{}', { fallbackValue: null });
}

/** Variables as they arrive at the service. */
function asJsonVariables(
	context: IExecuteFunctions,
	variables: unknown,
	ref: ParameterRef,
): unknown {
	const result = asJson(variables);
	if ('json' in result) return result.json;
	const { path, problem } = result;
	return refuse(
		context,
		ref.itemIndex,
		`${path.length === 0 ? ref.displayName : variableName(path)} ${problem}`,
		'Let the expression give only what the message needs: texts, numbers, and lists and objects of them.',
	);
}

function variableName(path: Array<string | number>): string {
	const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
	return `The variable ${quoted(steps.join('').replace(/^\./, ''))}`;
}
