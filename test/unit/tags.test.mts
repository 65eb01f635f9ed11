import { describe, expect, test } from '@jest/globals';
import { mergeTags } from '../../nodes/CrmWorkspace/operations/updateContact/index';

describe('Tag Mode', () => {
	const present = ['vip', ' news ', 'Été'];

	test.each([
		['a new one comes last', ['customer'], [...present, 'customer']],
		['one that is there stays where and as it is', ['news', 'vip'], present],
		['another case is another tag', ['VIP'], [...present, 'VIP']],
		['one that is named twice comes once', ['a', 'a'], [...present, 'a']],
		['none', [], present],
	])('add: %s', (_what, given, tags) => {
		expect(mergeTags(present, given, 'add')).toEqual(tags);
	});

	test.each([
		['the others stay as they are', ['vip'], [' news ', 'Été']],
		['but for spaces around', ['news'], ['vip', 'Été']],
		['one that is not there', ['customer'], present],
		['another case is another tag', ['VIP'], present],
		['but for how a letter is composed', ['Été'.normalize('NFD')], ['vip', ' news ']],
		['all', ['Été', 'vip', 'news'], []],
	])('remove: %s', (_what, given, tags) => {
		expect(mergeTags(present, given, 'remove')).toEqual(tags);
	});
});
