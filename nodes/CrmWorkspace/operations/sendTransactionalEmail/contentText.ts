import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';
import { hint } from '../../text/hint';
import { listed } from '../../text/plainText';
import {
	evaluate,
	isExpression,
	type ParameterRef,
	readAddedFields,
	readByName,
} from '../../parameters/parameter';
import { parseText } from '../../parameters/value';
import { additionalFields } from './properties';
import { withTokensKept } from './tokensInExpression';

/** The parameters of which the service fills the tokens, for each kind of content. */
const contentParameters: Record<string, string[]> = {
	template: ['additionalFields.subject', 'additionalFields.text'],
	html: ['subject', 'html', 'additionalFields.text'],
};

/**
 * The text of a parameter in which the service's tokens may stand beside n8n's expressions.
 * @param name one of `contentParameters`
 * @throws NodeOperationError when an expression fails, or gives what is no text
 */
export function contentText(context: IExecuteFunctions, name: string, ref: ParameterRef): string {
	const { expression, tokens } = withTokensKept(expressionOf(context, name, ref.itemIndex));
	const value =
		tokens.length > 0
			? evaluate(context, ref, () => context.evaluateExpression(expression, ref.itemIndex))
			: readField(context, name, ref);
	return parseText(context, value, ref);
}

/**
 * The value of a parameter, or of a field of Additional Fields. A field is read alone, because a
 * token in another one may be no code; unless an expression gives all of them.
 */
export function readField(context: IExecuteFunctions, name: string, ref: ParameterRef): unknown {
	const [parameter, field] = name.split('.');
	if (field === undefined || expressionOf(context, parameter, ref.itemIndex) === '') {
		return readByName(context, name, ref, '');
	}
	return readAddedFields(context, additionalFields, ref.itemIndex)[field];
}

/** A hint if the content has tokens in expressions, which the editor shows as `[undefined]`. */
export function hintOfTokens(context: IExecuteFunctions): NodeExecutionHint[] {
	const content = context.getNodeParameter('content', 0, '', { rawExpressions: true });
	const names = contentParameters[String(content)] ?? Object.values(contentParameters).flat();
	const ofAll = names.flatMap((name) => withTokensKept(expressionOf(context, name, 0)).tokens);
	if (ofAll.length === 0) return [];
	const tokens = listed([...new Set(ofAll)]);
	const text = `The service replaces ${tokens} with the variables: what the editor shows instead of these tokens is not what is sent`;
	return [hint(text)];
}

/** The expression that a parameter is set to, without its `=`; empty when it is fixed. */
function expressionOf(context: IExecuteFunctions, name: string, itemIndex: number): string {
	const entered: unknown = context.getNodeParameter(name, itemIndex, '', { rawExpressions: true });
	return isExpression(entered) ? entered.slice(1) : '';
}
