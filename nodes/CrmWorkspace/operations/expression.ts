/**
 * Evaluates an expression chunk by chunk. If a chunk gives nothing, n8n puts nothing in its place, and
 * a text with a hole would reach the customer without an error.
 */
import { ExpressionParser, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';
import { adviseOnNames, adviseOnValue } from '../parameters/missingValue';
import * as parameter from '../parameters/parameter';
import { quote } from '../parameters/value';

/**
 * The value of a parameter, or of a field in it, by what the node stores.
 * @param isText whether a chunk in braces stays as it is written; may refuse it
 * @param needsEach whether null and blank text count as missing, too
 * @returns undefined if the expression is one chunk that gives nothing
 * @throws NodeOperationError if a chunk fails, or gives nothing beside other text
 */
export function evaluateStored(
	context: IExecuteFunctions,
	stored: unknown,
	ref: parameter.ParameterRef,
	isText: (chunk: string) => boolean = () => false,
	needsEach = false,
): unknown {
	if (!parameter.isExpression(stored)) return stored;
	const parsed = ExpressionParser.splitExpression(stored.slice(1)).filter(
		({ type, text }) => type === 'code' || text !== '',
	);
	const values = parsed.map((one) => {
		const chunk = ExpressionParser.joinExpression([one]);
		if (one.type === 'text' || isText(chunk)) return chunk;
		const getValue = () => context.evaluateExpression(chunk, ref.itemIndex) as unknown;
		const value = parameter.evaluate(context, ref, getValue, chunk);
		const { json } = context.getInputData()[ref.itemIndex];
		const isPartMissing = () => !/\?(?!\.)|\|\|/.test(chunk) && adviseOnNames(chunk, json);
		if (needsEach && (!/\S/.test(String(value ?? '')) || isPartMissing()))
			throwMissingValue(context, ref, chunk, 'no value');
		// The caller decides what undefined and an object mean if there is nothing else.
		if (parsed.length === 1 && (value === undefined || typeof value === 'object')) return value;
		const flaw = findFlaw(value, chunk, json);
		return flaw ? throwMissingValue(context, ref, chunk, flaw) : value;
	});
	return values.length === 1 ? values[0] : values.join('');
}

/** @param gave what the expression gave instead of a value */
export function throwMissingValue(
	context: IExecuteFunctions,
	{ itemIndex, displayName }: parameter.ParameterRef,
	expression: string,
	gave = 'nothing',
): never {
	const reason = adviseOnValue(expression, context.getInputData()[itemIndex].json, gave);
	const guarded = expression.trim().replace(/\s*\}\}$/, ' ?? "" }}');
	const isOneField = /^\{\{\s*\$json(?:\.[^.\s(]+|\[[^\]]+\])\s*\}\}$/.test(expression.trim());
	const mayBeBlank = gave === 'nothing' && isOneField && displayName !== 'To';
	const advice = mayBeBlank ? `${reason} If it may be missing, write ${guarded} instead.` : reason;
	parameter.throwParameterError(context, itemIndex, `'${displayName}' is incomplete`, advice);
}

/** What JavaScript makes of nothing in a calculation, and of an object in a text. */
const madeOfNothing =
	/[Uu]ndefined|UNDEFINED|NaN|^-?Infinity$|Invalid D(?:ate|uration)|\[object |null\b|\bN(?:ull|ULL)\b/;

/** A field alone, such as `$json["E-mail"]` or `$("Form").item.json.email`. */
const isField = /^\{\{\s*\$(?:\((?:"[^"]*"|'[^']*')\))?(?:[^(+`|&?]|\?\.)*$/;

/** What a chunk gave instead of a value, in words that finish "The expression gave …". */
export function findFlaw(value: unknown, chunk: string, json: IDataObject): string | undefined {
	if (value === undefined) return 'nothing';
	const text = String(value ?? '');
	if (Number.isInteger(value) && !Number.isSafeInteger(value)) return `${text}, a rounded number`;
	if (Array.isArray(value) && value.length > 1) return 'a list: join it, such as by .join(", ")';
	const [made] = madeOfNothing.exec(text) ?? [];
	const isSaid = /^null$/i.test(made ?? '') && !/[+`]/.test(chunk) && !adviseOnNames(chunk, json);
	if (!made || isSaid) return undefined;
	const texts = chunk.match(/"[^"]*"|'[^']*'|`[^`]*`/g);
	const read = Object.entries(json).filter(([name]) => chunk.includes(name));
	const said = JSON.stringify([texts, read], (_name, inner: unknown) => inner ?? '').toLowerCase();
	const isWhole = isField.test(chunk) || /\$json(?![\w.?[])/.test(chunk);
	const isOwn = isWhole || said.split(/\W+/).includes(made.toLowerCase());
	return typeof value === 'string' && isOwn ? undefined : quote(text);
}
