import { isExpression, throwParameterError, type ParameterContext } from './parameter';
import { quote } from './value';

/** The fields in which the service replaces tokens, which have braces, too. */
const fieldsWithTokens = ['html', 'subject', 'text'];

/**
 * Refuses an expression in a field that is set to Fixed. The editor switches a field by itself, but a
 * workflow that is written by hand or by a model may have one, and n8n would leave it as it is.
 * @throws NodeOperationError naming the field
 */
export function refuseFixedExpressions(context: Pick<ParameterContext, 'getNode'>): void {
	for (const { path, text } of getTexts(context.getNode().parameters, [])) {
		const name = path.findLast((key) => !/^(\d+|name|value|variable)$/.test(key)) ?? '';
		const braces = fieldsWithTokens.includes(name) ? /\{\{\s*\$/ : /\{\{/;
		if (isExpression(text) || !braces.test(text)) continue;
		const advice = `What is in braces stays as it is written: ${quote(text)}. Switch the field to Expression, and write a field of the item as {{ $json.name }}.`;
		const words = name.replace(/[A-Z]/g, ' $&').replace(/^./, (letter) => letter.toUpperCase());
		const label = labels[name] ?? words;
		throwParameterError(context, 0, `'${label}' is set to Fixed`, advice);
	}
}

/** Labels that aren't the name in other letters. */
const labels: Record<string, string> = {
	html: 'HTML',
	text: 'Plain Text',
	variablesJson: 'Variables (JSON)',
	idempotencyKey: 'Custom Key',
};

/** All texts of a value, each with the keys that lead to it. */
export function getTexts(value: unknown, path: string[]): Array<{ path: string[]; text: string }> {
	if (typeof value === 'string') return [{ path, text: value }];
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, inner]) => getTexts(inner, [...path, key]));
}
