import type { IDataObject } from 'n8n-workflow';
import { trimmed } from '../text/plainText';
import { quoted } from './value';

/**
 * What to do about an expression that gave no value.
 * @param json the fields of the item
 * @param gave what it gave instead
 */
export function adviceForNothing(expression: string, json: IDataObject, gave = 'nothing'): string {
	const problem = `The expression ${quoted(expression.trim())} gave ${gave}`;
	for (const [, dotted, bracketed] of expression.matchAll(fieldsOfItem)) {
		const name = dotted ?? bracketed;
		const other = Object.hasOwn(json, name) ? undefined : similarName(name, json);
		if (other !== undefined) {
			const signs = trimmed(other) === name ? ' with an invisible character' : '';
			return `${problem}. Names have to match exactly: the item has ${quoted(other)}${signs}, not ${quoted(name)}.`;
		}
	}
	return `${problem}: look at the item in the node's input.`;
}

/** The fields of the item that an expression names: `$json.email`, `$json["E-mail"]`. */
const fieldsOfItem = /\$json(?:\.([\p{L}\p{N}_$]+)|\[\s*["'](.+?)["']\s*\])/gu;

/** The field of the item, or of an object in it, that has the same letters and digits. */
function similarName(name: string, json: IDataObject): string | undefined {
	const lettersOf = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
	const isSimilar = (one: string) => lettersOf(one) === lettersOf(name);
	for (const [key, value] of Object.entries(json)) {
		if (isSimilar(key)) return key;
		const inner = Object.keys(Object(value) as object).find(isSimilar);
		if (inner !== undefined) return `${key}.${inner}`;
	}
	return undefined;
}
