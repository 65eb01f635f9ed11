import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** What the mistakes of one promise have in common. */
export interface Group {
	promise: string;
	/** The files of test/engine that come first: a regular expression. */
	engine: string;
	/** The models that may find them. */
	models: string[];
	mistakes: Mistake[];
}

export interface Mistake {
	name: string;
	/** What goes wrong for a user. */
	effect: string;
	/**
	 * Whether a message is sent twice or never, a success is false, a value or an event is lost, or an
	 * error shows the API key.
	 */
	isGrave?: boolean;
	/** Below nodes/CrmWorkspace. */
	file: string;
	/** Stands once in the file. */
	code: string;
	/** What replaces it. */
	mistake: string;
}

export const groups = parse(
	readFileSync(join(import.meta.dirname, 'mistakes.yaml'), 'utf8'),
) as Group[];

/** A file with a mistake in place of its code. @throws Error unless the code stands in it once */
export function plant(text: string, { name, file, code, mistake }: Mistake): string {
	const [before, after, ...others] = text.split(code);
	if (after !== undefined && others.length === 0) return before + mistake + after;
	throw new Error(`${name}: its code has to stand once in ${file}`);
}
