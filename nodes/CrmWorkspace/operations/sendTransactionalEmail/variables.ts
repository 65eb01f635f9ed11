/** Reads an item's variables, from fields or from JSON. */
import type { IDataObject } from 'n8n-workflow';
import type { JsonObject } from '../../client/request';
import { parseToken } from '../../api/tokens';
import { maxNameLength, shorten, trim } from '../../common/text';
import { findWrongType } from '../../parameters/holes';
import type { ItemReader } from '../../parameters/itemReader';
import { formatValue } from '../../parameters/value';
import { variablesInput } from './properties';
import { texts } from './texts';

export interface GivenVariables {
	variables: JsonObject;
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
	const isJson = item.choice(variablesInput) === 'json';
	const given = isJson ? readJson(item) : readFields(item);
	const variables = Object.entries(given).filter(([, value]) => (value ?? null) !== null);
	return {
		variables: Object.fromEntries(variables) as JsonObject,
		withoutValue: Object.keys(given).filter((name) => (given[name] ?? null) === null),
		areEntered: !isJson || !/^=\s*\{\{/.test(String(item.stored('variablesJson'))),
	};
}

function readFields(item: ItemReader): IDataObject {
	const pairs = item.stored('variables.variable', []);
	const isList = Array.isArray(pairs) && pairs.every((pair) => typeof pair === 'object' && pair);
	if (!isList) return item.refuse(texts.notAList);
	const entries = (pairs as IDataObject[]).map((pair) => readPair(item, pair));
	return Object.fromEntries(entries) as IDataObject;
}

const nameUse = { displayName: 'Variables → Name' };

/** A variable's name and its value: a number or a boolean remains one. */
function readPair(item: ItemReader, pair: IDataObject): [string, unknown] {
	const token = parseToken(String(pair.name).replace(/^=/, '').trim());
	if (token && !/^\d/.test(token.name))
		item.refuse(texts.nameInBraces(nameUse.displayName, token.name));
	const name = trim(item.toText(item.evaluateStored(pair.name, nameUse), nameUse));
	if (name === '') item.refuse(texts.withoutName);
	const use = { displayName: `Variables → ${shorten(name, maxNameLength)}` };
	const value = item.evaluateStored(pair.value, use);
	const isKept = ['number', 'boolean'].includes(typeof value) || (value ?? null) === null;
	return [name, isKept ? value : item.toText(value, use)];
}

function readJson(item: ItemReader): IDataObject {
	const given = readJsonVariables(item);
	if (Object.prototype.toString.call(given) === '[object Object]') return given as IDataObject;
	return item.refuse(texts.notAnObject);
}

const jsonUse = { displayName: 'Variables (JSON)' };

/**
 * The value of JSON in which expressions stand, as values or inside of strings. What they give is put
 * in as JSON, so that nothing in it can end a string or add a variable.
 * @throws NodeOperationError for text that isn't JSON, and for an expression that fails
 */
function readJsonVariables(item: ItemReader): unknown {
	const stored = item.stored('variablesJson', '{}');
	if (typeof stored !== 'string') return stored;
	const pieces = item.split(stored || '{}', jsonUse);
	const values = item.evaluate(pieces, jsonUse);
	let isInString = false;
	const json = pieces.map(({ text, isCode }, at) => {
		if (!isCode) {
			const quotes = text.replace(/\\./g, '').split('"').length - 1;
			isInString = isInString !== (quotes % 2 === 1);
			return text;
		}
		if (!isInString) return toJson(item, text, values[at], pieces.length === 1);
		const isAlone =
			/(?<!\\)"$/.test(pieces[at - 1].text) && /^"(?!\s*:)/.test(pieces[at + 1]?.text ?? '');
		const value = item.check(text, values[at], jsonUse, isAlone);
		// A string whose expression gives nothing has no value.
		if ((value ?? null) === null && isAlone) return none;
		return asString(isAlone ? item.toText(value, jsonUse) : String(value ?? ''));
	});
	return parseJson(item, json.join(''), (_name, value) => (value === none ? null : value));
}

/** Stands for a string without a value. */
const none = '\ufdd1';

const asString = (text: string) => JSON.stringify(text).slice(1, -1);

/** A value of its own: what JSON carries, or JSON as text. Every value in it is looked at. */
function toJson(item: ItemReader, code: string, given: unknown, isAll: boolean): string {
	if (isAll && given === undefined) item.refuseHole(code, jsonUse);
	if (typeof given === 'number') item.check(code, given, jsonUse, true);
	const isText = typeof given === 'string';
	const data = isText ? parseJson(item, given.trim() || 'null') : (given ?? null);
	return JSON.stringify(data, function (this: Record<string, unknown>, name, value: unknown) {
		const isLost = typeof value === 'function' || (value === null && this[name] !== null);
		const wrong = isLost
			? formatValue(this[name])
			: typeof value === 'number' && findWrongType(value);
		const where = texts.inVariable(name);
		if (wrong) item.refuseHole(code, jsonUse, `${wrong}${where}`);
		if (typeof value === 'string') item.checkWords(value, code, jsonUse, where);
		// JSON would leave it out, and the run's hint would not count it.
		if (value === undefined && this === data) return null;
		return typeof value === 'string' ? value.toWellFormed() : value;
	});
}

type Reviver = (name: string, value: unknown) => unknown;

function parseJson(item: ItemReader, text: string, reviver?: Reviver): unknown {
	try {
		return JSON.parse(text, reviver) as unknown;
	} catch {
		return item.refuse(texts.notJson(jsonUse.displayName));
	}
}
