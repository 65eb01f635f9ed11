import { describe, expect, test } from '@jest/globals';
import { parseResponse, parseRetryAfter, parseThrown } from '../../nodes/CrmWorkspace/transport/http';
import { computeRetryDelay } from '../../nodes/CrmWorkspace/transport/retry';
import { parseServiceError } from '../../nodes/CrmWorkspace/transport/serviceError';
import { asJson } from '../../nodes/CrmWorkspace/operations/asJson';
import { toText } from '../../nodes/CrmWorkspace/parameters/parameter';
import { Share } from '../../nodes/CrmWorkspace/transport/share';

const [code, message] = ['BAD_EMAIL', 'The address is bad'];

describe('what the service says, whatever the shape', () => {
	test.each<[object | string, { code?: string; message?: string }]>([
		[{ error: { code, message } }, { code, message }],
		[
			{ code, message },
			{ code, message },
		],
		[{ error: message }, { message }],
		[
			{ error: { message, details: [{ field: 'to' }] } },
			{ message: `${message}: [{"field":"to"}]` },
		],
		[
			{ message, errors: { email: ['is taken'] } },
			{ message: `${message}: {"email":["is taken"]}` },
		],
		[{ errors: ['One', 'Two'] }, { message: '["One","Two"]' }],
		[{ type: 'about:blank', title: 'No', detail: message, status: 400 }, { message }],
		[{ email: ['is taken'] }, { message: '{"email":["is taken"]}' }],
		['No such contact', { message: 'No such contact' }],
		['<html><title>502 Bad Gateway</title>', { message: 'a web page titled “502 Bad Gateway”' }],
		['', {}],
	])('%j', (body, expected) => {
		const text = typeof body === 'string' ? body : JSON.stringify(body);
		const { code, message } = parseServiceError(text, (one) => one);
		expect(JSON.parse(JSON.stringify({ code, message }))).toEqual(expected);
	});
});

describe('an answer', () => {
	const of = (statusCode: number, body: string, headers = {}) =>
		parseResponse(
			{ statusCode, headers, body, took: 1 },
			(one) => (one.body as any)?.data,
			(text) => text.replaceAll('sk_test_a', '[API key]'),
		);
	test('of success is handed on as it is, although the key is in it', () => {
		expect(of(201, '{"data":{"notes":"sk_test_a"}}')).toEqual({ result: { notes: 'sk_test_a' } });
	});
	test.each([
		['{"ok":true}', 'JSON that does not contain what was asked for'],
		['', 'an empty body'],
		['OK', 'something that is not JSON: OK'],
		['<!doctype html><title>Login</title>', 'a web page titled “Login”'],
	])('of success without what was asked for is a failure: %s', (body, words) => {
		expect(of(200, body)).toMatchObject({ failed: { words } });
	});
	test('that is an error holds no key', () => {
		for (const key of ['sk_test_a', '\\u0073k_test_a']) {
			const failed = of(401, `{"message":"${key} is not valid"}`);
			expect((failed as any).failed.message).toBe('[API key] is not valid');
		}
	});
	test('says when to come back', () => {
		expect(parseRetryAfter({ 'retry-after': '2.5' })).toBe(2500);
		expect(parseRetryAfter({ 'retry-after': 'soon' })).toBeUndefined();
		const date = new Date(Date.now() + 60_000).toUTCString();
		expect(parseRetryAfter({ 'retry-after': date })).toBeGreaterThan(55_000);
	});
});

test.each<[object, object]>([
	[{ code: 'ECONNREFUSED', syscall: 'connect' }, { kind: 'unreachable' }],
	[{ code: 'ETIMEDOUT', syscall: 'connect' }, { kind: 'unreachable' }],
	[{ code: 'ECONNABORTED' }, { kind: 'noAnswer' }],
	[{ httpCode: 'ECONNRESET' }, { kind: 'noAnswer' }],
	[{ cause: { code: 'CERT_HAS_EXPIRED' } }, { kind: 'untrusted' }],
	[
		{ message: 'blocked', httpCode: '403' },
		{ kind: 'ofN8n', words: 'blocked' },
	],
])('a fault: %j', (error, expected) => {
	expect(parseThrown(error)).toMatchObject(expected);
});

test('what may pass is asked again, unless the work could be done twice', () => {
	const state = { attempt: 1, isIdempotent: true, waitingLeft: 600_000 };
	const status = (statusCode: number, more = {}) => ({
		kind: 'status' as const,
		statusCode,
		...more,
	});
	expect(computeRetryDelay(status(503), state, 0.5)).toBe(250);
	expect(computeRetryDelay(status(503), { ...state, attempt: 4 }, 0.5)).toBe(2000);
	expect(computeRetryDelay(status(503), { ...state, attempt: 5 }, 0.5)).toBeUndefined();
	expect(computeRetryDelay(status(503), { ...state, isIdempotent: false }, 0)).toBeUndefined();
	expect(computeRetryDelay(status(429), { ...state, attempt: 9, isIdempotent: false }, 0)).toBe(0);
	expect(computeRetryDelay(status(429, { retryAfter: 5000 }), state, 0)).toBe(5000);
	expect(computeRetryDelay(status(429, { retryAfter: 600_001 }), state, 0)).toBeUndefined();
	expect(computeRetryDelay(status(422), state, 0)).toBeUndefined();
	expect(computeRetryDelay({ kind: 'unreachable' }, { ...state, isIdempotent: false }, 0)).toBe(0);
});

test('JSON carries what it can, and the rest is refused', () => {
	expect(asJson({ a: 1n, b: new Date(0), c: [null], d: undefined })).toEqual({
		json: { a: '1', b: '1970-01-01T00:00:00.000Z', c: [null] },
	});
	const holdsItself: any[] = [];
	holdsItself.push(holdsItself);
	for (const lost of [NaN, new Map(), new Date(NaN), () => 1, [undefined], holdsItself]) {
		expect(asJson({ lost })).toHaveProperty('problem');
	}
});

test('text is made of what has one', () => {
	const texts = ['a', 1, true, null, undefined, new Date(0)].map(toText);
	expect(texts).toEqual(['a', '1', 'true', '', '', '1970-01-01T00:00:00.000Z']);
	for (const one of [{}, [], NaN, new Date(NaN), Symbol('a'), 'Invalid DateTime'])
		expect(toText(one)).toBeUndefined();
});

test('a share: a fifth at first, then a part less a minute, then growing', () => {
	const share = new Share();
	expect(share.perMinute(0)).toBe(Infinity);
	share.throttled(60, 0, -1, 0);
	share.throttled(60, 30_000, 20_000, 0);
	expect(share.perMinute(30_000)).toBe(12);
	share.throttled(60, 60_000, 50_000, 5000);
	expect(share.perMinute(60_000)).toBeCloseTo(8.4);
	share.letThrough(60, 120_000);
	expect(share.perMinute(120_000)).toBeGreaterThan(8.4);
	expect(share.perMinute(700_000)).toBe(Infinity);
});
