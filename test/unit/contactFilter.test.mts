import { expect, test } from '@jest/globals';
import { isWanted } from '../../nodes/CrmWorkspace/operations/list/index';
import type { ContactFilter } from '../../nodes/CrmWorkspace/operations/list/query';

const ada = {
	email: 'Ada@Example.com',
	tags: ['vip', ' customer ', 2026],
	source: 'trade_show',
	updatedAt: '2026-01-31T08:00:00.000Z',
};

test.each<[string, ContactFilter, object, boolean]>([
	['nothing is asked', {}, {}, true],
	['its address, in another case', { email: 'ada@example.COM' }, ada, true],
	['a part of its address', { email: 'da@example.com' }, ada, false],
	['no address', { email: 'ada@example.com' }, { email: null }, false],
	['one of its tags', { tag: 'vip' }, ada, true],
	['a tag with spaces around', { tag: 'customer' }, ada, true],
	['a number as a tag', { tag: '2026' }, ada, true],
	['a tag in another case', { tag: 'VIP' }, ada, false],
	['a part of a tag', { tag: 'vi' }, ada, false],
	['a text instead of tags', { tag: 'vip' }, { tags: 'vip' }, false],
	['no tags', { tag: 'vip' }, {}, false],
	['its source', { source: 'trade_show' }, ada, true],
	['a source in another case', { source: 'Trade_Show' }, ada, false],
	['a source that cannot be set', { source: 'fair' }, { source: 'fair' }, true],
	['no source', { source: 'website' }, { source: null }, false],
	['all of it', { email: ada.email, tag: 'vip', source: 'trade_show', updatedAfter: 0 }, ada, true],
	['all but its tag', { email: ada.email, tag: 'x', source: 'trade_show' }, ada, false],
])('a filter of contacts: %s', (_what, filter, contact, expected) => {
	expect(isWanted(filter, contact as never)).toBe(expected);
});
