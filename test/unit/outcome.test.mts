import { describe, expect, test } from '@jest/globals';
import { readExchange } from '../../nodes/CrmWorkspace/transport/outcome';

const now = Date.UTC(2026, 0, 15);

/** Finds `wanted` in a body. */
const read = (body: unknown) => (body as { wanted?: string } | undefined)?.wanted;

const outcomeOf = (statusCode: number, text: string, headers: Record<string, unknown> = {}) =>
	readExchange({ statusCode, headers, text }, read, now);

describe('an exchange is read as', () => {
	test.each([200, 201, 202, 203, 206, 299])('a result for any success: %d', (statusCode) => {
		expect(outcomeOf(statusCode, '{"wanted":"x"}')).toEqual({ result: 'x' });
	});

	test('a result for a success without a body, if that is one', () => {
		const exchange = { statusCode: 204, headers: {}, text: '' };
		expect(readExchange(exchange, (body) => ({ body }), now)).toEqual({
			result: { body: undefined },
		});
	});

	test('a result beside errors, if there is data', () => {
		const text = '{"data":{"id":"1"},"wanted":"x","errors":["a warning"]}';
		expect(outcomeOf(200, text)).toEqual({ result: 'x' });
	});

	test.each([
		'{"statusCode":500,"message":"Internal","data":null}',
		'{"status":422,"title":"Unprocessable"}',
		'{"data":{"send":null},"errors":[{"message":"x"}]}',
		'{"data":{},"error":"x"}',
		'{"data":{"errors":["x"]}}',
		'{"data":{"error":{"message":"x"}}}',
		'{"errors":{"to":["bad"]}}',
		'{"ok":false,"reason":"x"}',
		'{"success":false,"wanted":"x"}',
		'{"code":"IDEMPOTENT_REPLAY","message":"x"}',
		'"Error: database is down"',
		'Error: database is down',
		'  FATAL: out of memory',
	])('a failure for a success that tells of an error: %s', (text) => {
		const failed = outcomeOf(200, text);
		expect(failed).toMatchObject({ failed: { statusCode: 200 } });
		expect(failed).not.toHaveProperty('failed.unreadable');
	});

	test.each([
		'{"wanted":"x","data":{"id":"1","status":"sent","error":null}}',
		'{"wanted":"x","id":"1","error":"bounced before"}',
		'{"wanted":"x","data":[{"id":"1"}],"errors":[],"status":"ok"}',
		'{"wanted":"x","data":{"id":"1"},"status":200,"code":"OK"}',
		'{"wanted":"x","message":"Queued","code":"QUEUED"}',
	])('a result for a success that tells of none: %s', (text) => {
		expect(outcomeOf(200, text)).toEqual({ result: 'x' });
	});

	test.each<[string, string]>([
		['something that is not JSON', 'hello'],
		['an empty body', ''],
		['an empty body', ' \n'],
		['JSON that does not contain what was asked for', '{}'],
		['JSON that does not contain what was asked for', '[]'],
	])('a failure for a success with %s', (unreadable, text) => {
		expect(outcomeOf(200, text)).toEqual({ failed: { statusCode: 200, unreadable } });
	});

	test.each<[string, string]>([
		['JSON that breaks off', '{"wanted":"x"'],
		['JSON that breaks off', ' [{"wanted":"x"},'],
		['JSON that breaks off', '"wan'],
		['a web page', '<!doctype html><p>hello'],
		['a web page', '\n<h1>502 Bad Gateway</h1>'],
		['a web page', '<?xml version="1.0"?><!DOCTYPE html><html></html>'],
		['a web page titled “Log in”', '<html><title>Log in</title>'],
	])('a failure that may pass for a success with %s: %j', (unreadable, text) => {
		const readAnything = () => 'x';
		expect(readExchange({ statusCode: 200, headers: {}, text }, readAnything, now)).toEqual({
			failed: { statusCode: 200, unreadable, isGarbled: true },
		});
	});

	test.each<[string, unknown]>([
		['OK', 'OK'],
		['"OK"', 'OK'],
		['null', null],
		['7', 7],
		['< 5', '< 5'],
		['\uFEFF{"wanted":"x"}', { wanted: 'x' }],
		[' \n', undefined],
	])('a success of which %j is read', (text, expected) => {
		const exchange = { statusCode: 200, headers: {}, text };
		expect(readExchange(exchange, (body) => ({ body }), now)).toEqual({
			result: { body: expected },
		});
	});

	test.each([
		'{"error":{"code":"QUOTA","message":"Too much"}}',
		'{"data":null,"error":{"code":"QUOTA","message":"Too much"}}',
		'{"errors":[{"code":"QUOTA","message":"Too much"}]}',
		'{"success":false,"code":"QUOTA","message":"Too much"}',
	])('a failure for a success with an error inside: %s', (text) => {
		expect(outcomeOf(200, text)).toEqual({
			failed: { statusCode: 200, code: 'QUOTA', message: 'Too much' },
		});
	});

	test('a failure with what the service says and asks for', () => {
		const text = '{"error":{"code":"RATE_LIMITED","message":"Slow down"}}';
		expect(outcomeOf(429, text, { 'retry-after': '3' })).toEqual({
			failed: {
				statusCode: 429,
				code: 'RATE_LIMITED',
				message: 'Slow down',
				askedWait: 3000,
				location: undefined,
			},
		});
	});

	test('a redirect with where it points, in few words', () => {
		const location = `https://other.example.com/${'x'.repeat(5000)}`;
		const reading = outcomeOf(302, '', { location });
		expect(reading).toMatchObject({ failed: { statusCode: 302 } });
		expect('failed' in reading && reading.failed.location?.length).toBeLessThan(600);
	});

	test('a network fault as it is', () => {
		expect(readExchange({ networkCode: 'ECONNRESET' }, read, now)).toEqual({
			failed: { networkCode: 'ECONNRESET' },
		});
	});
});
