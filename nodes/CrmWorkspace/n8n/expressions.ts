/**
 * n8n's expressions: what is code in a text, and what code gives.
 *
 * It relies on this of n8n (seen in 1.85.4 with its engine, and in 1.123.81 and 2.41.1 with both
 * engines, `legacy` and `vm`):
 * - `rawExpressions` gives a parameter as the node stores it, and an expression begins with `=`.
 * - `ExpressionParser` splits a text as n8n does, and joins a chunk as it was.
 * - A list of several pieces of code can be evaluated at once, and ends in `undefined` unless the
 *   engine makes null of it.
 * - A syntax error has one of two messages.
 */
import { ExpressionParser, type IExecuteFunctions } from 'n8n-workflow';

/** A piece of a text: code for n8n in its braces, or what stays as it is written. */
export interface Piece {
	text: string;
	isCode: boolean;
}

/** Whether a parameter, as the node stores it, is set to Expression. */
export function isExpression(stored: unknown): stored is string {
	return typeof stored === 'string' && stored.startsWith('=');
}

/** A parameter as the node stores it. */
export function readStored(
	context: IExecuteFunctions,
	name: string,
	itemIndex: number,
	fallback: unknown,
): unknown {
	return context.getNodeParameter(name, itemIndex, fallback, { rawExpressions: true });
}

/** What n8n takes for code in a text, and what stands between. */
export function splitStored(stored: string): Piece[] {
	if (!isExpression(stored)) return [{ text: stored, isCode: false }];
	return ExpressionParser.splitExpression(stored.slice(1)).map((chunk) => ({
		text: ExpressionParser.joinExpression([chunk]),
		isCode: chunk.type === 'code',
	}));
}

/** What n8n gives for several pieces of code; undefined if it can't evaluate them at once. */
export function evaluateAtOnce(
	context: IExecuteFunctions,
	codes: string[],
	itemIndex: number,
): unknown[] | undefined {
	if (codes.length < 2 || !codes.every((code) => code.endsWith('}}'))) return undefined;
	const list = codes.map((code) => `(${code.slice(2, -2).replace(/;\s*$/, '')}\n)`);
	const code = `{{ [${list.join()}, undefined] }}`;
	try {
		const values = context.evaluateExpression(code, itemIndex) as unknown;
		const isWhole = Array.isArray(values) && values.length === codes.length + 1;
		return isWhole && values.pop() === undefined ? (values as unknown[]) : undefined;
	} catch {
		// Which one fails, and why, shows one by one.
		return undefined;
	}
}

/** Whether n8n couldn't read the code. */
export function isSyntaxError(error: unknown): boolean {
	const messages = /^invalid syntax$|^Expression evaluation failed: SyntaxError/;
	return messages.test((error as Error)?.message);
}

/**
 * The moment of a date in ISO 8601, in ms since 1970; undefined for anything else. Without a time zone
 * it is in that of the workflow, as everywhere in n8n. Relies on: the Luxon that expressions have.
 */
export function parseDate(
	context: IExecuteFunctions,
	text: string,
	itemIndex: number,
): number | undefined {
	const { DateTime } = context.getWorkflowDataProxy(itemIndex);
	const moment = DateTime.fromISO(text, { zone: context.getTimezone() });
	return moment.isValid ? (moment.toMillis() as number) : undefined;
}
