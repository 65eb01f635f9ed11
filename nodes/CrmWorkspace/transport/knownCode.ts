import { readServiceError, statedCode, type ServiceError } from './errorBody';
import { isMarkup, withoutScripts } from './webPage';

/** What the service says of an error, with a code that its request knows wherever it was found. */
export interface CodedError extends ServiceError {
	/**
	 * The code as the service itself shows it, where `code` was found in another place or spelling;
	 * empty when it shows none.
	 */
	shownCode?: string;
}

/**
 * Reads an error's body. A code that the request knows is found in whatever place, as a whole word
 * in any case, but not in what a page only tells its browser. When the body holds several of them,
 * only the one in the place for codes is it: the others are part of an explanation, and without
 * such a one there is no telling.
 * @param body parsed JSON, or the text of a body that is not JSON
 * @param text the whole body
 * @param knownCodes in capitals; none leaves the code to its usual places
 */
export function readCodedError(
	body: unknown,
	text: string,
	knownCodes: readonly string[],
): CodedError {
	const said = readServiceError(body);
	const held = knownCodes.length > 0 ? codesIn(text, knownCodes) : [];
	if (held.length === 0) return { ...said, shownCode: undefined };

	const stated = statedCode(body)?.toUpperCase();
	const code = held.length === 1 ? held[0] : held.find((one) => one === stated);
	return { ...said, code, shownCode: said.code === code ? undefined : (said.code ?? '') };
}

/** Those of `codes` that occur in a text as whole words. */
function codesIn(text: string, codes: readonly string[]): string[] {
	const plain = isMarkup(text) ? withoutScripts(text) : unescaped(text);
	return codes.filter((code) => new RegExp(`\\b${code}\\b`, 'i').test(plain));
}

/** A text with what JSON escapes written out; its line breaks, tabs and quotes become spaces. */
function unescaped(json: string): string {
	return json.replace(/\\+(?:u([\da-fA-F]{4})|[bfnrt"/\\])/g, (_escape, hex?: string) =>
		hex ? String.fromCharCode(parseInt(hex, 16)) : ' ',
	);
}
