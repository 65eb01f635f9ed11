import type { IDataObject } from 'n8n-workflow';
import { adviceForEmptyValue } from '../../parameters/emptyValue';
import { isExpression } from '../../parameters/parameter';

/**
 * What to do about a recipient that is not one address.
 * @param to what the parameter gave
 * @param entered the parameter as the node stores it
 * @param json the fields of the item
 */
export function adviceForTo(to: string, entered: unknown, json: IDataObject): string {
	const notSent = 'Nothing was sent for this item.';
	if (to === '') {
		const example =
			'Enter an address, or an expression that leads to one, such as {{ $json.email }}.';
		return `${notSent} ${adviceForEmptyValue(entered, json, example)}`;
	}
	if (to.includes('{{') && !isExpression(entered)) return stayedAsWritten('To');
	return `${notSent} One message goes to one recipient, written like nathan@example.com, without a name or a comma. For several recipients, pass one item for each.`;
}

/**
 * What to do about tokens that have no value.
 * @param names the tokens' names; one of an expression begins with `$`
 * @param fields the names of the parameters that they stand in
 */
export function adviceForTokens(names: string[], fields: string): string {
	const expressions = names.filter((name) => name.startsWith('$'));
	if (expressions.length === names.length) return stayedAsWritten(fields);
	const advice =
		'Nothing was sent for this item. Add a variable of that name, or a default in the token itself, like {{name|there}}';
	return expressions.length > 0
		? `${advice}, or switch ${fields} to Expression for what begins with $.`
		: `${advice}. A field of the item is written {{ $json.name }}.`;
}

function stayedAsWritten(displayName: string): string {
	return `${displayName} is set to Fixed, so the expression in it stayed as it is written. Switch it to Expression.`;
}
