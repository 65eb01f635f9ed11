/**
 * What an expression gave instead of a value: known by its type or, within a text, by the words that
 * JavaScript puts where a value is missing. Pure: what n8n gives is passed in.
 */
import { isPath, literalsOf } from './code';
import { formatValue, quote, toText } from './value';

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

interface Word {
	/** How it begins, in small letters. */
	word: string;
	/** For which value JavaScript writes it; without one, for a calculation. */
	isMeant?: (value: unknown) => boolean;
	/** Whether no other word has it in it. */
	isUnique?: boolean;
}

const words: Word[] = [
	{ word: 'undefined', isMeant: (value) => value === undefined, isUnique: true },
	{ word: 'null', isMeant: (value) => value === null },
	{
		word: '[object ',
		isMeant: (value) => typeof value === 'object' && value !== null,
		isUnique: true,
	},
	{ word: 'nan' },
	{ word: 'infinity' },
	{ word: '∞' },
	{ word: 'invalid d' },
];

const someWord =
	/undefined|null|(?<![\p{L}\p{N}])(?:nan|infinity)(?![\p{L}\p{N}])|∞|\[object |invalid d/iu;

const wholeWords =
	/∞|\[object \p{L}+\]|(?<![\p{L}\p{N}])(?:undefined|null|nan|infinity|invalid (?:date(?:time)?|duration))(?![\p{L}\p{N}])/giu;

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
	// What a field says alone is data.
	if (!someWord.test(given) || isPath(code)) return undefined;
	const isJson = /stringify|toJsonString/.test(code);
	const text = (isJson ? given.replace(jsonNulls, '') : given).toLowerCase();
	const { values, texts, areAll } = getSources();
	const said = [...literalsOf(code), ...texts].join('\n').toLowerCase();
	const [wholesInText, wholesSaid] = [text, said].map((one) => one.match(wholeWords) ?? []);
	const judge = ({ word, isMeant = () => false, isUnique }: Word) => {
		const [made, known] = [countParts(text, word), countParts(said, word)];
		const wholes = wholesInText.filter((one) => one.startsWith(word)).length;
		const knownWholes = wholesSaid.filter((one) => one.startsWith(word)).length;
		if (made > known && values.some(isMeant)) return 'certain';
		if (areAll && known === 0 && made > 0 && isUnique) return 'certain';
		if (areAll && knownWholes === 0 && wholes > 0) return 'certain';
		return wholes > (areAll ? knownWholes : 0) ? 'possible' : undefined;
	};
	const judged = words.map(judge);
	const isCertain = judged.includes('certain');
	const at = judged.indexOf(isCertain ? 'certain' : 'possible');
	if (at < 0) return undefined;
	const start = given.toLowerCase().indexOf(words[at].word);
	return { isCertain, near: given.slice(Math.max(0, start - 30)) };
}

const countParts = (text: string, word: string) => text.split(word).length - 1;
