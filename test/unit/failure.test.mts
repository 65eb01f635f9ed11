import { describe, expect, test } from '@jest/globals';
import {
	Cancelled,
	explainedBy,
	isConflict,
	isInDoubt,
	isInvalidContent,
	isThrottled,
	isRetryable,
	isRejected,
	mayHaveBegun,
	RequestFailure,
	type FailedAttempt,
	type FailureDetails,
	type FaultKind,
} from '../../nodes/CrmWorkspace/transport/failure';
import { answered, lost } from '../support/simulated/attempts.mts';

/** What is said of an attempt, by the name of what says it. */
const said = (failed: FailedAttempt) =>
	Object.entries({
		isThrottled,
		isConflict,
		isInvalidContent,
		isRejected,
			mayHaveBegun,
		isRetryable,
	})
		.filter(([, says]) => says(failed))
		.map(([name]) => name);

describe('what follows from an attempt without a usable answer', () => {
	const unsent = 'it was not sent: ask again, whatever it was';
	const useless = 'it was not sent, and would not be the next time';
	const unsure = 'it may have arrived: ask again where that does no harm';
	const final = 'it may have arrived, and the next time would be no better';

	// Each kind of fault has to be judged here.
	const kinds: Record<FaultKind, string> = {
		unreachable: unsent,
		untrusted: useless,
		ofN8n: useless,
		noRoom: useless,
		noAnswer: unsure,
		unexpected: final,
	};

	const says: Record<string, string[]> = {
		[unsent]: ['isRetryable'],
		[useless]: [],
		[unsure]: ['mayHaveBegun', 'isRetryable'],
		[final]: ['mayHaveBegun'],
	};

	test.each(Object.entries(kinds))('%s: %s', (kind, consequence) => {
		expect(said({ kind: kind as FaultKind })).toEqual(says[consequence]);
	});

	test.each(['garbled', 'unexpected'] as const)('%s, whatever its status', (kind) => {
		for (const statusCode of [200, 204, 299]) {
			expect(said({ kind, statusCode })).toEqual(said({ kind }));
		}
	});
});

describe('what follows from an answer', () => {
	const arrived = 'mayHaveArrived';

	test.each<[number, ...string[]]>([
		[199, arrived, 'mayHaveBegun'],
		[300, arrived],
		[302, arrived],
		[399, arrived],
		[400, 'isInvalidContent', 'isRejected', arrived],
		[401, 'isRejected', arrived],
		[403, 'isRejected', arrived],
		[404, 'isRejected', arrived],
		[407, 'isRejected', arrived],
		[408, arrived, 'mayHaveBegun', 'isRetryable'],
		[409, 'isConflict', 'isRejected', arrived],
		[413, 'isRejected', arrived],
		[422, 'isInvalidContent', 'isRejected', arrived],
		[429, 'isThrottled', arrived, 'isRetryable'],
		[499, 'isRejected', arrived],
		[500, arrived, 'mayHaveBegun', 'isRetryable'],
		[501, arrived, 'mayHaveBegun'],
		[502, arrived, 'mayHaveBegun', 'isRetryable'],
		[503, arrived, 'mayHaveBegun', 'isRetryable'],
		[504, arrived, 'mayHaveBegun', 'isRetryable'],
		[505, arrived, 'mayHaveBegun'],
	])('of %d', (statusCode, ...expected) => {
		expect(said(answered(statusCode))).toEqual(expected);
	});

	// Interface: OPEN-18.
	test.each([
		[503, 0, true],
		[503, 1000, true],
		[502, 1000, false],
		[500, 1000, false],
		[408, 1000, false],
	])('of %d that asks to wait %d ms: only for now? %s', (statusCode, retryAfter, expected) => {
		expect(isThrottled(answered(statusCode, { retryAfter }))).toBe(expected);
		expect(mayHaveBegun(answered(statusCode, { retryAfter }))).toBe(true);
	});
});

// Interface: OPEN-17.
describe('the key itself is refused, and every other request would be', () => {
	test.each([
		[401, {}],
		[401, { code: 'MISSING_HEADER', message: 'No' }],
		[403, { code: 'INVALID_API_KEY' }],
		[403, { code: 'invalidKey', message: 'Invalid key' }],
		[403, { message: 'invalid key' }],
		[403, { message: 'This API key has been revoked' }],
		[403, { message: 'This api-key is revoked.' }],
		[403, { message: 'Your ApiKey: revoked' }],
		[403, { code: 'InvalidApiKey' }],
	])('by %d with %j', (statusCode, words) => {
		expect(isKeyRefused(answered(statusCode, words))).toBe(true);
	});

	test.each([
		[403, {}],
		[403, { code: 'FORBIDDEN', message: 'You may not do this' }],
		[403, { message: 'key' }],
		[403, { message: 'API key lacks permission for this channel' }],
		[403, { message: 'With a test API key you can only send to verified addresses' }],
		[403, { message: 'The key "source" is not permitted' }],
		[403, { message: 'Your key is rate limited' }],
		[403, { message: 'monkey business' }],
		[403, { message: 'keyboard' }],
		[403, { message: 'a keynote, a turkey' }],
		[403, { code: 'IdempotencyKeyForbidden' }],
		[403, { code: 'IDEMPOTENCY_KEY_FORBIDDEN', message: 'Not your idempotency key' }],
		[400, { code: 'INVALID_API_KEY' }],
		[404, { message: 'invalid key' }],
		[409, { code: 'IDEMPOTENCY_KEY_REUSED' }],
		[422, { message: 'invalid key' }],
		[500, { message: 'API key lacks permission' }],
	])('but not by %d with %j', (statusCode, words) => {
		expect(isKeyRefused(answered(statusCode, words))).toBe(false);
	});

	test('nor by no answer at all', () => {
		expect(isKeyRefused({ kind: 'ofN8n', words: 'API key' })).toBe(false);
	});
});

test('a message is in doubt once an attempt may have arrived, whatever the last one came to', () => {
	const refused = answered(422) as FailureDetails;
	expect(isOutcomeUnknown(refused)).toBe(false);
	expect(isOutcomeUnknown({ ...refused, earlier: lost })).toBe(true);
	expect(isOutcomeUnknown(answered(500) as FailureDetails)).toBe(true);
});

describe('what a failure means is added to it where somebody knows more', () => {
	const details = { ...answered(404), request: 'PUT /contacts/1' } as FailureDetails;

	test('and nothing else of it changes', () => {
		const explanation = { message: 'No such contact' };
		const thrown = () => explainedBy(() => explanation)(new RequestFailure(details));
		expect(thrown).toThrow(RequestFailure);
		expect(thrown).toThrow(expect.objectContaining({ details: { ...details, explanation } }));
	});

	test('and what is no failure of a request stays itself', () => {
		const stopped = new Cancelled(true);
		expect(() => explainedBy(() => ({ message: 'x' }))(stopped)).toThrow(stopped);
	});
});

test('errors that only our own code sees are known by their names', () => {
	expect(new RequestFailure({ request: 'GET /contacts' } as FailureDetails)).toMatchObject({
		name: 'RequestFailure',
		message: 'GET /contacts failed',
	});
	expect(new Cancelled()).toMatchObject({
		name: 'Cancelled',
		message: 'The execution was stopped',
		mayHaveBegun: false,
	});
	expect(new Cancelled(true).mayHaveBegun).toBe(true);
});
