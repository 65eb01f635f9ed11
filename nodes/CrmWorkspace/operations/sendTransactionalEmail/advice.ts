import type { IDataObject } from 'n8n-workflow';
import { isExpression } from '../../parameters/parameter';
import { quoted } from '../../parameters/value';

/**
 * What to do about a recipient that is not one address.
 * @param to what the parameter gave
 * @param entered the parameter as the node has it: an expression begins with `=`
 * @param json the fields of the item
 */
export function adviceForTo(to: string, entered: unknown, json: IDataObject): string {
	if (to === '') return adviceForEmptyTo(entered, json);
	if (to.includes('{{') && !isExpression(entered)) return stayedAsWritten('To');
	return 'Nothing was sent for this item. One message goes to one recipient, written like nathan@example.com, without a name or a comma. For several recipients, pass one item for each.';
}

function adviceForEmptyTo(entered: unknown, json: IDataObject): string {
	const notSent = 'Nothing was sent for this item.';
	if (!isExpression(entered)) {
		return `${notSent} Enter an address, or an expression that leads to one, such as {{ $json.email }}.`;
	}
	const gaveNothing = `${notSent} The expression ${quoted(entered.slice(1).trim())} gave nothing`;
	for (const [, dotted, bracketed] of entered.matchAll(fieldsOfItem)) {
		const name = dotted ?? bracketed;
		const other = Object.keys(json).find((one) => one.toLowerCase() === name.toLowerCase());
		if (other !== undefined && !Object.hasOwn(json, name)) {
			return `${gaveNothing}. Names are case-sensitive: the item has ${quoted(other)}, not ${quoted(name)}.`;
		}
	}
	return `${gaveNothing}: look at the item in the node's input.`;
}

/** The fields of the item that an expression names: `$json.email`, `$json["E-mail"]`. */
const fieldsOfItem = /\$json(?:\.([\p{L}\p{N}_$]+)|\[\s*["'](.+?)["']\s*\])/gu;

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
