import { jsonParse, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';
import { trimmed } from '../../text/plainText';
import { asJson } from '../asJson';
import {
	type ParameterRef,
	readByName,
	readParameter,
	throwParameterError,
} from '../../parameters/parameter';
import { parseText, quoted } from '../../parameters/value';
import { variablesInput } from './properties';

/**
 * Reads an item's variables. Those that are null are left out, because nobody knows what the
 * service makes of null.
 * @throws NodeOperationError for what JSON cannot carry to the service
 */
export function readVariables(context: IExecuteFunctions, itemIndex: number): IDataObject {
	const input = readParameter(context, variablesInput, itemIndex);
	const variables =
		input === 'json' ? readJson(context, itemIndex) : readFields(context, itemIndex);
	return Object.fromEntries(
		Object.entries(variables).filter(([, value]) => value !== null && value !== undefined),
	);
}

function readFields(context: IExecuteFunctions, itemIndex: number): IDataObject {
	const ref = { itemIndex, displayName: 'Variables' };
	const pairs = readByName(context, 'variables.variable', ref, []);
	const isList = Array.isArray(pairs) && pairs.every((pair) => typeof pair === 'object' && pair);
	if (!isList) {
		const problem = 'Variables is not a list of names and values';
		const advice = 'To give all of them by one expression, set Specify Variables to Using JSON.';
		return throwParameterError(context, itemIndex, problem, advice);
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
	const name = trimmed(parseText(context, pair.name, ref));
	if (name === '') {
		const advice = 'Enter the name of its token, or remove the entry.';
		throwParameterError(context, itemIndex, 'Variables has an entry without a name', advice);
	}
	const { value } = pair;
	if (typeof value !== 'object' || value === null) return [name, value];
	const valueRef = { itemIndex, displayName: `The variable ${quoted(name)}` };
	return [name, parseText(context, value, valueRef)];
}

function readJson(context: IExecuteFunctions, itemIndex: number): IDataObject {
	const ref = { itemIndex, displayName: 'Variables (JSON)' };
	const input = readByName(context, 'variablesJson', ref, '{}');
	const variables = typeof input === 'string' ? parsed(input) : input;
	if (isObject(variables)) {
		const json = asJsonVariables(context, variables, ref);
		// A value with a toJSON method, such as a date, may be something else than an object by now.
		if (isObject(json)) return json;
	}
	const advice = 'It has to look like { "firstName": "Nathan" }, with a value for each token.';
	return throwParameterError(context, itemIndex, `${ref.displayName} is not an object`, advice);
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
	const advice =
		'Let the expression give only what the message needs: texts, numbers, and lists and objects of them.';
	return throwParameterError(
		context,
		ref.itemIndex,
		`${ref.displayName} ${result.problem}`,
		advice,
	);
}
