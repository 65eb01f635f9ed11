/** Turns values of parameters into texts, choices, booleans and numbers, or refuses them in words. */
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { toPlainText, shorten } from '../text/plainText';
import {
	readParameter,
	throwParameterError,
	type ParameterContext,
	type ParameterRef,
} from './parameter';

/**
 * The text of a value inside a parameter, such as an added field. A list of one text is that text, as
 * a form or a table gives one.
 * @throws NodeOperationError for an object, another list, or an invalid number or date
 */
export function parseText(
	context: ParameterContext,
	value: unknown,
	{ itemIndex, displayName }: ParameterRef,
	advice = 'Write an expression that leads to one value, such as {{ $json.orders[0].id }}, or join a list, such as {{ $json.tags.join(", ") }}. To do something for each entry, make items of them first, with the Split Out node.',
): string {
	const isOneText = Array.isArray(value) && value.length === 1 && typeof value[0] === 'string';
	const text = toText(isOneText ? value[0] : value);
	// Half of a character, which a cut leaves, has no UTF-8.
	if (text !== undefined) return text.toWellFormed();
	const kind = describeKind(value);
	if (kind === notADate)
		throwParameterError(context, itemIndex, `'${displayName}' is ${kind}`, adviceOnKinds[kind]);
	return throwParameterError(context, itemIndex, `'${displayName}' is ${kind}, not text`, advice);
}

/**
 * A value as text: numbers and booleans as they are written, null and undefined as empty text, dates
 * (`Date`, or the DateTime of `{{ $now }}`) in ISO 8601. Undefined for anything else.
 */
export function toText(value: unknown): string | undefined {
	if (value === undefined || value === null) return '';
	if (Number.isNaN(value)) return undefined;
	// Not by `instanceof`: a value from an expression may come from another JavaScript realm.
	const isDate = Object.prototype.toString.call(value) === '[object Date]';
	const { isLuxonDateTime, toJSON } = value as { isLuxonDateTime?: boolean; toJSON?: () => string };
	if (isDate || isLuxonDateTime) return toJSON!.call(value) ?? undefined;
	const isPrimitive = ['string', 'number', 'boolean', 'bigint'].includes(typeof value);
	return isPrimitive ? String(value) : undefined;
}

const notADate = 'not a valid date';

/** What to do about a value that isn't text, by its kind in words. */
export const adviceOnKinds: Record<string, string> = {
	[notADate]:
		'The text of the date has another format: write 31.05.2026 as {{ DateTime.fromFormat($json.date, "dd.MM.yyyy") }}.',
	'an object': 'Name one of its fields, or write {{ JSON.stringify(…) }} to show all.',
	'a function': 'Call it with parentheses, as in .trim().',
};

function describeKind(value: unknown): string {
	if (Array.isArray(value)) return 'a list';
	const { toJSON } = Object(value) as { toJSON?: unknown };
	if (typeof toJSON === 'function') return notADate;
	if (typeof value === 'function') return 'a function';
	return typeof value === 'number' ? 'NaN' : 'an object';
}

/** A value in words that finish "It is …", however large it is. */
export function formatValue(value: unknown): string {
	if (typeof value === 'string') return quote(value);
	return shorten(toText(value) ?? describeKind(value), maxShownLength) || 'empty';
}

/** In characters. */
const maxShownLength = 60;

/** A text in quotes, as an error shows it. */
export function quote(text: string): string {
	return `“${shorten(toPlainText(text), maxShownLength)}”`;
}

/** The part of a parameter's description that parsing its value needs. */
type Described = Pick<INodeProperties, 'displayName' | 'options' | 'typeOptions'>;

/** The option that a parameter is set to. @throws NodeOperationError for anything else */
export function parseChoice(
	context: ParameterContext,
	{ displayName, options }: Described,
	value: unknown,
	itemIndex: number,
): string {
	const choices = options as INodePropertyOptions[];
	if (choices.some((option) => option.value === value)) return String(value);
	const [names, values] = [choices.map(({ name }) => name), choices.map((one) => one.value)];
	const problem = `'${displayName}' is neither ${names.join(' nor ')}`;
	const advice = `It is ${formatValue(value)}. An expression has to give ${values.join(' or ')}.`;
	return throwParameterError(context, itemIndex, problem, advice);
}

/** Whether a boolean parameter is true. @throws NodeOperationError for anything but a boolean */
export function readBoolean(
	context: ParameterContext,
	property: INodeProperties,
	itemIndex: number,
): boolean {
	const value = readParameter(context, property, itemIndex);
	return parseBoolean(context, property, value, itemIndex);
}

/** Whether a value is true. Text counts, too: the query of a webhook has nothing else. */
export function parseBoolean(
	context: ParameterContext,
	{ displayName }: Described,
	value: unknown,
	itemIndex: number,
): boolean {
	const given = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (given === true || given === 'true') return true;
	if (given === false || given === 'false') return false;
	const advice = `It is ${formatValue(value)}. An expression has to give true or false.`;
	const problem = `'${displayName}' is neither true nor false`;
	return throwParameterError(context, itemIndex, problem, advice);
}

/**
 * The whole number that a parameter is set to. Text counts, too.
 * @throws NodeOperationError for anything else and for a number out of the parameter's range
 */
export function parseNumber(
	context: ParameterContext,
	{ displayName, typeOptions }: Described,
	value: unknown,
	itemIndex: number,
): number {
	const { minValue: min = -Infinity, maxValue: max = Infinity } = typeOptions ?? {};
	const given = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (Number.isInteger(given) && Number(given) >= min && Number(given) <= max) return Number(given);
	const range = max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`;
	const problem = `'${displayName}' isn't a whole number ${range}`;
	return throwParameterError(context, itemIndex, problem, `It is ${formatValue(value)}.`);
}
