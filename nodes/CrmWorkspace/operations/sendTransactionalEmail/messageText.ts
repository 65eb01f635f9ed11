/**
 * Reads the texts of a message, in which the service's tokens and n8n's expressions stand in the same
 * braces: a token stays as it is written, and code is evaluated by n8n.
 */
import type { IExecuteFunctions } from 'n8n-workflow';
import { parseToken } from '../../service/tokens';
import { isExpression, throwBraces, type ParameterRef } from '../../parameters/parameter';
import { parseText } from '../../parameters/value';
import { evaluateStored, throwMissingValue } from '../expression';

/** An expression begins with `=` then. */
export const raw = { rawExpressions: true };

/**
 * The text of a parameter, or of a field of Additional Fields.
 * @param keepsTokens whether the service replaces tokens in it
 * @throws NodeOperationError if an expression fails, or gives nothing or what isn't text
 */
export function readMessageText(
	context: IExecuteFunctions,
	name: string,
	ref: ParameterRef,
	keepsTokens = false,
): string {
	const stored: unknown = context.getNodeParameter(name, ref.itemIndex, '', raw);
	const value = evaluatePart(context, stored, ref, keepsTokens);
	if (value === undefined && isExpression(stored)) throwMissingValue(context, ref, stored.slice(1));
	return parseText(context, value, ref);
}

/** The value of a part of a message by what the node stores; undefined if it gives nothing. */
export function evaluatePart(
	context: IExecuteFunctions,
	stored: unknown,
	ref: ParameterRef,
	keepsTokens = false,
	needsEach = false,
): unknown {
	const isText = (chunk: string) => {
		if (keepsTokens && isTokenNotCode(context, chunk)) return true;
		if (isForeignCode(context, chunk)) throwBraces(context, ref, chunk);
		return false;
	};
	return evaluateStored(context, stored, ref, isText, needsEach);
}

const constants = ['undefined', 'null', 'true', 'false', 'NaN', 'Infinity'];

/** A bare name is a token. A path is code if n8n knows where it begins, such as `Math.PI`. */
function isTokenNotCode(context: IExecuteFunctions, chunk: string): boolean {
	const name = parseToken(chunk)?.name;
	if (name === undefined || constants.includes(name)) return false;
	const [first] = /^[^.[]*/.exec(name)!;
	return first === name || !isKnown(context, first);
}

/** n8n takes unknown names for undefined, and calculates with filters, entities and a joining `&`. */
function isForeignCode(context: IExecuteFunctions, chunk: string): boolean {
	const withoutTexts = chunk.replace(/"[^"]*"|'[^']*'|`[^`]*`|(?<=[(,]\s*)\/[^/\n]+\//g, '""');
	const name = /^\{\{[\s!~+-]*([\p{L}_][\p{L}\p{M}\p{N}_]*)/u.exec(chunk)?.[1];
	const hasForeignSign = /(?<![&|])[&|](?![&|])\s*[^\s\d]/.test(withoutTexts);
	return hasForeignSign || (name !== undefined && !isKnown(context, name));
}

function isKnown(context: IExecuteFunctions, name: string): boolean {
	if (name === 'undefined') return true;
	if (!/^[\p{L}_][\p{L}\p{M}\p{N}_]*$/u.test(name)) return false;
	try {
		return context.evaluateExpression(`{{ typeof ${name} }}`, 0) !== 'undefined';
	} catch {
		// A keyword, such as `new`.
		return true;
	}
}
