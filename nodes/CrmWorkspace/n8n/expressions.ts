/**
 * n8n's expressions: what is code in a text, and what code gives.
 *
 * It relies on this of n8n (seen in 1.85.4 with its engine, and in 1.123.81 and 2.41.1 with both
 * engines, `legacy` and `vm`):
 * - `rawExpressions` gives a parameter as the node stores it, and an expression begins with `=`.
 * - `ExpressionParser` splits a text as n8n does, and joins a chunk as it was.
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
