/**
 * Evaluates an expression piece by piece. If a piece gives nothing, n8n puts nothing in its place, and
 * a text with a hole would reach the customer without an error.
 */
import { ExpressionParser, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';
import { adviceForNames, adviceForNothing } from '../parameters/missingValue';
import * as parameter from '../parameters/parameter';
import { quoted } from '../parameters/value';

/**
 * The value of a parameter, or of a field in it, by what the node stores.
 * @param isText whether a piece in braces stays as it is written; may refuse it
 * @param needsEach whether null and blank text are no value either
 * @returns undefined if the expression is one piece that gives nothing
 * @throws NodeOperationError if a piece fails, or gives nothing beside other text
 */
export function evaluateStored(
	context: IExecuteFunctions,
	stored: unknown,
	ref: parameter.ParameterRef,
	isText: (piece: string) => boolean = () => false,
	needsEach = false,
): unknown {
	if (!parameter.isExpression(stored)) return stored;
	const chunks = ExpressionParser.splitExpression(stored.slice(1)).filter(
		({ type, text }) => type === 'code' || text !== '',
	);
	const values = chunks.map((chunk) => {
		const piece = ExpressionParser.joinExpression([chunk]);
		if (chunk.type === 'text' || isText(piece)) return piece;
		const getValue = () => context.evaluateExpression(piece, ref.itemIndex) as unknown;
		const value = parameter.evaluate(context, ref, getValue, piece);
		const { json } = context.getInputData()[ref.itemIndex];
		const isPartMissing = () => !/\?(?!\.)|\|\|/.test(piece) && adviceForNames(piece, json);
		if (needsEach && (!/\S/.test(String(value ?? '')) || isPartMissing()))
			throwHole(context, ref, piece, 'no value');
		// The caller decides what undefined and an object mean if there is nothing else.
		if (chunks.length === 1 && (value === undefined || typeof value === 'object')) return value;
		const flaw = flawOf(value, piece, json);
		return flaw ? throwHole(context, ref, piece, flaw) : value;
	});
	return values.length === 1 ? values[0] : values.join('');
}

/** @param gave what the expression gave instead of a value */
export function throwHole(
	context: IExecuteFunctions,
	{ itemIndex, displayName }: parameter.ParameterRef,
	expression: string,
	gave = 'nothing',
): never {
	const reason = adviceForNothing(expression, context.getInputData()[itemIndex].json, gave);
	const guarded = expression.trim().replace(/\s*\}\}$/, ' ?? "" }}');
	const isOneField = /^\{\{\s*\$json(?:\.[^.\s(]+|\[[^\]]+\])\s*\}\}$/.test(expression.trim());
	const mayBeBlank = gave === 'nothing' && isOneField;
	const advice = mayBeBlank ? `${reason} If it may be missing, write ${guarded}` : reason;
	parameter.throwParameterError(context, itemIndex, `${displayName} is incomplete`, advice);
}

/** What JavaScript makes of nothing in a calculation, and of an object in a text. */
const madeOfNothing =
	/[Uu]ndefined|UNDEFINED|NaN|^-?Infinity$|Invalid D(?:ate|uration)|\[object |null\b|\bN(?:ull|ULL)\b/;

/** A field alone, such as `$json["E-mail"]` or `$("Form").item.json.email`. */
const isField = /^\{\{\s*\$(?:\((?:"[^"]*"|'[^']*')\))?(?:[^(+`|&?]|\?\.)*$/;

/** What a piece gave instead of a value, in words that finish "The expression gave …". */
export function flawOf(value: unknown, piece: string, json: IDataObject): string | undefined {
	if (value === undefined) return 'nothing';
	const text = String(value ?? '');
	if (Number.isInteger(value) && !Number.isSafeInteger(value)) return `${text}, a rounded number`;
	if (Array.isArray(value) && value.length > 1) return 'a list: join it, such as by .join(", ")';
	const [made] = madeOfNothing.exec(text) ?? [];
	const isSaid = /^null$/i.test(made ?? '') && !/[+`]/.test(piece) && !adviceForNames(piece, json);
	if (!made || isSaid) return undefined;
	const texts = piece.match(/"[^"]*"|'[^']*'|`[^`]*`/g);
	const read = Object.entries(json).filter(([name]) => piece.includes(name));
	const said = JSON.stringify([texts, read], (_name, inner: unknown) => inner ?? '').toLowerCase();
	const isWhole = isField.test(piece) || /\$json(?![\w.?[])/.test(piece);
	const isOwn = isWhole || said.split(/\W+/).includes(made.toLowerCase());
	return typeof value === 'string' && isOwn ? undefined : quoted(text);
}
