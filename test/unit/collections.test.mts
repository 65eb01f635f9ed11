import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { properties } from '../../nodes/CrmWorkspace/operations/list/properties';
import { collections, wholeCollections } from '../support/sandbox/collections.mts';

const [, readme] = readFileSync(resolve('README.md'), 'utf8').split('### List');
const [, statement] = /^- \*\*WORK-2\*\* (.*)$/m.exec(readFileSync('docs/interface.md', 'utf8'))!;

// Interface: WORK-2.
test('the user chooses from all of them, in the order of the alphabet', () => {
	const { options } = properties.find(({ name }) => name === 'collection')!;
	const expected = Object.entries(collections).map(([value, { label }]) => ({
		name: label,
		value,
	}));
	expect(options).toEqual(expected.sort((a, b) => (a.name < b.name ? -1 : 1)));
});

test.each(Object.values(collections))('the README says that $words are listed', ({ words }) => {
	const [, ofAll] = /^(.*)\*\*Return All\*\*/m.exec(readme)!;
	expect(ofAll.toLowerCase()).toContain(words);
});

test.each(Object.values(collections))(
	'WORK-2 of docs/interface.md has $path',
	({ words, path }) => {
		expect(statement).toContain(words);
		expect(statement).toContain(`(\`${path}\`)`);
	},
);

test.each(wholeCollections)('the README says that $words come in one answer', ({ words }) => {
	const [, ofWhole] = /^(.*) come in one answer/m.exec(readme)!;
	expect(ofWhole.toLowerCase()).toContain(words);
});
