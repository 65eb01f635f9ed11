import type { IDataObject } from 'n8n-workflow';
import { isExpression } from './parameter';
import { quoted } from './value';

/**
 * What to do about a parameter that is empty although it needs a value.
 * @param entered the parameter as the node stores it: an expression begins with `=`
 * @param json the fields of the item
 * @param example what to enter instead
 */
export function adviceForEmptyValue(entered: unknown, json: IDataObject, example: string): string {
	if (!isExpression(entered)) return example;
	const gaveNothing = `The expression ${quoted(entered.slice(1).trim())} gave nothing`;
	for (const [, dotted, bracketed] of entered.matchAll(fieldsOfItem)) {
		const name = dotted ?? bracketed;
		const other = Object.keys(json).find((one) => one.toLowerCase() === name.toLowerCase());
		if (other !== undefined && !Object.hasOwn(json, name)) {
			return `${gaveNothing}. Names are case-sensitive: the item has ${quoted(other)}, not ${quoted(name)}.`;
		}
	}
	return `${gaveNothing}: look at the item in the node's input.`;
}

/** The fields of the item that an expression names: `$json.email`, `$json["E-mail"]`. */
const fieldsOfItem = /\$json(?:\.([\p{L}\p{N}_$]+)|\[\s*["'](.+?)["']\s*\])/gu;
