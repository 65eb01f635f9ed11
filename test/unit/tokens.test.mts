import { expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { findMissingTokens, findTokens, isUsed } from '../../nodes/CrmWorkspace/api/tokens';

// Interface: SEND-12.
test.each<[string, Record<string, unknown>, string[]]>([
	['<p>No token</p>', {}, []],
	['<p>{{firstName}}</p>', { firstName: 'Ada' }, []],
	['<p>{{ firstName }}</p>', { firstName: 'Ada' }, []],
	['<p>{{firstName}}</p>', {}, ['firstName']],
	['<p>{{firstName|there}}</p>', {}, []],
	['<p>{{firstName|}}</p>', {}, []],
	['{{b}} {{a}} {{b}}', {}, ['b', 'a']],
	['{{a}}{{b|x}}{{c}}', { a: 0 }, ['c']],
	['{{a}}', { a: null }, ['a']],
	['{{a}}', { a: undefined }, ['a']],
	['{{a}}', { a: '' }, []],
	['{{constructor}}', {}, ['constructor']],
	['{{__proto__}} {{prototype}} {{toString}}', {}, ['__proto__', 'prototype', 'toString']],
	['{{__proto__}}', JSON.parse('{ "__proto__": "a" }'), []],
	['{{a.__proto__}} {{a.b.toString}}', { a: { b: 'x' } }, ['a.__proto__', 'a.b.toString']],
	['{ {a} } {a} }} {{', {}, []],
	['{{2024}} {{7}} {{ 0 }}', { 2024: 'x', 7: 7, 0: false }, []],
	['{{2024}} {{7}}', { 7: 7 }, ['2024']],
	['{{}} {{ }} {{|x}}', {}, []],
	['{{contact.name}}', { 'contact.name': 'Ada' }, []],
	['{{contact.name}}', { contact: { name: 'Ada' } }, []],
	['{{contact.name}}', { contact: { name: null } }, ['contact.name']],
	['{{contact.nmae}}', { contact: { name: 'Ada' } }, ['contact.nmae']],
	['{{contact.name}}', { contact: 'Ada' }, ['contact.name']],
	['{{contact.name}}', { contact: null }, ['contact.name']],
	['{{contact.constructor}}', { contact: {} }, ['contact.constructor']],
	['{{contact.name.length}}', { contact: { name: 'Ada' } }, ['contact.name.length']],
	['{{a.b.c}}', { a: { b: { c: 0 } } }, []],
	['{{orders.0.id}} {{orders[1].id}}', { orders: [{ id: 1 }, { id: 2 }] }, []],
	['{{orders.2.id}}', { orders: [{ id: 1 }] }, ['orders.2.id']],
	['{{contact}}', { contact: { name: 'Ada' } }, []],
	['{{contact.name|there}}', {}, []],
])('%s with %j misses %j', (html, variables, missing) => {
	expect(findMissingTokens(findTokens(html), variables as IDataObject)).toEqual(missing);
});

// Interface: SEND-12. Two messages that differ only in what no token takes are one.
test.each([
	['orders', '{{orders}}', true],
	['orders', '{{orders.0.id}}', true],
	['orders', '{{orders[0].id|none}}', true],
	['contact.name', '{{contact.name}}', true],
	['order', '{{orders}} {{my.order}}', false],
])('%s is used in %s: %s', (variable, html, used) => {
	expect(isUsed(variable, findTokens(html))).toBe(used);
});
