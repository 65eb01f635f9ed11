import { expect, test } from '@jest/globals';
import * as check from '../../tools/language.mts';

const whats = (found: Array<{ what: string }>) => found.map(({ what }) => what);
const words = (count: number) => `Word${' word'.repeat(count - 1)}`;

test('pages beyond their budget, or without one', () => {
	expect(check.checkBudget('docs/design/a.md', words(880))).toEqual([]);
	expect(whats(check.checkBudget('docs/design/a.md', words(881)))).toEqual([
		'881 words, budget 880',
	]);
	expect(whats(check.checkBudget('new.md', 'Word'))).toEqual(['1 words, budget missing']);
});

test.each(['X', '- X', '> X'])('sentences of more than 35 words in %j', (markdown) => {
	const found = (text: string) => check.findLongSentences(markdown.replace('X', text));
	expect(found(`${words(35)}. n8n. \`a b\` ${words(34)}. 1 ${words(34)}`)).toEqual([]);
	expect(found(`Short.\n\n${words(36)}.`)).toHaveLength(1);
	const exempt = '# X\n\n~~~\nX\n~~~\n\n| a |\n| - |\n| X |'.replaceAll('X', words(36));
	expect(check.findLongSentences(exempt)).toEqual([]);
});

test('tooltips of more than 30 words, however deep', () => {
	const long = [{ hint: words(31) }, { type: 'notice', displayName: words(31) }];
	const held = { displayName: words(31), description: words(30) };
	expect(check.findLongTooltips([held, { options: [{ values: long }] }])).toHaveLength(2);
});

test.each([
	['What is told', 'told', 'Retold in docs/told.md'],
	['Update an\n * n8n', 'an n8n', 'Update an n8n instance'],
	['A name is no value', 'is no', 'There is no value, and it is no longer asked for'],
])('words that do not belong: %j', (text, word, held) => {
	expect(whats(check.findWords(text))).toEqual([expect.stringMatching(`^“${word}”: `)]);
	expect(check.findWords(held)).toEqual([]);
});

test('parameter names without single quotes in strings', () => {
	const names = (code: string) => check.findBareNames(check.stringsOf(code), ['Tag Mode', 'Tag']);
	expect(names("f(`${a} Set Tag to 1`, 'Choose Tag Mode', 'the option Tag')")).toHaveLength(3);
	expect(names(`f("Set 'Tag Mode' to", 'Tag Mode') // The option Tag, Tag Mode`)).toEqual([]);
});
