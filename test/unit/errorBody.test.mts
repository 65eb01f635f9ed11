import { expect, test } from '@jest/globals';
import { readServiceError } from '../../nodes/CrmWorkspace/transport/errorBody';

const code = 'IDEMPOTENT_REPLAY';
const message = 'The original failed';

test.each<[string, unknown, { code?: string; message?: string }]>([
	['nested', { error: { code, message } }, { code, message }],
	['flat', { code, message }, { code, message }],
	['a text', { error: message }, { message }],
	['a text beside a code', { error: message, code }, { code, message }],
	['a code beside a message', { error: code, message }, { code, message }],
	[
		'a list',
		{ errors: [{ code, message }, { message: 'And more' }] },
		{ code, message: `${message}; And more` },
	],
	['a list of texts', { errors: ['One', 'Two'] }, { message: 'One; Two' }],
	['a bare list', [{ code, message }], { code, message }],
	['errors by field', { errors: { email: ['is taken'] } }, { message: 'email is taken' }],
	[
		'problem details',
		{ type: 'about:blank', title: 'Conflict', detail: message, code },
		{ code, message },
	],
	['plain text', 'No such contact', { message: 'No such contact' }],
	[
		'a web page',
		'<!DOCTYPE html><html><head><title> Log in </title></head><body>…</body></html>',
		{ message: 'a web page titled “Log in”' },
	],
	[
		'a web page without a title',
		'<html><body>Bad gateway</body></html>',
		{ message: 'a web page' },
	],
	['nothing', '', {}],
	['an empty object', {}, {}],
	['null', null, {}],
	['text that begins with a code', `${code}: ${message}`, { code, message }],
	['a text in JSON that begins with a code', { error: `${code}: ${message}` }, { code, message }],
	[
		'a web page with a code',
		`<html><title>Error</title><p>${code}</p></html>`,
		{ code, message: 'a web page titled “Error”' },
	],
	['numbers', { error: 5, code: 12 }, { code: '12' }],
])('finds code and message in %s', (_name, body, expected) => {
	expect(readServiceError(body)).toEqual(expected);
});

test('passes on no more than 500 characters', () => {
	expect(readServiceError({ message: 'x'.repeat(10_000) }).message).toHaveLength(501);
});
