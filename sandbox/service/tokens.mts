import { escapeHtml } from '../escapeHtml.mts';

/** Values for tokens. Interface, send, variables: 'values substituted into `{{name}}` tokens'. */
export type Variables = Record<string, string | number | boolean | null>;

/** Some text with its tokens filled in, and the names of those that could not be. */
export interface Rendered {
	text: string;
	missing: string[];
}

const token = /\{\{\s*([^{}|]+?)\s*(?:\|([^{}]*))?\}\}/g;

/**
 * Fills `{{name}}` and `{{name|fallback}}` tokens. Interface, send, html: 'every `{{token}}` needs
 * a value in variables or an inline default written `{{token|fallback}}`'.
 * @param into 'html' escapes the values: 'values are HTML-escaped into the body'; the fallback is
 * part of the body and stays as written
 */
export function render(source: string, variables: Variables, into: 'html' | 'text'): Rendered {
	const missing: string[] = [];
	const text = source.replace(token, (whole, name: string, fallback: string | undefined) => {
		const value = Object.hasOwn(variables, name) ? variables[name] : null;
		if (value !== null) return into === 'html' ? escapeHtml(String(value)) : String(value);
		if (fallback !== undefined) return fallback;
		missing.push(name);
		return whole;
	});
	return { text, missing };
}
