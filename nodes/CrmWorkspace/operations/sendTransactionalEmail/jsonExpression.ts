import { ExpressionParser, type IExecuteFunctions } from 'n8n-workflow';
import { isExpression, type ParameterRef, throwParameterError } from '../../parameters/parameter';
import { parseText } from '../../parameters/value';
import { evaluatePart } from './messageText';

/** Begins a piece that is a value of its own, not part of a string. */
const valueMark = '\ue000';

/**
 * The value of JSON in which expressions stand, as values or inside of strings. It is parsed before
 * they are evaluated, so that nothing in a value can end a string or add a variable.
 * @throws NodeOperationError for text that isn't JSON, and for an expression that fails
 */
export function evaluateJson(
	context: IExecuteFunctions,
	stored: string,
	ref: ParameterRef,
): unknown {
	if (!isExpression(stored)) return parseJson(context, stored || '{}', ref);
	const json = withPiecesAsStrings(stored.slice(1));
	parseJson(context, json, ref);
	return JSON.parse(json, (_name, value: unknown) => {
		if (typeof value !== 'string') return value;
		const isValue = value.startsWith(valueMark);
		const result = evaluatePart(context, `=${isValue ? value.slice(1) : value}`, ref) ?? null;
		if (isValue) return typeof result === 'string' ? parseJson(context, result, ref) : result;
		return result === null ? null : parseText(context, result, ref);
	}) as unknown;
}

/** JSON with expressions as JSON alone: they become strings, or parts of the string they stand in. */
function withPiecesAsStrings(expression: string): string {
	let isInString = false;
	const chunks = ExpressionParser.splitExpression(expression).map((chunk) => {
		if (chunk.type === 'text') {
			const quotes = chunk.text.replace(/\\./g, '').split('"').length - 1;
			isInString = isInString !== (quotes % 2 === 1);
			return chunk.text;
		}
		const piece = JSON.stringify(ExpressionParser.joinExpression([chunk]));
		return isInString ? piece.slice(1, -1) : `"${valueMark}${piece.slice(1)}`;
	});
	return chunks.join('');
}

function parseJson(
	context: IExecuteFunctions,
	text: string,
	{ itemIndex, displayName }: ParameterRef,
): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		const advice =
			'Write an object as one expression, such as {{ { message: $json.message } }}, or expressions between quotes: { "message": "{{ $json.message }}" }.';
		return throwParameterError(context, itemIndex, `${displayName} is not JSON`, advice);
	}
}
