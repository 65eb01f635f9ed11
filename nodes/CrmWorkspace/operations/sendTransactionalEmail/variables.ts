import type { IDataObject } from 'n8n-workflow';
import { parseToken } from '../../service/tokens';
import { maxNameLength, shorten, trim } from '../../text/plainText';
import type { ItemReader } from '../itemReader';
import { readJsonVariables } from './jsonVariables';
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
export function readVariables(item: ItemReader): GivenVariables {
	const isJson = item.read(variablesInput) === 'json';
	const given = isJson ? readJson(item) : readFields(item);
	const variables = Object.entries(given).filter(([, value]) => (value ?? null) !== null);
	return {
		variables: Object.fromEntries(variables),
		withoutValue: Object.keys(given).filter((name) => (given[name] ?? null) === null),
		areEntered: !isJson || !/^=\s*\{\{/.test(String(item.stored('variablesJson'))),
	};
}

function readFields(item: ItemReader): IDataObject {
	const pairs = item.stored('variables.variable', []);
	const isList = Array.isArray(pairs) && pairs.every((pair) => typeof pair === 'object' && pair);
	if (!isList) {
		const advice = "To give all of them by one expression, set 'Specify Variables' to Using JSON.";
		return item.refuse("'Variables' isn't a list of names and values", advice);
	}
	const entries = (pairs as IDataObject[]).map((pair) => readPair(item, pair));
	return Object.fromEntries(entries) as IDataObject;
}

const nameUse = { displayName: 'Variables → Name' };

/** A variable's name and its value: a number or a boolean remains one. */
function readPair(item: ItemReader, pair: IDataObject): [string, unknown] {
	const token = parseToken(String(pair.name).replace(/^=/, '').trim());
	if (token && !/^\d/.test(token.name))
		item.refuse(
			`'${nameUse.displayName}' has braces`,
			`Write the name without braces: ${token.name}.`,
		);
	const name = trim(item.toText(item.evaluateStored(pair.name, nameUse), nameUse));
	if (name === '') {
		const advice = 'Enter the name of its token, or remove the entry.';
		item.refuse("'Variables' has an entry without a name", advice);
	}
	const use = { displayName: `Variables → ${shorten(name, maxNameLength)}` };
	const value = item.evaluateStored(pair.value, use);
	const isKept = ['number', 'boolean'].includes(typeof value) || (value ?? null) === null;
	return [name, isKept ? value : item.toText(value, use)];
}

function readJson(item: ItemReader): IDataObject {
	const given = readJsonVariables(item);
	if (Object.prototype.toString.call(given) === '[object Object]') return given as IDataObject;
	const advice = 'It has to look like { "firstName": "Nathan" }, with a value for each token.';
	return item.refuse("'Variables (JSON)' isn't an object", advice);
}
