import { describe, expect, test } from '@jest/globals';
import {
	readServiceError,
	statedCode,
} from '../../nodes/CrmWorkspace/transport/errors/serviceError';
import { conflictCode } from '../../nodes/CrmWorkspace/service/conflictCode';
import { answered } from '../support/simulated/attempts.mts';

const code = 'IDEMPOTENT_REPLAY';
const message = 'The original failed';

// Interface: OPEN-16.
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
	['a list of words in message', { message: ['One', 'Two'] }, { message: 'One; Two' }],
	['a list of words in detail', { title: 'No', detail: ['One', 'Two'] }, { message: 'One; Two' }],
	['a list in message beside a phrase', { error: 'No', message: ['One'] }, { message: 'One' }],
	['the same words twice', { errors: ['One', 'One'] }, { message: 'One' }],
	['an object in detail', { detail: { code, message } }, { code, message }],
	[
		'an announcement and details',
		{ message: 'Refused', errors: ['One', 'Two'] },
		{ message: 'Refused: One; Two' },
	],
	['white space instead of words', { message: ' ', detail: 'One' }, { message: 'One' }],
	[
		'a web page with scripts',
		'<html><head><title>Error</title><script>const MAX_RETRIES = 3</script>' +
			'<style>.A_B{}</style><!-- BUILD_NUMBER --></head><body class="BTN_RED">Sorry</body></html>',
		{ message: 'a web page titled “Error”' },
	],
	['a title where nothing else says more', { title: 'Conflict' }, { message: 'Conflict' }],
	['OAuth', { error: 'invalid_token', error_description: 'Expired' }, { message: 'Expired' }],
	['a message that is named msg', { msg: 'One', detail: 'Two' }, { message: 'One' }],
	['defaultMessage', { defaultMessage: 'One' }, { message: 'One' }],
	['entries with a param', { errors: [{ param: 'to', msg: 'is bad' }] }, { message: 'to is bad' }],
	[
		'entries with a path',
		{ errors: [{ path: ['tags', 0], message: 'is bad' }] },
		{ message: 'tags.0 is bad' },
	],
	...['base', 'body', 'non_field_errors', '__all__'].map((whole): [string, unknown, object] => [
		`errors of the whole, named ${whole}`,
		{ errors: { [whole]: ['Too much'] } },
		{ message: 'Too much' },
	]),
	['white space around words', { message: ' One\n' }, { message: 'One' }],
	['white space around text', ' One\n', { message: 'One' }],
	['a code of two letters', 'OK: fine', { message: 'OK: fine' }],
	['a code of three letters', 'BAD: fine', { code: 'BAD', message: 'fine' }],
	['a code and nothing around it', 'A_B', { code: 'A_B', message: 'A_B' }],
	['white space after a code', 'BAD:   fine', { code: 'BAD', message: 'fine' }],
	['details that repeat', { message: 'Bad', errors: ['Bad news'] }, { message: 'Bad news' }],
	['a message that repeats', { message: 'Bad news', errors: ['Bad'] }, { message: 'Bad news' }],
	['a list with no words', { message: 'No', detail: [] }, { message: 'No' }],
	['words and numbers by field', { to: ['bad', 5] }, {}],
	['a field with no words', { to: [] }, {}],
	['an announcement with a colon', { message: 'Bad:', errors: ['One'] }, { message: 'Bad: One' }],
	['a piece of a page', '<h1>502 Bad Gateway</h1>', { message: 'a web page' }],
	['a page with a broken title', '<html><title', { message: 'a web page' }],
])('finds code and message in %s', (_name, body, expected) => {
	expect(readServiceError(body)).toEqual(expected);
});

// Interface: OPEN-16.
describe('the error bodies of frameworks', () => {
	test.each<[string, unknown, { code?: string; message?: string }]>([
		[
			'NestJS',
			{ statusCode: 404, message: 'Contact not found', error: 'Not Found' },
			{ message: 'Contact not found' },
		],
		[
			'NestJS, validation',
			{
				statusCode: 400,
				message: ['email must be an email', 'source is unknown'],
				error: 'Bad Request',
			},
			{ message: 'email must be an email; source is unknown' },
		],
		['FastAPI', { detail: 'Contact not found' }, { message: 'Contact not found' }],
		[
			'FastAPI, validation',
			{
				detail: [
					{ type: 'missing', loc: ['body', 'email'], msg: 'Field required', input: {} },
					{ type: 'string_type', loc: ['body', 'tags', 0], msg: 'Input should be a string' },
				],
			},
			{ message: 'body.email Field required; body.tags.0 Input should be a string' },
		],
		[
			'Spring Boot',
			{
				timestamp: '2026-01-15T12:00:00.000+00:00',
				status: 404,
				error: 'Not Found',
				message: 'No contact',
				path: '/api/v1/contacts/1',
			},
			{ message: 'No contact' },
		],
		[
			'Spring Boot, without its words',
			{ timestamp: '2026-01-15T12:00:00.000+00:00', status: 404, error: 'Not Found', path: '/x' },
			{ message: 'Not Found' },
		],
		[
			'Spring Boot, validation',
			{
				timestamp: '2026-01-15T12:00:00.000+00:00',
				status: 400,
				error: 'Bad Request',
				message: "Validation failed for object='contact'. Error count: 1",
				errors: [
					{
						codes: ['Email.contact.email', 'Email'],
						arguments: [{ codes: ['contact.email'], defaultMessage: 'email' }],
						defaultMessage: 'must be well-formed',
						objectName: 'contact',
						field: 'email',
						rejectedValue: 'x',
						bindingFailure: false,
						code: 'Email',
					},
				],
				path: '/api/v1/contacts/1',
			},
			{
				code: 'Email',
				message:
					"Validation failed for object='contact'. Error count: 1: email must be well-formed",
			},
		],
		[
			'Spring ProblemDetail',
			{
				type: 'about:blank',
				title: 'Bad Request',
				status: 400,
				detail: 'Invalid request content.',
				instance: '/api/v1/contacts/1',
			},
			{ message: 'Invalid request content.' },
		],
		['Rails', { status: 404, error: 'Not Found' }, { message: 'Not Found' }],
		['Rails, texts', { errors: ['Email is invalid'] }, { message: 'Email is invalid' }],
		[
			'Rails, fields',
			{ email: ['has already been taken', 'is too short'], tags: ['are too many'] },
			{ message: 'email has already been taken; is too short; tags are too many' },
		],
		[
			'JSON:API',
			{ errors: [{ status: '404', title: 'Not Found', detail: 'No contact', code: 'GONE' }] },
			{ code: 'GONE', message: 'No contact' },
		],
		['Laravel', { message: 'Unauthenticated.' }, { message: 'Unauthenticated.' }],
		[
			'Laravel, validation',
			{
				message: 'The email has already been taken. (and 1 more error)',
				errors: {
					email: ['The email has already been taken.'],
					tags: ['The tags must be an array.'],
				},
			},
			{
				message:
					'The email has already been taken. (and 1 more error): ' +
					'The email has already been taken.; The tags must be an array.',
			},
		],
		[
			'ASP.NET ProblemDetails',
			{
				type: 'https://tools.ietf.org/html/rfc9110#section-15.5.5',
				title: 'Not Found',
				status: 404,
				traceId: '00-1-1-00',
			},
			{ message: 'Not Found' },
		],
		[
			'ASP.NET ValidationProblemDetails',
			{
				type: 'https://tools.ietf.org/html/rfc9110#section-15.5.1',
				title: 'One or more validation errors occurred.',
				status: 400,
				errors: { Email: ['The Email field is not a valid e-mail address.'] },
				traceId: '00-1-1-00',
			},
			{
				message:
					'One or more validation errors occurred. The Email field is not a valid e-mail address.',
			},
		],
	])('%s', (_name, body, expected) => {
		expect(readServiceError(body)).toEqual(expected);
	});
});

describe('a body takes time in proportion to its size', () => {
	const size = 240_000;
	const fill = (piece: string) => piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
	const harmless = `<html><title>Error</title>${fill('<p>Something went wrong.</p>\n')}`;

	test.each<[string, string]>([
		['titles', fill('<title')],
		['titles within a page', `<html>${fill('<title ')}`],
		['opening brackets', `<h${fill('<')}`],
		['scripts without an end', `<html>${fill('<script ')}`],
		['scripts', `<html>${fill('<script></script')}`],
		['comments without an end', `<html>${fill('<!--')}`],
		['ends of comments', `<html>${fill('-->')}`],
		['spaces', `<html>${fill(' ')}x`],
		['spaces in a text', `x${fill(' ')}x`],
		['capitals', `x ${fill('A')}`],
		['codes that end otherwise', `x ${fill('A_')}x`],
		['codes in small letters', `${fill('a_')}x`],
		['many words', fill('A A_B ')],
		['backslashes', fill('\\')],
		['escapes that break off', fill('\\u00')],
		['lists within lists', fill('[')],
		['line breaks', fill('\n')],
	])('%s', (_what, text) => {
		const read = (body: string) => {
			const begun = performance.now();
			readServiceError(body);
			conflictCode(answered(409, { body }));
			return performance.now() - begun;
		};
		const fastest = (body: string) => Math.min(...[1, 2, 3].map(() => read(body)));
		expect(fastest(text)).toBeLessThan(50 * fastest(harmless) + 200);
	});

	test('a nested or a long list of errors', () => {
		const nested = (depth: number): unknown => (depth > 0 ? { error: [nested(depth - 1)] } : 'x');
		const long = {
			errors: Array.from({ length: 100_000 }, (_, index) => ({ message: `${index}` })),
		};
		expect(readServiceError(nested(2000))).toEqual({});
		expect(readServiceError(long).message).toMatch(/^0; 1; .*; 19$/);
	});
});

test('passes on no more than 500 characters', () => {
	expect(readServiceError({ message: 'x'.repeat(10_000) }).message).toHaveLength(501);
});

describe('the code that a body has a field for', () => {
	test.each<[string, unknown, string | undefined]>([
		['one of an entry', { errors: [{ code: 'A_B' }, { message: 'No' }] }, 'A_B'],
		['the same of all entries', { errors: [{ code: 'A_B' }, { code: 'A_B' }] }, 'A_B'],
		[
			'several, of which none speaks for all',
			{ errors: [{ code: 'A_B' }, { code: 'C_D' }] },
			undefined,
		],
		['a text that is nothing else', 'A_B', 'A_B'],
		['a text that begins with it', 'A_B: No', 'A_B'],
		['a text that mentions it', 'No (A_B)', undefined],
	])('%s', (_what, body, code) => {
		expect(statedCode(body)).toBe(code);
	});
});

test('twenty errors of a list are passed on, and what lies deeper than twenty levels is not', () => {
	const errors = Array.from({ length: 30 }, (_, index) => `e${index}.`);
	expect(readServiceError({ errors }).message).toBe(errors.slice(0, 20).join('; '));
	const fields = Object.fromEntries(errors.map((name) => [name, [name]]));
	expect(readServiceError({ errors: fields }).message).toBe(errors.slice(0, 20).join('; '));
	const nested = (levels: number): object =>
		levels === 0 ? { message: 'No' } : { error: nested(levels - 1) };
	expect(readServiceError(nested(20)).message).toBe('No');
	expect(readServiceError(nested(21)).message).toBeUndefined();
	const loc = Array.from({ length: 30 }, (_, index) => index);
	expect(readServiceError([{ loc, msg: 'No' }]).message).toBe(`${loc.slice(0, 20).join('.')} No`);
});
