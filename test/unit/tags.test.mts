import { describe, expect, test } from '@jest/globals';
import { mergedTags, tagsIn } from '../../nodes/CrmWorkspace/operations/updateContact/tags';

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

describe('tags put together with those of a contact', () => {
	const present = ['vip', ' news ', 'Été'];

	test.each([
		['a new one comes last', ['customer'], [...present, 'customer']],
		['one that is there stays where and as it is', ['news', 'vip'], present],
		['another case is another tag', ['VIP'], [...present, 'VIP']],
		['one that is named twice comes once', ['a', 'a'], [...present, 'a']],
		['none', [], present],
	])('add: %s', (_what, given, tags) => {
		expect(mergedTags(present, given, 'add')).toEqual(tags);
	});

	test.each([
		['the others stay as they are', ['vip'], [' news ', 'Été']],
		['but for spaces around', ['news'], ['vip', 'Été']],
		['one that is not there', ['customer'], present],
		['another case is another tag', ['VIP'], present],
		['all', ['Été', 'vip', 'news'], []],
	])('remove: %s', (_what, given, tags) => {
		expect(mergedTags(present, given, 'remove')).toEqual(tags);
	});
});
