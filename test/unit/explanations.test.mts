import { describe, expect, test } from '@jest/globals';
import {
	explainSend,
	explainUpdate,
	keyFinding,
	originalFailed,
	type KeyFinding,
} from '../../nodes/CrmWorkspace/service/explanations';
import type {
	FailedAttempt,
	FailureDetails,
} from '../../nodes/CrmWorkspace/transport/errors/failure';
import { answered, lost } from '../support/failed.mts';

const id = '7c9a1d52-6b1f-4f0e-9b1d-0c2f5a7e4d33';
const email = 'ada@example.com';

/** What is told of a failed attempt, and of those before it. */
type Facts = FailedAttempt & Pick<Partial<FailureDetails>, 'earlier'>;

const failed = (facts: Facts, request = 'POST /transactional/send'): FailureDetails => ({
	request,
	host: 'crm.example.com',
	mode: 'test',
	attempts: 1,
	waited: 0,
	...facts,
});

/** An earlier attempt that may have reached the service. */
const earlier = lost;

describe('what a failed send tells of its idempotency key', () => {
	test.each<[string, Facts, KeyFinding]>([
		['the original send failed', answered(409, { code: 'IDEMPOTENT_REPLAY' }), 'failed'],
		[
			'the original failed, after an answer was lost',
			answered(409, { code: 'IDEMPOTENT_REPLAY', earlier }),
			'failed',
		],
		['other content', answered(409, { code: 'IDEMPOTENCY_KEY_REUSED' }), 'other'],
		['one of both', answered(409), 'unclear'],
		['nothing certain after an answer was lost', answered(409, { earlier }), 'unknown'],
		['nothing in another conflict', answered(409, { code: 'LOCKED' }), 'untouched'],
		[
			'nothing certain in another conflict after an answer was lost',
			answered(409, { code: 'LOCKED', earlier }),
			'unknown',
		],
		['refused', answered(422), 'refused'],
		['refused, with a code of a conflict', answered(422, { code: 'IDEMPOTENT_REPLAY' }), 'refused'],
		['nothing certain: the answer was lost', lost, 'unknown'],
		['nothing certain: the service failed', answered(500), 'unknown'],
		['nothing: it was not sent', { kind: 'heldUp' }, 'untouched'],
		['nothing: the limit of requests', answered(429), 'untouched'],
	])('%s', (_what, facts, finding) => {
		expect(keyFinding(failed(facts))).toBe(finding);
	});
});

describe('what a failed send means', () => {
	test('a failed original: nothing was delivered, and a new key is needed', () => {
		const details = failed(answered(409, { code: 'IDEMPOTENT_REPLAY' }));
		expect(explainSend(details, true)).toBe(originalFailed);
		expect(originalFailed.advice).toBe(
			'Nothing was delivered under its idempotency key. A new one is needed to send it again.',
		);
	});

	test.each<[string | undefined, string]>([
		['Conflict', 'The service reports a conflict for this message'],
		[undefined, 'The service reports a conflict for this message, and does not say which'],
	])('a conflict without a code, in the words %j: perhaps the key', (message, expected) => {
		const explanation = explainSend(failed(answered(409, { message })), true);
		expect(explanation?.message).toBe(expected);
		expect(explanation?.advice).toMatch(/^Perhaps it knows the idempotency key .*failed, or/);
	});

	test.each<[string, Facts, boolean]>([
		['a conflict without a key', answered(409), false],
		['a conflict with another code', answered(409, { code: 'LOCKED' }), true],
		[
			'a key that was used for other content',
			answered(409, { code: 'IDEMPOTENCY_KEY_REUSED' }),
			true,
		],
		['the code of a conflict in what is none', answered(422, { code: 'IDEMPOTENT_REPLAY' }), true],
		['a refusal', answered(422), true],
		['no answer', lost, true],
	])('nothing more than the answer says: %s', (_what, facts, hasKey) => {
		expect(explainSend(failed(facts), hasKey)).toBeUndefined();
	});

	test.each<[string, string]>([
		[
			'Template not found',
			'The service does not know the template, channel or contact of this message',
		],
		[
			'Channel not found',
			'The service does not know the template, channel or contact of this message',
		],
		['Not found', 'The service answered POST /transactional/send with “not found”'],
	])('%s: what to check', (message, expected) => {
		const explanation = explainSend(failed(answered(404, { message })), true);
		expect(explanation?.message).toBe(expected);
		expect(explanation?.advice).toMatch(/^Nothing was sent\. Check .*Base URL/);
	});

	test('“not found” after an attempt that may have arrived does not say that nothing was sent', () => {
		const earlier = { kind: 'timedOut' } as const;
		const explanation = explainSend({ ...failed(answered(404)), earlier }, true);
		expect(explanation?.advice).toMatch(/^Check Template Slug/);
	});
});

describe('what a failed update means', () => {
	const request = `PUT /contacts/${id}`;
	const explained = (facts: Facts, fields: { email?: string } = { email }) =>
		explainUpdate(failed(facts, request), id, fields);

	test.each<Facts>([
		answered(404),
		answered(410),
		answered(404, { message: 'Not found' }),
		answered(410, { message: 'Gone' }),
		answered(404, { message: 'Contact not found' }),
		answered(400, { message: 'Contact not found' }),
		answered(422, { code: 'CONTACT_NOT_FOUND' }),
	])('there is no such contact: %j', (facts) => {
		const explanation = explained(facts);
		expect(explanation?.message).toBe(`The service knows no contact with the ID ${id}`);
		expect(explanation?.advice).toMatch(/^It may be deleted, or .*check Base URL/);
	});

	test.each<[Facts, string]>([
		[answered(409, { code: 'EMAIL_TAKEN' }), 'Nothing was changed.'],
		[answered(422, { message: 'email has already been taken' }), 'Nothing was changed.'],
		[
			answered(409, { code: 'EMAIL_TAKEN', earlier }),
			'An earlier attempt may have changed this contact.',
		],
	])('another contact has the address: %j', (facts, consequence) => {
		expect(explained(facts)).toEqual({
			message: `The email address ${email} is already used by another contact`,
			advice: `Each email address belongs to one contact of the workspace: take it from the other one first, or leave Email out. ${consequence}`,
		});
	});

	test('something is not found, and it is not said to be the contact', () => {
		const explanation = explained(answered(404, { message: 'No route matches' }));
		expect(explanation?.message).toBe(`The service answered ${request} with “not found”`);
		expect(explanation?.advice).toMatch(/^Check the ID of the contact, .*Base URL/);
	});

	test.each([
		[409, `The service reports a conflict for ${request}`, '.'],
		[400, `The service rejected ${request}`, ', or there is no such contact.'],
		[422, `The service rejected ${request}`, ', or there is no such contact.'],
	])('%d without a word: perhaps the address', (statusCode, message, end) => {
		const advice = `Perhaps another contact has the email address ${email}${end}`;
		expect(explained(answered(statusCode))).toEqual({ message, advice });
	});

	test.each<[string, Facts, { email?: string }]>([
		['no address was changed', answered(409), {}],
		['no address was changed, though one is spoken of', answered(409, { code: 'EMAIL_TAKEN' }), {}],
		['the service says something else', answered(422, { message: 'Too many tags' }), { email }],
		['the service gives another code', answered(409, { code: 'LOCKED' }), { email }],
		['it is not about the content', answered(403), { email }],
		['the service failed', answered(500, { message: 'Contact not found' }), { email }],
		['there was no answer', lost, { email }],
	])('nothing more than the answer says: %s', (_what, facts, fields) => {
		expect(explained(facts, fields)).toBeUndefined();
	});
});
