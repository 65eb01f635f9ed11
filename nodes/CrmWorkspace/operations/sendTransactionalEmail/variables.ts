import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { maxNameLength, shorten, trim } from '../../text/plainText';
import { type ParameterRef, readParameter, throwParameterError } from '../../parameters/parameter';
import { parseText } from '../../parameters/value';
import { evaluateJson } from './jsonExpression';
import { raw, evaluatePart } from './messageText';
import { variablesInput } from './properties';

export interface GivenVariables {
	variables: IDataObject;
	/** The names of those that are null, or whose expression gave nothing. */
	withoutValue: string[];
	/** Whether the user entered their names, which may be misspelled. */
	areEntered: boolean;
}

/**
 * Reads an item's variables. Those that are null are left out, because the interface doesn't say what
 * the service makes of null.
 * @throws NodeOperationError for what JSON can't carry to the service
 */
export function readVariables(context: IExecuteFunctions, itemIndex: number): GivenVariables {
	const isJson = readParameter(context, variablesInput, itemIndex) === 'json';
	const ref = { itemIndex, displayName: isJson ? 'Variables (JSON)' : 'Variables' };
	const given = isJson ? readJson(context, ref) : readFields(context, ref);
	const variables = Object.entries(given).filter(([, value]) => (value ?? null) !== null);
	return {
		variables: Object.fromEntries(variables),
		withoutValue: Object.keys(given).filter((name) => (given[name] ?? null) === null),
		areEntered: !isJson || !/^=\s*\{\{/.test(String(context.getNode().parameters.variablesJson)),
	};
}

function readFields(context: IExecuteFunctions, ref: ParameterRef): IDataObject {
	const pairs: unknown = context.getNodeParameter('variables.variable', ref.itemIndex, [], raw);
	const isList = Array.isArray(pairs) && pairs.every((pair) => typeof pair === 'object' && pair);
	if (!isList) {
		const problem = "'Variables' isn't a list of names and values";
		const advice = "To give all of them by one expression, set 'Specify Variables' to Using JSON.";
		return throwParameterError(context, ref.itemIndex, problem, advice);
	}
	const entries = (pairs as IDataObject[]).map((pair) => readPair(context, pair, ref.itemIndex));
	return Object.fromEntries(entries) as IDataObject;
}

/** A variable's name and its value: a number or a boolean remains one. */
function readPair(
	context: IExecuteFunctions,
	pair: IDataObject,
	itemIndex: number,
): [string, unknown] {
	const ref = { itemIndex, displayName: 'Variables → Name' };
	const name = trim(parseText(context, evaluatePart(context, pair.name, ref), ref));
	if (name === '') {
		const advice = 'Enter the name of its token, or remove the entry.';
		throwParameterError(context, itemIndex, "'Variables' has an entry without a name", advice);
	}
	const valueRef = { itemIndex, displayName: `Variables → ${shorten(name, maxNameLength)}` };
	const value = evaluatePart(context, pair.value, valueRef);
	const isKept = ['number', 'boolean'].includes(typeof value) || (value ?? null) === null;
	return [name, isKept ? value : parseText(context, value, valueRef)];
}

function readJson(context: IExecuteFunctions, ref: ParameterRef): IDataObject {
	const stored: unknown = context.getNodeParameter('variablesJson', ref.itemIndex, '{}', raw);
	const given = typeof stored === 'string' ? evaluateJson(context, stored, ref) : stored;
	if (Object.prototype.toString.call(given) === '[object Object]') return given as IDataObject;
	const advice = 'It has to look like { "firstName": "Nathan" }, with a value for each token.';
	return throwParameterError(
		context,
		ref.itemIndex,
		`'${ref.displayName}' isn't an object`,
		advice,
	);
}
