import { describe, expect, test } from '@jest/globals';
import { readExchange } from '../../nodes/CrmWorkspace/transport/readExchange';

const now = Date.UTC(2026, 0, 15);

/** Finds `wanted` in a body. */
const read = (body: unknown) => (body as { wanted?: string } | undefined)?.wanted;

const outcomeOf = (statusCode: number, text: string, headers: Record<string, unknown> = {}) =>
	readExchange({ statusCode, headers, text }, read, now);

describe('an exchange is read as', () => {
	// Interface: OPEN-8.
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
		'{"success":"false","wanted":"x"}',
		'{"status":"error","message":"Template not found"}',
		'{"status":"fail","data":{"to":"is invalid"}}',
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
		'{"wanted":"x","data":{"to":"ada@example.com","status":"failed"}}',
		'{"wanted":"x","id":"1","status":"error"}',
		'{"wanted":"x","status":"success"}',
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
		'{"status":"error","code":"QUOTA","message":"Too much"}',
		'{"data":{"error":{"code":"QUOTA","message":"Too much"}}}',
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

	test.each([
		'{"wanted":"x","status":399}',
		'{"wanted":"x","status":600}',
		'{"wanted":"x","code":12}',
		'{"wanted":"x","code":"A_b"}',
		'{"wanted":"x","code":"xA_B"}',
		'{"wanted":"x","note":"no error here"}',
		'{"wanted":"x","error":null,"errors":[null]}',
		'{"wanted":"x","data":null}',
	])('a result for a success that only looks like an error: %s', (text) => {
		expect(outcomeOf(200, text)).toEqual({ result: 'x' });
	});

	test.each([
		'{"wanted":"x","status":400}',
		'{"wanted":"x","status":"599"}',
		'{"wanted":"x","code":500}',
		'{"wanted":"x","code":"E4_X2_Y"}',
		'{"wanted":"x","error":5}',
		'{"wanted":"x","errors":{"to":null,"from":"bad"}}',
		'...Failed to connect',
	])('a failure for a success with the mark of an error: %s', (text) => {
		expect(outcomeOf(200, text)).toHaveProperty('failed.statusCode', 200);
		expect(outcomeOf(200, text)).not.toHaveProperty('failed.unreadable');
	});

	test('a failure for JSON that is nested deeper than any record', () => {
		const nested = (levels: number) => '['.repeat(levels) + '"x"' + ']'.repeat(levels);
		const readAnything = (text: string) =>
			readExchange({ statusCode: 200, headers: {}, text }, () => 'x', now);
		expect(readAnything(nested(100))).toEqual({ result: 'x' });
		expect(readAnything(`{"data":${nested(99)}}`)).toEqual({ result: 'x' });
		for (const text of [nested(101), `{"data":${nested(100)}}`, `[1,null,${nested(100)}]`]) {
			expect(readAnything(text)).toEqual({
				failed: {
					statusCode: 200,
					unreadable: 'JSON that is nested more than 100 levels deep',
				},
			});
		}
	});

	test.each([199, 300])('a failure for %d, which is no success', (statusCode) => {
		expect(outcomeOf(statusCode, '{"wanted":"x"}')).toHaveProperty('failed.statusCode', statusCode);
	});

	test('a redirect with where it points, without the white space of a folded header', () => {
		const headers = { location: 'https://other.example.com/a\r\n  b' };
		expect(outcomeOf(302, '', headers)).toHaveProperty(
			'failed.location',
			'https://other.example.com/ab',
		);
		expect(outcomeOf(302, '', { location: ['a', 'b'] })).toHaveProperty(
			'failed.location',
			undefined,
		);
	});

	test('what is no redirect without a place to go', () => {
		const headers = { location: 'https://other.example.com/' };
		expect(outcomeOf(400, '', headers)).toHaveProperty('failed.location', undefined);
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
