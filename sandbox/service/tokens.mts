import { escapeHtml } from '../escapeHtml.mts';

/** Values for tokens. Interface: SEND-17. */
export type Variables = Record<string, unknown>;

/** A token of some text, perhaps with a default. Interface: SEND-12. */
const token = /\{\{([^{}|]*)(?:\|([^{}]*))?\}\}/g;

/** A text with filled tokens, and the names of tokens without a value. */
export interface Rendered {
	text: string;
	missing: string[];
}

/**
 * Fills `{{name}}` and `{{name|fallback}}` tokens. Interface: SEND-12, SEND-17, SEND-18.
 * @param into 'html' escapes the values; the fallback is part of the body and stays as written
 */
export function render(source: string, variables: Variables, into: 'html' | 'text'): Rendered {
	const missing: string[] = [];
	const text = source.replace(token, (whole, padded: string, fallback?: string) => {
		const name = padded.trim();
		if (name === '') return whole;
		const value = valueOf(name, variables);
		if (value !== undefined) return into === 'html' ? escapeHtml(value) : value;
		if (fallback !== undefined) return fallback;
		missing.push(name);
		return whole;
	});
	return { text, missing };
}

/** The text of a variable; undefined if there is none. */
function valueOf(name: string, variables: Variables): string | undefined {
	const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
	return value === undefined || value === null ? undefined : String(value);
}

/** Whether a value is an object or an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}
