/** Reads the value of a mapped field, as spreadsheets, forms and contact apps have it. */
import type { IExecuteFunctions } from 'n8n-workflow';
import { validateValue } from '../../service/contactValues';
import { validateHeader } from '../../service/formats';
import { contactSources, type ContactFieldName } from '../../service/records';
import { trim } from '../../text/plainText';
import { displayNames } from '../../parameters/contactFields';
import { throwParameterError } from '../../parameters/parameter';
import { parseText, quote } from '../../parameters/value';

const advice =
	'Correct it in the source of the data; nothing was written. If the column means something else, rename it, or map the fields by hand.';

/** Makes a list of text that has another form. */
const tagsOfText =
	'{{ $json.tags && String($json.tags).replace(/[\\[\\]{}"\']/g, "").split(/[,;|\\n]/) }}';

/** What spreadsheets and JavaScript write where they have no value or lost its digits, and links. */
const noValues = [
	/^(?:undefined|NaN|Invalid Date(?:Time)?|[+-]?\d+(?:[.,]\d+)?[eE]\+\d+)$/,
	/^#(?:N\/[ABD]|NV|Н\/Д|GETTING_DATA|[¡¿\p{Lu}/0]+[!?]|#+)$/u,
	/^rec[0-9A-Za-z]{14}$|^object Object$|\[object \w+\]/,
];

/**
 * The value of a field; empty if there is nothing in it that anyone can see.
 * @throws NodeOperationError naming the field
 */
export function readCell(
	context: IExecuteFunctions,
	itemIndex: number,
	name: ContactFieldName,
	value: unknown,
): string | string[] {
	const displayName = displayNames[name];
	const refuse = (problem: string, hint: string) =>
		throwParameterError(context, itemIndex, `'${displayName}' ${problem}`, `${hint} ${advice}`);
	if (name === 'tags') {
		const way = typeof value === 'string' ? tagsOfText : '{{ $json.tags.pluck("name") }}';
		const forms = `Give tags like vip, customer, or a list of texts, such as ${way}.`;
		return (
			parseTags(value ?? []) ??
			refuse('is neither a list of texts nor text separated by commas', forms)
		);
	}
	if (Array.isArray(value) && value.length === 0) return '';
	const one = `Give one text, such as {{ $json.phone.mobile }} or {{ $json.names.join(", ") }}. ${advice}`;
	const text = cleanText(name, parseText(context, value, { itemIndex, displayName }, one));
	if (text === '') return '';
	const problem = isLost(value, text)
		? `is ${quote(text)}, which isn't a value`
		: validateValue(name, text) || (name !== 'notes' && validateHeader(text));
	if (!problem) return text;
	return refuse(problem, name === 'source' ? `Use ${contactSources.join(', ')}.` : '');
}

function isLost(value: unknown, text: string): boolean {
	const hasLostDigits = typeof value === 'number' && /\d{16}/.test(text);
	return hasLostDigits || noValues.some((one) => one.test(trim(text)));
}

/** Without what is pasted along: a phone number has no invisible characters, notes keep theirs. */
function cleanText(name: ContactFieldName, text: string): string {
	if (name === 'notes') return trim(text) === '' ? '' : text;
	return trim(name === 'phone' ? text.replace(/[\p{Cf}\ufe00-\ufe0f]/gu, '') : text);
}

/**
 * Tags: a list of texts and numbers, text separated by commas, or a number, which is one tag.
 * @returns the tags without empty ones; undefined for anything else
 */
function parseTags(value: unknown): string[] | undefined {
	const list = typeof value === 'string' ? splitTags(value) : value;
	const tags = typeof list === 'number' ? [list] : list;
	if (!Array.isArray(tags) || !tags.every((tag) => tag === null || isTag(tag))) return undefined;
	return tags.map((tag) => trim(String(tag ?? ''))).filter((tag) => tag !== '');
}

function isTag(value: unknown): value is string | number {
	const isPlain = typeof value === 'string' || typeof value === 'number';
	return isPlain && !isLost(value, String(value));
}

/** Undefined where something else than a comma may be meant to separate the tags. */
function splitTags(text: string): string[] | undefined {
	const tags = text.split(/[,،，、]/).map(trim);
	const isOther = /^(?:\[.*\]|\{.*\})$/s.test(trim(text));
	return isOther || tags.some((tag) => /[;|\r\n]|^(["']).*\1$/.test(tag)) ? undefined : tags;
}
