import { escapeHtml } from '../escapeHtml.mts';
import type { Readings } from '../readings.mts';

/** Values for tokens. Interface: SEND-17. */
export type Variables = Record<string, unknown>;

/** Some text with its tokens filled in, and the names of those that could not be. */
export interface Rendered {
	text: string;
	missing: string[];
}

/**
 * Fills `{{name}}` and `{{name|fallback}}` tokens. Interface: SEND-12, SEND-17, SEND-18.
 * @param into 'html' escapes the values; the fallback is part of the body and stays as written
 */
export function render(
	source: string,
	variables: Variables,
	into: 'html' | 'text',
	readings: Pick<Readings, 'emptyToken'>,
): Rendered {
	const missing: string[] = [];
	const text = source.replace(/\{\{([^{}]*)\}\}/g, (whole, content: string) => {
		const [name] = content.split('|', 1);
		const fallback = name === content ? undefined : content.slice(name.length + 1);
		if (name.trim() === '' && readings.emptyToken === 'text') return whole;
		const value = valueOf(name.trim(), variables);
		if (value !== undefined) return into === 'html' ? escapeHtml(value) : value;
		if (fallback !== undefined) return fallback;
		missing.push(name.trim());
		return whole;
	});
	return { text, missing };
}

/** The text of a variable, or of a part of one; undefined where there is none. */
function valueOf(name: string, variables: Variables): string | undefined {
	const part = (value: unknown, key: string) =>
		isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
	const value = part(variables, name) ?? name.split('.').reduce<unknown>(part, variables);
	return value === undefined || value === null || isObject(value) ? undefined : String(value);
}

/** Whether a value has parts. */
export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}
