/**
 * What an expression gave instead of a value: known by its type or, within a text, by the words that
 * JavaScript puts where a value is missing. Pure: what n8n gives is passed in.
 */
import { literalsOf } from '../parameters/code';
import { formatValue, quote, toText } from '../parameters/value';

/** In words that finish "The expression gave …"; undefined for a value and for a list of values. */
export function findWrongType(value: unknown): string | undefined {
	if (value === undefined) return 'nothing';
	if (Array.isArray(value)) return value.map(findWrongType).find(Boolean);
	if (Number.isInteger(value) && !Number.isSafeInteger(value))
		return `${String(value)}, a rounded number`;
	if (typeof value === 'number' && !Number.isFinite(value)) return quote(String(value));
	return toText(value) === undefined ? formatValue(value) : undefined;
}

/** What code reads. */
export interface Sources {
	/** The values of the fields that the code names, one for each time. */
	values: unknown[];
	/** What these values say. */
	texts: string[];
	/** Whether nothing else can have brought text in, such as what it decodes. */
	areAll: boolean;
}

/** What JavaScript writes, in small letters, and for which value; without one, for a calculation. */
const words: Array<[word: string, isMeant?: (value: unknown) => boolean]> = [
	['undefined', (value) => value === undefined],
	['null', (value) => value === null],
	['[object ', (value) => typeof value === 'object' && value !== null],
	['nan'],
	['infinity'],
	['invalid d'],
];

const someWord = /undefined|null|nan|infinity|\[object |invalid d/i;

const wholeWords =
	/\[object \p{L}+\]|(?<![\p{L}\p{N}])(?:undefined|null|nan|infinity|invalid (?:date(?:time)?|duration))(?![\p{L}\p{N}])/giu;

/** Null as JSON has it, which isn't a gap. */
const jsonNulls = /(?<=[:[,]\s?)null(?=\s?[,}\]])/g;

/**
 * Whether words of a text were put there by JavaScript: there are more of them than in the author's
 * words and in what was read. That is certain if such a value was read, or if nothing that was read
 * says the word.
 * @param code what gave the text
 */
export function findMadeWords(
	given: string,
	code: string,
	getSources: () => Sources,
): { isCertain: boolean; near: string } | undefined {
	if (!someWord.test(given)) return undefined;
	const isJson = /stringify|toJsonString/.test(code);
	const text = (isJson ? given.replace(jsonNulls, '') : given).toLowerCase();
	const whole: string[] = text.match(wholeWords) ?? [];
	const { values, texts, areAll } = getSources();
	const said = [...literalsOf(code), ...texts].join('\n').toLowerCase();
	const findings = words.map(([word, isMeant]) => {
		const inText = countOf(word, text);
		const inSources = countOf(word, said);
		const wholes = whole.filter((one) => one.startsWith(word)).length;
		if (isMeant && values.some(isMeant) && inText > inSources) return 'certain';
		if (wholes > 0 && inSources === 0 && areAll) return 'certain';
		return wholes > (areAll ? inSources : 0) ? 'possible' : undefined;
	});
	const isCertain = findings.includes('certain');
	const at = findings.findIndex((one) => one === (isCertain ? 'certain' : 'possible'));
	if (at < 0) return undefined;
	const start = given.toLowerCase().indexOf(words[at][0]);
	return { isCertain, near: given.slice(Math.max(0, start - 30)) };
}

function countOf(word: string, text: string): number {
	return text.split(word).length - 1;
}
