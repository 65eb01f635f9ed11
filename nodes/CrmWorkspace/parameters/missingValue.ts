import type { IDataObject } from 'n8n-workflow';
import { normalizeName, trim } from '../text/plainText';
import { quote } from './value';

/**
 * What to do about an expression that gave no value.
 * @param json the fields of the item
 * @param gave what it gave instead
 */
export function adviseOnValue(expression: string, json: IDataObject, gave = 'nothing'): string {
	const reason =
		adviseOnNames(expression, json) ??
		"Look at the item in the node's input: a method fails on another type, so a number that is text needs Number(…).";
	return `The expression ${quote(expression.trim())} gave ${gave}. ${reason}`;
}

/** Names the field that an expression misspells, or else one that has no value in the item. */
export function adviseOnNames(expression: string, json: IDataObject): string | undefined {
	let missing: string | undefined;
	for (const [path] of expression.matchAll(paths)) {
		let owner: unknown = json;
		for (const [, dotted, bracketed] of path.matchAll(step)) {
			const name = dotted ?? bracketed;
			const other = Object.hasOwn(Object(owner), name) ? undefined : findSimilarName(name, owner);
			if (other !== undefined) {
				const signs = trim(other) === name ? ' with a blank or invisible character' : '';
				return `Names have to match exactly: the item has ${quote(other)}${signs}, not ${quote(name)}.`;
			}
			owner = (Object(owner) as IDataObject)[name];
		}
		if ((owner ?? '') === '') missing ??= `${path} has no value in this item.`;
	}
	return missing;
}

/** A step of a path: `.email`, `?.email`, `["E-mail"]`. */
const step = /\??\.([\p{L}\p{M}\p{N}_$]+)|\[\s*["'](.+?)["']\s*\]/gu;

/** The fields of the item that an expression names, such as `$json.body["E-mail"]`, without methods. */
const paths = new RegExp(`\\$json(?:(?:${step.source})(?![\\w$]*\\())+`, 'gu');

/** The field of an object, or of an object in it, that has the same letters and digits. */
function findSimilarName(name: string, owner: unknown): string | undefined {
	const isSimilar = (one: string) => normalizeName(one) === normalizeName(name);
	for (const [key, value] of Object.entries(Object(owner) as IDataObject)) {
		if (isSimilar(key)) return key;
		const inner = Object.keys(Object(value) as object).find(isSimilar);
		if (inner !== undefined) return `${key}.${inner}`;
	}
	return undefined;
}
