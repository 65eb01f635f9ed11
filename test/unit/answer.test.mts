import { describe, expect, test } from '@jest/globals';
import { keyRemover } from '../../nodes/CrmWorkspace/transport/credential/withoutKey';
import { readAnswer, type Answer } from '../../nodes/CrmWorkspace/transport/http/answer';
import { maxErrorBytes } from '../../nodes/CrmWorkspace/transport/http/exchange';
import { lost } from '../support/simulated/attempts.mts';

const now = Date.UTC(2026, 0, 15);
const key = 'sk_test_4f1c9d7e2a';
const gone = '[API key]';

/** Finds `wanted` in a body. */
const findWanted = ({ body }: Answer) => (body as { wanted?: string } | undefined)?.wanted;

const findAnything = () => 'x';

/** What comes of an answer. */
const outcomeOf = (
	statusCode: number,
	text: string,
	headers: Record<string, unknown> = {},
	read: (answer: Answer) => unknown = findWanted,
) => readAnswer({ statusCode, headers, text, took: 7 }, read, keyRemover(key), now);

const inSuccess = (text: string, read?: (answer: Answer) => unknown) =>
	outcomeOf(200, text, {}, read);

describe('a success is', () => {
	// Interface: OPEN-8.
	test.each([200, 201, 202, 203, 206, 299])('any status of its kind: %d', (statusCode) => {
		expect(outcomeOf(statusCode, '{"wanted":"x"}')).toEqual({ result: 'x' });
	});

	test.each([199, 300])('not %d', (statusCode) => {
		expect(outcomeOf(statusCode, '{"wanted":"x"}')).toMatchObject({
			failed: { kind: 'status', statusCode },
		});
	});

	test('handed on with all that tells of it', () => {
		const headers = { date: 'Thu, 15 Jan 2026 12:00:00 GMT' };
		expect(outcomeOf(201, '[1]', headers, (answer) => answer)).toEqual({
			result: { statusCode: 201, headers, body: [1], took: 7 },
		});
	});

	test.each<[string, unknown]>([
		['OK', 'OK'],
		['"OK"', 'OK'],
		['null', null],
		['7', 7],
		['< 5', '< 5'],
		['Error: database is down', 'Error: database is down'],
		['\uFEFF{"wanted":"x"}', { wanted: 'x' }],
		['', undefined],
		[' \n', undefined],
	])('read as it is written: %j', (text, body) => {
		expect(inSuccess(text, (answer) => ({ body: answer.body }))).toEqual({ result: { body } });
	});

	// What the service stores is the user's: only what leaves as an error is cleaned.
	test('handed on as it is although the key is in it', () => {
		const body = { wanted: key, notes: `a ${key} b`, [key]: [encodeURIComponent(key)] };
		expect(inSuccess(JSON.stringify(body), (answer) => answer.body)).toEqual({ result: body });
		expect(inSuccess(`no JSON: ${key}`, (answer) => answer.body)).toEqual({
			result: `no JSON: ${key}`,
		});
	});

	// What is in it is for whoever asked to judge: an update is done by whatever success.
	test.each([
		'{"success":false,"reason":"x"}',
		'{"error":{"message":"x"}}',
		'{"statusCode":500,"message":"Internal"}',
		'Error: database is down',
	])('not looked through for errors where any will do: %s', (text) => {
		expect(inSuccess(text, findAnything)).toEqual({ result: 'x' });
	});
});

describe('a success without what was asked for is a failure that stays', () => {
	test.each<[string, string]>([
		['hello', 'something that is not JSON'],
		['Error: database is down', 'something that is not JSON'],
		['', 'an empty body'],
		[' \n', 'an empty body'],
		['{}', 'JSON that does not contain what was asked for'],
		['[]', 'JSON that does not contain what was asked for'],
		['null', 'JSON that does not contain what was asked for'],
		['"hello"', 'something that is not JSON'],
	])('%j: %s', (text, words) => {
		expect(inSuccess(text)).toMatchObject({
			failed: { kind: 'unexpected', statusCode: 200, words },
		});
	});

	test.each([
		'{"error":{"code":"QUOTA","message":"Too much"}}',
		'{"data":null,"error":{"code":"QUOTA","message":"Too much"}}',
		'{"errors":[{"code":"QUOTA","message":"Too much"}]}',
		'{"success":false,"code":"QUOTA","message":"Too much"}',
	])('with what the service says instead: %s', (text) => {
		expect(outcomeOf(201, text)).toEqual({
			failed: {
				kind: 'unexpected',
				statusCode: 201,
				words: 'JSON that does not contain what was asked for',
				code: 'QUOTA',
				message: 'Too much',
			},
		});
	});

	test.each<[string, string | undefined]>([
		['Hello from another site', 'Hello from another site'],
		['"hello"', 'hello'],
		['{"status":"ok"}', '{"status":"ok"}'],
		['{"data":{"error":"No such list"}}', '{"data":{"error":"No such list"}}'],
		[' [ ]', '[]'],
		['null', 'null'],
		[`{"data":{"note":"${key}"}}`, `{"data":{"note":"${gone}"}}`],
		[`Hello ${key}`, `Hello ${gone}`],
		[`Hello ${'x'.repeat(maxErrorBytes)}`, `Hello ${'x'.repeat(494)}…`],
		[' \n', undefined],
	])('with what came instead of it where nothing says more: %j', (text, message) => {
		const { failed } = inSuccess(text) as { failed: { message?: string } };
		expect(failed.message).toBe(message);
	});

	test('without the key in what the service says', () => {
		const text = JSON.stringify({ error: `the key ${key.replace('_', '%5f')} has no more` });
		expect(inSuccess(text)).toMatchObject({ failed: { message: `the key ${gone} has no more` } });
	});

	test('where it is nested deeper than any record', () => {
		const nested = (levels: number) => '['.repeat(levels) + '"x"' + ']'.repeat(levels);
		expect(inSuccess(nested(100), findAnything)).toEqual({ result: 'x' });
		expect(inSuccess(`{"data":${nested(99)}}`, findAnything)).toEqual({ result: 'x' });
		for (const text of [nested(101), `{"data":${nested(100)}}`, `[1,null,${nested(100)}]`]) {
			expect(inSuccess(text, findAnything)).toMatchObject({
				failed: {
					kind: 'unexpected',
					statusCode: 200,
					words: 'JSON that is nested more than 100 levels deep',
				},
			});
		}
	});
});

describe('a success that something in between made or broke may be one the next time', () => {
	test.each<[string, string]>([
		['JSON that breaks off', '{"wanted":"x"'],
		['JSON that breaks off', ' [{"wanted":"x"},'],
		['JSON that breaks off', '"wan'],
		['a web page', '<!doctype html><p>hello'],
		['a web page', '\n<h1>502 Bad Gateway</h1>'],
		['a web page', '<?xml version="1.0"?><!DOCTYPE html><html></html>'],
		['a web page titled “Log in”', '<html><title>Log in</title>'],
		[`a web page titled “No ${gone}”`, `<html><title>No ${key}</title>`],
		[
			`a web page titled “${'x'.repeat(495)}[API …”`,
			`<html><title>${'x'.repeat(495)}${key}</title>`,
		],
	])('%s: %j', (words, text) => {
		expect(inSuccess(text, findAnything)).toEqual({
			failed: { kind: 'garbled', statusCode: 200, words },
		});
	});
});

describe('an answer that is no success', () => {
	test('is told with what the service says and asks for', () => {
		const body = '{"error":{"code":"RATE_LIMITED","message":"Slow down"}}';
		expect(outcomeOf(429, body, { 'retry-after': '3' })).toEqual({
			failed: {
				kind: 'status',
				statusCode: 429,
				code: 'RATE_LIMITED',
				message: 'Slow down',
				body: JSON.parse(body),
				askedWait: 3000,
				location: undefined,
			},
		});
	});

	test.each<[string, string, string | undefined]>([
		['JSON', '{"message":"No"}', 'No'],
		['JSON after a byte order mark', '\uFEFF{"message":"No"}', 'No'],
		['a text', 'No', 'No'],
		['a text in JSON', '"No"', 'No'],
		['a web page', '<html><title>No</title>', 'a web page titled “No”'],
		['nothing', '', undefined],
	])('may say it in %s', (_how, text, message) => {
		expect(outcomeOf(400, text)).toHaveProperty('failed.message', message);
	});

	test('asks to wait from the moment it came, by the clock of the service if it tells it', () => {
		const headers = { 'retry-after': 'Thu, 15 Jan 2026 00:01:00 GMT' };
		expect(outcomeOf(503, '', headers)).toHaveProperty('failed.askedWait', 60_000);
		const date = 'Thu, 15 Jan 2026 00:00:50 GMT';
		expect(outcomeOf(503, '', { ...headers, date })).toHaveProperty('failed.askedWait', 10_000);
	});

	describe('holds no key', () => {
		test.each<[string, string]>([
			['as it is', key],
			['in capitals', key.toUpperCase()],
			['encoded for an address', key.replaceAll('_', '%5F')],
			['escaped as in JSON', key.replace('s', '\\u0073')],
		])('%s', (_spelling, spelled) => {
			const text = `{"code":"NO_KEY","message":"The key ${spelled} is unknown"}`;
			expect(outcomeOf(401, text)).toMatchObject({
				failed: {
					code: 'NO_KEY',
					message: `The key ${gone} is unknown`,
					body: { code: 'NO_KEY', message: `The key ${gone} is unknown` },
				},
			});
		});

		test('nor half of one, where its words are cut', () => {
			for (let before = 480; before <= 500; before++) {
				const message = `${'x'.repeat(before)}${key} and more`;
				for (const text of [message, JSON.stringify({ message })]) {
					const outcome = outcomeOf(400, text);
					expect(JSON.stringify(outcome)).not.toMatch(/sk_|4f1c/);
					expect(outcome).toHaveProperty(
						'failed.message',
						expect.stringContaining('x'.repeat(before)),
					);
				}
			}
		});

		test('nor half of one, where reading ended within it', () => {
			for (let read = 1; read < key.length; read++) {
				const text = `${'x'.repeat(maxErrorBytes - read)}${key.slice(0, read)}`;
				const { body } = (outcomeOf(400, text) as { failed: { body: string } }).failed;
				expect(body).toMatch(/^x{60000,}$/);
			}
			const spelled = [...key].map((one) => `\\u00${one.charCodeAt(0).toString(16)}`).join('');
			const cut = `{"message":"No ${key}","more":"${'x'.repeat(maxErrorBytes)}`;
			const text = `${cut.slice(0, maxErrorBytes - 100)}${spelled.slice(0, 100)}`;
			expect(JSON.stringify(outcomeOf(400, text))).not.toMatch(/sk_|\\u007/);
		});

		test('and all of it is told where it was read to its end', () => {
			const text = 'x'.repeat(maxErrorBytes - 1);
			expect(outcomeOf(400, text)).toHaveProperty('failed.body', text);
		});
	});
});

describe('where a redirect points to is told', () => {
	const locationOf = (location: unknown, statusCode = 302) => {
		const { location: told } = (
			outcomeOf(statusCode, '', { location }) as { failed: { location?: string } }
		).failed;
		return told;
	};

	test.each<[string, unknown, string | undefined]>([
		['as it is', 'https://other.example.com/a', 'https://other.example.com/a'],
		[
			'without the white space of a folded header',
			'https://x.example.com/a\r\n  b',
			'https://x.example.com/ab',
		],
		['without the key', `https://x.example.com/?k=${key}`, `https://x.example.com/?k=${gone}`],
		['without a key that was folded', `/?k=${key.slice(0, 9)}\r\n ${key.slice(9)}`, `/?k=${gone}`],
		['if it is one address', ['a', 'b'], undefined],
		['if it points anywhere', undefined, undefined],
	])('%s', (_how, location, expected) => {
		expect(locationOf(location)).toBe(expected);
	});

	test.each([
		[300, 'https://other.example.com/'],
		[399, 'https://other.example.com/'],
		[400, undefined],
		[503, undefined],
	])('by an answer of %d: %s', (statusCode, expected) => {
		expect(locationOf('https://other.example.com/', statusCode)).toBe(expected);
	});

	test('in few words, and with no half of a key', () => {
		expect(locationOf(`https://other.example.com/${'x'.repeat(5000)}`)?.length).toBeLessThan(600);
		for (let before = 480; before <= 500; before++) {
			expect(locationOf(`${'x'.repeat(before)}${key}`)).not.toMatch(/sk_/);
		}
	});
});

test('what n8n says of a fault is told without the key', () => {
	const fault = { kind: 'ofN8n', words: `Invalid header ${key}`, advice: `Not ${key}` } as const;
	expect(readAnswer(fault, findAnything, keyRemover(key), now)).toEqual({
		failed: { kind: 'ofN8n', words: `Invalid header ${gone}`, advice: `Not ${gone}` },
	});
});

test('a fault is told as it is', () => {
	expect(readAnswer(lost, findAnything, keyRemover(key), now)).toEqual({ failed: lost });
});
