/** What shows in the code of an expression without running it: the fields it names, its texts. */
import { normalizeName, trim } from '../common/text';
import { texts } from './texts';

/** A step of a path: `.email`, `?.email`, `["E-mail"]`, `[0]`. */
const step = /\??\.([\p{L}\p{M}\p{N}_$]+)|(?:\?\.)?\[\s*(?:"([^"\]]+)"|'([^'\]]+)'|(\d+))\s*\]/gu;

/** Where a path begins: `$json`, `$('Form').first()`, `$input.all()`. */
const root = /(?<!\w)\$(?:[a-z]\w*|\((?:"[^"]*"|'[^']*'|`[^`]*`)\))(?:\.(?:first|last|all)\(\))?/
	.source;

const paths = new RegExp(`${root}(?:${step.source})*\\(?`, 'gu');

/**
 * The fields that code names, such as `$json.body["E-mail"]`, one for each time. Of what a method is
 * called on, without the method; of a computed name, what has it.
 */
export function pathsOf(code: string): string[] {
	return [...code.matchAll(paths)].map(([path]) => withoutMethod(path)).filter(Boolean);
}

function withoutMethod(path: string): string {
	if (!path.endsWith('(')) return path;
	const end = path.lastIndexOf('.');
	return path.slice(0, path[end - 1] === '?' ? end - 1 : Math.max(end, 0));
}

/** The names in a path, from the outermost on. */
function namesOf(path: string): string[] {
	return [...path.matchAll(step)].map((found) => found.slice(1).find(Boolean)!);
}

/** Whether code is a field and nothing else, so that its value is data. */
export function isPath(code: string): boolean {
	const inner = code.replace(/^\{\{|\}\}$/g, '').trim();
	return pathsOf(inner)[0] === inner;
}

/** The first path in code, so that it gives undefined if a step on its way is missing. */
export const guard = (code: string) =>
	pathsOf(code)[0]?.replace(step, (one: string, _a, _b, _c, _d, at: number) =>
		// `$json` itself is never missing.
		at === '$json'.length ? one : one.replace(/^\??\.?(?=\[)|^\./, '?.'),
	);

/**
 * Whether code may get text from elsewhere than the fields that it names: from other functions of n8n
 * than those that choose, or by decoding.
 */
export function readsMore(code: string): boolean {
	const others = code.replace(paths, (path) => path.slice(withoutMethod(path).length));
	return /\$(?!(?:if|ifEmpty|min|max|average|not)\()[a-z(]|decode|atob|json\.?parse|parsejson|fromcharcode/i.test(
		others,
	);
}

/** Also without an end, so that it takes linear time. */
const literals =
	/"(?:\\[\s\S]|[^"\\])*(?:"|\\?$)|'(?:\\[\s\S]|[^'\\])*(?:'|\\?$)|`(?:\\[\s\S]|[^`\\])*(?:`|\\?$)/g;

/** A text that stands for a type, as in `typeof $json.name === "undefined"`. */
const compared = /[=!]=\s?(["'`])\w+\1|(["'`])\w+\2\s?[=!]=/g;

/** The texts in code, in quotes, but for those with which it compares. */
export function literalsOf(code: string): string[] {
	const found = code.replace(compared, '').match(literals) ?? [];
	return found.map((one) => one.replace(/\$\{[^{}]*\}/g, ''));
}

/** Code in which texts and regular expressions are blank. */
export function withoutTexts(code: string): string {
	return code.replace(literals, '""').replace(patterns, '""');
}

const patterns = /(?<=[({[,;!?:&|=>]\s?)\/(?:\\.|[^/\\\n])+\//g;

/**
 * Names the field that an expression misspells, or else one that has no value in the item.
 * @param code one expression, or parameters that have some
 */
export function adviseOnNames(code: unknown, json: object): string | undefined {
	const expression = typeof code === 'string' ? code : JSON.stringify(code).replaceAll('\\"', '"');
	let missing: string | undefined;
	for (const path of pathsOf(expression).filter((one) => one.startsWith('$json'))) {
		let owner: unknown = json;
		for (const name of namesOf(path)) {
			const other = Object.hasOwn(Object(owner), name) ? undefined : findSimilarName(name, owner);
			if (other !== undefined) {
				return texts.misspelled(name, other);
			}
			owner = (Object(owner) as Record<string, unknown>)[name];
		}
		if ((owner ?? '') === '') missing ??= texts.withoutValue(path);
	}
	return missing;
}

/**
 * The field of an object, or of an object in it, that has the same letters and digits: rather one
 * that differs only in what can't be seen.
 */
function findSimilarName(name: string, owner: unknown): string | undefined {
	const isSimilar = (one: string) => normalizeName(one) === normalizeName(name);
	const entries = Object.entries(Object(owner) as Record<string, unknown>);
	const similar = entries.map(([key]) => key).filter(isSimilar);
	if (similar.length > 0) return similar.find((one) => trim(one) === trim(name)) ?? similar[0];
	for (const [key, value] of entries) {
		const inner = Object.keys(Object(value) as object).find(isSimilar);
		if (inner !== undefined) return `${key}.${inner}`;
	}
	return undefined;
}
