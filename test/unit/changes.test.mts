import { describe, expect, test } from '@jest/globals';
import { hasValues } from '../../nodes/CrmWorkspace/api/formats';

// Interface: OPEN-7.
describe('Skip Unchanged takes for the same', () => {
	test.each([
		['the same text', { jobTitle: 'Analyst' }, { jobTitle: 'Analyst' }],
		['tags in another order', { tags: ['a', 'b'] }, { tags: ['b', 'a'] }],
		['a tag named twice', { tags: ['a', 'b'] }, { tags: ['b', 'a', 'b'] }],
		['null and empty text', { notes: null }, { notes: '' }],
		['empty text and null', { source: '' }, { source: null }],
		['no tags and an empty list', { tags: null }, { tags: [] }],
		['an email with space around', { email: 'Ada@Example.com ' }, { email: 'Ada@Example.com' }],
		['an account ID in another case', { accountId: 'AB-cd' }, { accountId: 'ab-CD' }],
		['line ends of another kind', { notes: 'a\r\nb\rc' }, { notes: 'a\nb\nc' }],
		['a letter composed in another way', { notes: 'Zoe\u0308' }, { notes: 'Zo\u00eb' }],
		['a tag composed in another way', { tags: ['Zoe\u0308'] }, { tags: ['Zo\u00eb'] }],
		['fields that are not written', { jobTitle: 'Analyst', notes: 'x' }, { jobTitle: 'Analyst' }],
	])('%s', (_what, contact, fields) => {
		expect(hasValues({ id: 'a', ...contact }, fields)).toBe(true);
	});
});

describe('Skip Unchanged takes for different', () => {
	test.each([
		['a value where the field is not known', {}, { notes: '' }],
		['other text', { jobTitle: 'Analyst' }, { jobTitle: 'Admiral' }],
		['text in another case', { jobTitle: 'analyst' }, { jobTitle: 'Analyst' }],
		['an email in another case', { email: 'Ada@Example.com' }, { email: 'ada@example.COM' }],
		['a tag more', { tags: ['a'] }, { tags: ['a', 'b'] }],
		['a tag less', { tags: ['a', 'b'] }, { tags: ['a'] }],
		['tags that look alike when joined', { tags: ['a,b'] }, { tags: ['a', 'b'] }],
		['a value where there is none', { notes: null }, { notes: 'x' }],
		['no value where there is one', { notes: 'x' }, { notes: '' }],
		['another line', { notes: 'a\nb' }, { notes: 'a\n\nb' }],
		['an object instead of text', { company: { name: 'x' } }, { company: '[object Object]' }],
		['one of several fields', { notes: 'x', company: 'y' }, { notes: 'x', company: 'z' }],
	])('%s', (_what, contact, fields) => {
		expect(hasValues({ id: 'a', ...contact }, fields)).toBe(false);
	});
});
