import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { properties } from '../../nodes/CrmWorkspace/operations/list/properties';
import { collections } from '../support/sandbox/collections.mts';

const readme = readFileSync(resolve('README.md'), 'utf8');
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
	const [, ofList] = /^\| \*\*List\*\* \|(.*)$/m.exec(readme)!;
	expect(ofList.toLowerCase()).toContain(words);
});

test.each(Object.values(collections))(
	'WORK-2 of docs/interface.md has $path',
	({ words, path }) => {
		expect(statement).toContain(words);
		expect(statement).toContain(`(\`${path}\`)`);
	},
);
