import { formatValue, quote } from '../../parameters/value';
import { findWrongType } from '../holes';
import type { ItemReader } from '../itemReader';

const use = { displayName: 'Variables (JSON)' };

/**
 * The value of JSON in which expressions stand, as values or inside of strings. What they give is put
 * in as JSON, so that nothing in it can end a string or add a variable.
 * @throws NodeOperationError for text that isn't JSON, and for an expression that fails
 */
export function readJsonVariables(item: ItemReader): unknown {
	const stored = item.stored('variablesJson', '{}');
	if (typeof stored !== 'string') return stored;
	const pieces = item.split(stored || '{}', use);
	const values = item.evaluate(pieces, use);
	let isInString = false;
	const json = pieces.map(({ text, isCode }, at) => {
		if (!isCode) {
			const quotes = text.replace(/\\./g, '').split('"').length - 1;
			isInString = isInString !== (quotes % 2 === 1);
			return text;
		}
		if (!isInString) return toJson(item, text, values[at], pieces.length === 1);
		const isAlone =
			/(?<!\\)"$/.test(pieces[at - 1].text) && /^"(?!\s*:)/.test(pieces[at + 1]?.text ?? '');
		const value = item.check(text, values[at], use, isAlone);
		// A string whose expression gives nothing has no value.
		if ((value ?? null) === null && isAlone) return none;
		return asString(isAlone ? item.toText(value, use) : String(value ?? ''));
	});
	return parseJson(item, json.join(''), (_name, value) => (value === none ? null : value));
}

/** Stands for a string without a value. */
const none = '\ufdd1';

const asString = (text: string) => JSON.stringify(text).slice(1, -1);

/** A value of its own: what JSON carries, or JSON as text. Every value in it is looked at. */
function toJson(item: ItemReader, code: string, given: unknown, isAll: boolean): string {
	if (isAll && given === undefined) item.refuseHole(code, use);
	if (typeof given === 'number') item.check(code, given, use, true);
	const isText = typeof given === 'string';
	const data = isText ? parseJson(item, given.trim() || 'null') : (given ?? null);
	return JSON.stringify(data, function (this: Record<string, unknown>, name, value: unknown) {
		const isLost = typeof value === 'function' || (value === null && this[name] !== null);
		const wrong = isLost
			? formatValue(this[name])
			: typeof value === 'number' && findWrongType(value);
		if (wrong) item.refuseHole(code, use, `${wrong} for ${quote(name)}`);
		if (typeof value === 'string') item.checkWords(value, code, use, ` for ${quote(name)}`);
		// JSON would leave it out, and the run's hint would not count it.
		if (value === undefined && this === data) return null;
		return typeof value === 'string' ? value.toWellFormed() : value;
	});
}

type Reviver = (name: string, value: unknown) => unknown;

function parseJson(item: ItemReader, text: string, reviver?: Reviver): unknown {
	try {
		return JSON.parse(text, reviver) as unknown;
	} catch {
		const advice =
			'Write an object as one expression, such as {{ { message: $json.message } }}, or expressions between quotes: { "message": "{{ $json.message }}" }. n8n ends an expression at the first }}, so write } } within it.';
		return item.refuse(`'${use.displayName}' isn't JSON`, advice);
	}
}
