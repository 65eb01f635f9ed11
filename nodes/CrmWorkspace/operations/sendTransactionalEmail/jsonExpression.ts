import { ExpressionParser, type IExecuteFunctions } from 'n8n-workflow';
import { isExpression, type ParameterRef, throwParameterError } from '../../parameters/parameter';
import { formatValue, parseText, quote } from '../../parameters/value';
import { findFlaw, throwMissingValue } from '../expression';
import { evaluatePart } from './messageText';

/** Begins a chunk that is a value of its own, not part of a string. */
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
	const json = quoteExpressions(stored.slice(1));
	parseJson(context, json, ref);
	return JSON.parse(json, (name, value: unknown) => {
		if (name.includes('{{')) parseJson(context, name, ref);
		if (typeof value !== 'string') return value;
		const isValue = value.startsWith(valueMark);
		const chunk = isValue ? value.slice(1) : value;
		const result = evaluatePart(context, `=${chunk}`, ref);
		if (name === '' && result === undefined) throwMissingValue(context, ref, chunk);
		if (!isValue) return (result ?? null) === null ? null : parseText(context, result, ref);
		const isText = typeof result === 'string';
		const data = isText ? parseJson(context, result.trim() || 'null', ref) : result;
		return toPlainJson(context, data ?? null, ref, chunk);
	}) as unknown;
}

/** JSON with expressions as JSON alone: they become strings, or parts of the string they stand in. */
function quoteExpressions(expression: string): string {
	let isInString = false;
	const parts = ExpressionParser.splitExpression(expression).map((part) => {
		if (part.type === 'text') {
			const quotes = part.text.replace(/\\./g, '').split('"').length - 1;
			isInString = isInString !== (quotes % 2 === 1);
			return part.text;
		}
		const chunk = JSON.stringify(ExpressionParser.joinExpression([part]));
		return isInString ? chunk.slice(1, -1) : `"${valueMark}${chunk.slice(1)}`;
	});
	return parts.join('');
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
			'Write an object as one expression, such as {{ { message: $json.message } }}, or expressions between quotes: { "message": "{{ $json.message }}" }. n8n ends an expression at the first }}, so write } } within it.';
		return throwParameterError(context, itemIndex, `'${displayName}' isn't JSON`, advice);
	}
}

/** A copy as plain JSON data, in which dates are text. */
function toPlainJson(
	context: IExecuteFunctions,
	data: unknown,
	ref: ParameterRef,
	chunk: string,
): unknown {
	const { json } = context.getInputData()[ref.itemIndex];
	function checked(this: Record<string, unknown>, name: string, value: unknown): unknown {
		const isLost = typeof value === 'function' || (value === null && this[name] !== null);
		const isChecked = typeof value === 'string' || typeof value === 'number';
		const flaw = isLost ? formatValue(this[name]) : isChecked && findFlaw(value, chunk, json);
		if (flaw) throwMissingValue(context, ref, chunk, `${flaw} for ${quote(name)}`);
		// JSON would leave it out, and the run's hint would not count it.
		if (value === undefined && this === data) return null;
		return typeof value === 'string' ? value.toWellFormed() : value;
	}
	return JSON.parse(JSON.stringify(data, checked)) as unknown;
}
