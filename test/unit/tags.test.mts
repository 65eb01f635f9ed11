import { expect, test } from '@jest/globals';
import { tagsIn } from '../../nodes/CrmWorkspace/operations/updateContact/tags';

test.each<[unknown, string[] | undefined]>([
	[
		['a', ' b '],
		['a', 'b'],
	],
	['a, b ,c', ['a', 'b', 'c']],
	['["a","b, c"]', ['a', 'b, c']],
	['[draft], "new"', ['[draft]', '"new"']],
	['"a"', ['"a"']],
	['1,2', ['1', '2']],
	['', []],
	[' ,, ', []],
	[['', ' '], []],
	['[]', []],
	['["a", 1]', ['a', '1']],
	[['a', true], undefined],
	[['a', null], undefined],
	[5, ['5']],
	[0, ['0']],
	[{ a: 1 }, undefined],
])('tags in %j', (value, tags) => {
	expect(tagsIn(value)).toEqual(tags);
});
