import type { IDataObject } from 'n8n-workflow';
import { normalizeName, trim } from '../text/plainText';
import { namesOf, pathsOf } from './code';
import { quote } from './value';

/**
 * Names the field that an expression misspells, or else one that has no value in the item.
 * @param code one expression, or parameters that have some
 */
export function adviseOnNames(code: unknown, json: IDataObject): string | undefined {
	const expression = typeof code === 'string' ? code : JSON.stringify(code).replaceAll('\\"', '"');
	let missing: string | undefined;
	for (const path of pathsOf(expression).filter((one) => one.startsWith('$json'))) {
		let owner: unknown = json;
		for (const name of namesOf(path)) {
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
