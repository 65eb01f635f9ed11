import { describe, expect, test } from '@jest/globals';
import { conflictCode, errorCodes } from '../../nodes/CrmWorkspace/service/conflictCode';
import { explainSend, keyFinding } from '../../nodes/CrmWorkspace/service/explanations';
import type {
	FailedAttempt,
	FailureDetails,
} from '../../nodes/CrmWorkspace/transport/errors/failure';
import { readAnswer } from '../../nodes/CrmWorkspace/transport/http/answer';
import { answered } from '../support/simulated/attempts.mts';

const known = Object.values(errorCodes);
const replay = errorCodes.originalFailed;
const reused = errorCodes.keyReused;

/** What is read from an answer with this body. */
function failureOf(body: unknown, statusCode = 409): FailedAttempt {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	const answer = { statusCode, headers: {}, text, took: 0 };
	const read = readAnswer(
		answer,
		() => undefined,
		(words) => words,
		0,
	);
	return (read as { failed: FailedAttempt }).failed;
}

const codeOf = (body: unknown) => conflictCode(failureOf(body));

/** Bodies of a conflict that hold one code, and what is shown of them. */
const bodies = (code: string): Array<[string, unknown, { code?: string; message?: string }]> => [
	['as code', { error: { code, message: 'No' } }, { code, message: 'No' }],
	['flat', { code, message: 'No' }, { code, message: 'No' }],
	['as error', { error: code, message: 'No' }, { code, message: 'No' }],
	['as the only text', { error: code }, { code, message: code }],
	['as message', { message: code }, { message: code }],
	['in the message', { message: `${code}: No` }, { message: `${code}: No` }],
	['at the end of the message', { message: `No (${code})` }, { message: `No (${code})` }],
	['after a line break', { message: `No\n${code}` }, { message: `No\n${code}` }],
	['in detail', { title: 'Conflict', detail: code }, { message: code }],
	['beside error', { error: 'Conflict', message: code }, { message: code }],
	['beside another code', { code: 'E409', message: code }, { code: 'E409', message: code }],
	[
		'beside a status',
		{ statusCode: 409, error: 'Conflict', reason: code },
		{ message: 'Conflict' },
	],
	['as errorCode', { errorCode: code, message: 'No' }, { message: 'No' }],
	['as error.type', { error: { type: code, message: 'No' } }, { message: 'No' }],
	['in a type', { type: `https://example.com/errors/${code}` }, {}],
	['in a list', { errors: [{ message: 'No' }, { message: 'No', code }] }, { code, message: 'No' }],
	['in a list of texts', { messages: ['No', code] }, { code, message: `No; ${code}` }],
	['in data', { data: { failure: { reasons: [{ id: code }] } } }, {}],
	['as a name', { errors: { [code]: 'No' } }, { message: `${code} No` }],
	['in JSON within JSON', { body: JSON.stringify({ body: `"\n${code}"` }) }, {}],
	['after a backslash', { error: { type: `App\\Errors\\${code}` } }, {}],
	['with an escaped sign', `{"kind":"${code.replace('_', '\\u005f')}"}`, {}],
	['in text', `Refused: ${code} (order-1)`, { code, message: `Refused: ${code} (order-1)` }],
	[
		'in a page',
		`<html><head><title>Conflict</title></head><body><b>${code}</b></body></html>`,
		{ code, message: 'a web page titled “Conflict”' },
	],
	['in an attribute', `<html><body data-code="${code}">`, { message: 'a web page' }],
	['far down', { padding: 'x'.repeat(60_000), trace: [[[[[code]]]]] }, {}],
];

// Interface: OPEN-16.
describe.each(known)('%s is found in a conflict', (code) => {
	test.each(bodies(code))('%s, and the service is quoted as it speaks', (_where, body, shown) => {
		const failed = failureOf(body);
		expect(conflictCode(failed)).toBe(code);
		expect({ code: failed.code, message: failed.message }).toEqual({
			code: undefined,
			message: undefined,
			...shown,
		});
	});

	test.each(bodies(code.toLowerCase()))('%s, in small letters', (_where, body) => {
		expect(codeOf(body)).toBe(code);
	});

	// Interface: ERROR-3.
	test.each([400, 404, 422, 500])('but means nothing in an answer of %d', (statusCode) => {
		const details = { ...failureOf({ code }, statusCode), attempts: 1 } as FailureDetails;
		expect(['turnedDown', 'lost']).toContain(keyFinding(details));
		const message = { to: 'ada@example.com', idempotencyKey: 'order-1042' };
		expect(explainSend(details, message)?.message ?? '').not.toMatch(/idempotency key|earlier try/);
	});

	test.each<[string, string]>([
		['a script', `<html><script>if (code === "${code}") retry()</script><p>Conflict`],
		['a script without an end', `<html><p>Conflict<SCRIPT src="x">const a = '${code}'`],
		['a style', `<html><style>/* ${code} */</style ><p>Conflict</p>`],
		['a comment', `<html><!-- ${code} > --><p>Conflict</p>`],
	])('but not in %s of a page', (_where, page) => {
		expect(codeOf(page)).toBeUndefined();
	});

	test.each([`${code}ED`, `${code}_2`, `X_${code}`, `NON${code}`, code.replaceAll('_', ' ')])(
		'but not as a part of %s',
		(word) => {
			expect(known).not.toContain(codeOf({ message: word }));
		},
	);
});

describe('of both codes in one conflict', () => {
	const both = `Either ${replay} or ${reused}`;

	test.each<[string, unknown, string]>([
		['of its own', { code: reused, message: `It is no ${replay}` }, reused],
		['of its own, in small letters', { code: replay.toLowerCase(), help: both }, replay],
		['within error', { error: { code: replay, message: both } }, replay],
		['at the beginning of a text', `${reused}: not to be confused with ${replay}`, reused],
		['beside a text', { error: both, code: reused }, reused],
	])('the one in a spot %s counts', (_where, body, code) => {
		expect(codeOf(body)).toBe(code);
	});

	test.each<[string, unknown]>([
		['text', both],
		['a page', `<html><title>Conflict</title><p>${both}`],
		['a message', { message: both }],
		['an error', { error: both }],
		['a list', { codes: [replay, reused] }],
		['another code', { code: 'CONFLICT', detail: both }],
	])('none does in %s', (_where, body) => {
		expect(codeOf(body)).toBeUndefined();
	});

	test('what the service gives as its code is still quoted', () => {
		const body = { code: 'CONFLICT', detail: both };
		expect(failureOf(body)).toMatchObject({ code: 'CONFLICT', message: both });
	});
});

test.each<[FailedAttempt, string | undefined]>([
	[answered(409, { code: 'LOCKED', body: '{"code":"LOCKED"}' }), 'LOCKED'],
	[answered(409, { code: replay }), replay],
	[answered(409, { body: '' }), undefined],
	[answered(409), undefined],
])(
	'without a code of the interface in its body, a conflict has what the service gives: %j',
	(failed, code) => {
		expect(conflictCode(failed)).toBe(code);
	},
);
