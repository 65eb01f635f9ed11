/** What errors and hints say of parameters, whatever the operation: titles and advice by name. */
import { maxNameLength, shorten, trim, type Texts } from '../common/text';
import { describeKind, formatValue, notADate, quote } from './value';

/** What to do about a value that isn't text, by its kind in words. */
const adviceOnKinds: Record<string, string> = {
	[notADate]:
		'The text of the date has another format: write 31.05.2026 as {{ DateTime.fromFormat($json.date, "dd.MM.yyyy") }}.',
	'an object': 'Name one of its fields, or write {{ JSON.stringify(…) }} to show all.',
	'a function': 'Call it with parentheses, as in .trim().',
};

const toOneValue =
	'Write an expression that leads to one value, such as {{ $json.orders[0].id }}. To do something for each entry of a list, make items of them first, with the Split Out node; to write a list within a text, join it, such as {{ $json.tags.join(", ") }}.';

const quoteName = (name: string) =>
	quote(name) + (trim(name) === name ? '' : ' with a blank or invisible character');

export const texts = {
	/** @param advice what to do about a value that isn't a date */
	notText: (displayName: string, given: unknown, advice = toOneValue) => {
		const kind = describeKind(given);
		return kind === notADate
			? [`'${displayName}' is ${kind}`, adviceOnKinds[kind]]
			: [`'${displayName}' is ${kind}, not text`, advice];
	},
	notABoolean: (displayName: string, given: unknown) => [
		`'${displayName}' is neither true nor false`,
		`It is ${formatValue(given)}. An expression has to give true or false.`,
	],
	/** @param max Infinity for none */
	notANumber: (displayName: string, min: number, max: number, given: unknown) => {
		const range = max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`;
		return [`'${displayName}' isn't a whole number ${range}`, `It is ${formatValue(given)}.`];
	},
	/** For what stands in double braces: it often comes from another template language. */
	neitherTokenNorCode: (displayName: string, chunk: string) => {
		// n8n ends it at the second of three braces.
		const shown = shorten(chunk, maxNameLength).replace(/^\{{3}[^{}]+\}\}$/, '$&}');
		return [
			`'${displayName}' has ${shown}, which is neither a token nor code that n8n knows`,
			"Write a token, {{name}} or {{name|there}} without spaces after |, or an expression, such as {{ $json['First name'] }} or {{ $json.name.toUpperCase() }}. Blocks and filters of other template languages, and tags inside the braces, don't work; texts are joined with +, and n8n ends an expression at the first }}.",
		];
	},
	setToFixed: (displayName: string, stored: string) => [
		`'${displayName}' is set to Fixed`,
		`What is in braces stays as it is written: “${shorten(stored, maxNameLength)}”. Switch the field to Expression, and write a field of the item as {{ $json.name }}.`,
	],
	/** @param braces as they came with the item's data */
	bracesOfData: (displayName: string, braces: string) => [
		`'${displayName}' has braces that came with the item's data: ${shorten(braces, maxNameLength)}`,
		'The service would take them for a token. A variable carries any text: add one for this value, and write its token, such as {{title}}, in place of the expression.',
	],
	/** For what one expression gives as the whole text. */
	noTokenInValue: (displayName: string, foreign: string, code: string) => [
		`'${displayName}' has ${shorten(foreign, maxNameLength)}, which came with the value of ${quote(code)} and isn't a token`,
		'Tokens are written {{name}} or {{name|there}}. If the braces are meant to be read, put text around the expression: beside other text, braces of a value are text.',
	],
	empty: (displayName: string, advice: string) => [`'${displayName}' is empty`, advice],
	incomplete: (displayName: string, advice: string) => [`'${displayName}' is incomplete`, advice],
	/**
	 * What to do about code that gave no value.
	 * @param gave in words that finish "The expression gave …"
	 * @param names what is known of the names in it
	 */
	describeHole: (code: string, gave: string, names: string | undefined) => {
		const reason =
			adviceOnKinds[gave] ??
			names ??
			"Look at the item in the node's input: a field may be missing, or have another type than the code expects.";
		return `The expression ${quote(code.trim())} gave ${gave}. ${reason}`;
	},
	/** For what a model has to give. */
	emptyArgument: 'The call of the tool gave no value for it.',
	/** @param guarded the code, so that it gives empty text instead of nothing */
	ifMissing: (reason: string, guarded: string) =>
		`${reason.replace(/\.$/, '')}; if it may be missing, write {{ ${guarded} ?? "" }} instead.`,
	misspelled: (name: string, other: string) =>
		`Names have to match exactly: the item has ${quoteName(other)}, not ${quoteName(name)}.`,
	withoutValue: (path: string) => `${path} has no value in this item.`,
	/** A hint. @param near what the code gave, around the gap */
	mayHaveGap: (displayName: string, code: string, near: string) =>
		`'${displayName}' may have a gap: ${quote(code)} gave ${quote(near)}`,
	/** Written so that a model can correct it. */
	unknownField: (name: string, fields: readonly string[]) => [
		`'Fields to Return' has ${quote(name)}, which isn't a field`,
		`The fields are ${fields.join(', ')}.`,
	],
	/** Of a run that an error has ended. */
	progress: (done: number, items: number) => `${done} of ${items} items were done.`,
	notChosenFrom: (displayName: string, given: unknown, names: readonly string[]) => [
		`'${displayName}' has an invalid value: ${formatValue(given)}`,
		`Use ${names.join(', ')}.`,
	],
} satisfies Texts;
