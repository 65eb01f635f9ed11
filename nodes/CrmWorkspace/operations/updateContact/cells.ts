/** Reads the value of a mapped field, as spreadsheets, forms and contact apps have it. */
import { bareAddress, toSource, validateHeader, validateValue } from '../../api/formats';
import type { ContactFieldName } from '../../api/records';
import { trim } from '../../common/text';
import { findWrongType } from '../../parameters/holes';
import type { ItemReader } from '../../parameters/itemReader';
import { displayNames } from '../../parameters/properties';
import { texts } from './texts';

/** What else may be meant to separate tags. */
const signs: Record<string, string> = { ';': 'a semicolon', '|': 'a bar', '\n': 'a line break' };

/** What JavaScript and spreadsheets, in the languages that were looked up, write for an error. */
const errors = new Set(
	[
		'undefined,NaN,[object Object],Invalid Date,Invalid DateTime',
		'#N/A,#REF!,#VALUE!,#DIV/0!,#NAME?,#NUM!,#NULL!,#ERROR!,#SPILL!,#CALC!,#GETTING_DATA',
		'#BLOCKED!,#BUSY!,#CONNECT!,#EXTERNAL!,#FIELD!,#PYTHON!,#UNKNOWN!,Loading...',
		'#NV,#BEZUG!,#WERT!,#ZAHL!,#FEHLER!,#ÜBERLAUF!,#KALK!,#BLOCKIERT!',
		'#N/D,#¡DESBORDAMIENTO!,#PROPAGATION!,#¡REF!,#¡VALOR!,#¡DIV/0!,#¿NOMBRE?,#¡NUM!,#¡NULO!',
		'#VALEUR!,#NOM?,#NOMBRE!,#NUL!,#VALORE!,#RIF!,#NOME?,#NULLO!,#VALOR!,#NÚM!,#NULO!',
		'#N/B,#VERW!,#WAARDE!,#DEEL/0!,#NAAM?,#GETAL!,#Н/Д,#ССЫЛКА!,#ЗНАЧ!,#ДЕЛ/0!,#ИМЯ?,#ЧИСЛО!',
	].flatMap((names) => names.split(',')),
);

/** A number without its digits, a narrow column, LibreOffice's errors, a letter without its code. */
const lost = /^[+-]?\d+(?:[.,]\d+)?[eE]\+\d+$|^#{4,}$|^(?:Err|Fehler):\d{3}$|\ufffd/;

/**
 * The value of a field; empty if there is nothing in it that anyone can see.
 * @param isByHand whether the user maps each field
 * @throws NodeOperationError naming the field
 */
export function readCell(
	item: ItemReader,
	name: ContactFieldName,
	value: unknown,
	isByHand: boolean,
): string | string[] {
	const { context, itemIndex } = item;
	const displayName = displayNames[name];
	const refuse = (problem: string, advice?: string) =>
		item.refuse(texts.invalidCell(name, problem, isByHand, advice));
	if (name === 'tags') {
		const { json } = context.getInputData()[itemIndex];
		const column = Object.keys(json).find((key) => json[key] === value) ?? 'tags';
		return readTags(value, column, refuse);
	}
	if (Array.isArray(value) && value.length === 0) return '';
	const text = cleanText(name, item.toText(value, { displayName }, texts.giveOneText));
	if (text === '') return '';
	const problem = isLost(value, text)
		? texts.notAValue(text)
		: validateValue(name, text) || (name !== 'notes' && validateHeader(text));
	if (!problem) return text;
	return refuse(name === 'source' ? texts.otherSource(problem) : problem);
}

function isLost(value: unknown, text: string): boolean {
	const isRounded = typeof value === 'number' && findWrongType(value) !== undefined;
	return isRounded || errors.has(trim(text)) || lost.test(trim(text));
}

/**
 * The usual form of a value, without what is pasted along: a phone number has no invisible
 * characters, notes keep theirs.
 */
function cleanText(name: ContactFieldName, text: string): string {
	switch (name) {
		case 'notes':
			return trim(text) === '' ? '' : text;
		case 'phone':
			return trim(text.replace(/[\p{Cf}\ufe00-\ufe0f]/gu, ''));
		case 'email':
			return bareAddress(text);
		case 'source':
			return toSource(trim(text));
		default:
			return trim(text);
	}
}

/**
 * Tags: a list of texts and numbers, text separated by commas, or a number, which is one tag.
 * @param column where the value comes from
 * @returns the tags without empty ones
 */
function readTags(
	value: unknown,
	column: string,
	refuse: (problem: string, advice?: string) => never,
): string[] {
	if (typeof value === 'string' && !isSeparated(value)) {
		const sign = Object.keys(signs).find((one) => value.includes(one)) ?? '';
		const path = /^\w+$/.test(column) ? `.${column}` : `[${JSON.stringify(column)}]`;
		return refuse(texts.hasSign(signs[sign], value), texts.separateTags(path));
	}
	const list: unknown = typeof value === 'string' ? value.split(commas) : (value ?? []);
	const tags: unknown[] = Array.isArray(list) ? list : [list];
	const isTag = (tag: unknown) => ['string', 'number'].includes(typeof tag) || tag === null;
	if (!tags.every(isTag)) return refuse(texts.noTags, texts.giveTags);
	const error = tags.find((tag) => isLost(tag, String(tag)));
	if (error !== undefined) return refuse(texts.hasNoValue(String(error)));
	const named = tags.map((tag) => trim(String(tag ?? ''))).filter((tag) => tag !== '');
	return [...new Set(named)];
}

const commas = /[,،，、]/;

/** Whether nothing else than a comma may be meant to separate tags. */
function isSeparated(text: string): boolean {
	const isList = /^(?:\[.*\]|\{.*\})$/s.test(trim(text));
	return (
		!isList &&
		!text
			.split(commas)
			.map(trim)
			.some((tag) => /[;|\r\n]|^(["']).*\1$/.test(tag))
	);
}
