import { describe, expect, test } from '@jest/globals';
import {
	explainSend,
	explainUpdate,
	keyFinding,
	originalFailed,
	type KeyFinding,
} from '../../nodes/CrmWorkspace/service/explanations';
import type { FailureDetails } from '../../nodes/CrmWorkspace/transport/failure';

const id = '7c9a1d52-6b1f-4f0e-9b1d-0c2f5a7e4d33';
const email = 'ada@example.com';

const failed = (facts: Partial<FailureDetails>): FailureDetails => ({
	request: 'POST /transactional/send',
	host: 'crm.example.com',
	mode: 'test',
	attempts: 1,
	waited: 0,
	...facts,
});

/** An earlier attempt that may have reached the service. */
const earlier = { networkCode: 'ECONNRESET' };

describe('what a failed send tells of its idempotency key', () => {
	test.each<[string, Partial<FailureDetails>, KeyFinding]>([
		['the original send failed', { statusCode: 409, code: 'IDEMPOTENT_REPLAY' }, 'failed'],
		[
			'the original failed, after an answer was lost',
			{ statusCode: 409, code: 'IDEMPOTENT_REPLAY', earlier },
			'failed',
		],
		['other content', { statusCode: 409, code: 'IDEMPOTENCY_KEY_REUSED' }, 'other'],
		['one of both', { statusCode: 409 }, 'unclear'],
		['nothing certain after an answer was lost', { statusCode: 409, earlier }, 'unknown'],
		['nothing in another conflict', { statusCode: 409, code: 'LOCKED' }, 'untouched'],
		[
			'nothing certain in another conflict after an answer was lost',
			{ statusCode: 409, code: 'LOCKED', earlier },
			'unknown',
		],
		['refused', { statusCode: 422 }, 'refused'],
		[
			'refused, with a code of a conflict',
			{ statusCode: 422, code: 'IDEMPOTENT_REPLAY' },
			'refused',
		],
		['nothing certain: the answer was lost', { networkCode: 'ECONNRESET' }, 'unknown'],
		['nothing certain: the service failed', { statusCode: 500 }, 'unknown'],
		['nothing: it was not sent', { isHeldUp: true }, 'untouched'],
		['nothing: the limit of requests', { statusCode: 429 }, 'untouched'],
	])('%s', (_what, facts, finding) => {
		expect(keyFinding(failed(facts))).toBe(finding);
	});
});

describe('what a failed send means', () => {
	test('a failed original: nothing was delivered, and a new key is needed', () => {
		const details = failed({ statusCode: 409, code: 'IDEMPOTENT_REPLAY' });
		expect(explainSend(details, true)).toBe(originalFailed);
		expect(originalFailed.advice).toBe(
			'Nothing was delivered under its idempotency key. A new one is needed to send it again.',
		);
	});

	test.each<[string | undefined, string]>([
		['Conflict', 'The service reports a conflict for this message'],
		[undefined, 'The service reports a conflict for this message, and does not say which'],
	])('a conflict without a code, in the words %j: perhaps the key', (message, expected) => {
		const explanation = explainSend(failed({ statusCode: 409, message }), true);
		expect(explanation?.message).toBe(expected);
		expect(explanation?.advice).toMatch(/^Perhaps it knows the idempotency key .*failed, or/);
	});

	test.each<[string, Partial<FailureDetails>, boolean]>([
		['a conflict without a key', { statusCode: 409 }, false],
		['a conflict with another code', { statusCode: 409, code: 'LOCKED' }, true],
		[
			'a key that was used for other content',
			{ statusCode: 409, code: 'IDEMPOTENCY_KEY_REUSED' },
			true,
		],
		[
			'the code of a conflict in what is none',
			{ statusCode: 422, code: 'IDEMPOTENT_REPLAY' },
			true,
		],
		['a refusal', { statusCode: 422 }, true],
		['no answer', { networkCode: 'ECONNRESET' }, true],
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
		const explanation = explainSend(failed({ statusCode: 404, message }), true);
		expect(explanation?.message).toBe(expected);
		expect(explanation?.advice).toMatch(/^Nothing was sent\. Check .*Base URL/);
	});
});

describe('what a failed update means', () => {
	const request = `PUT /contacts/${id}`;
	const explained = (facts: Partial<FailureDetails>, fields: { email?: string } = { email }) =>
		explainUpdate(failed({ request, ...facts }), id, fields);

	test.each<Partial<FailureDetails>>([
		{ statusCode: 404 },
		{ statusCode: 410 },
		{ statusCode: 404, message: 'Not found' },
		{ statusCode: 410, message: 'Gone' },
		{ statusCode: 404, message: 'Contact not found' },
		{ statusCode: 400, message: 'Contact not found' },
		{ statusCode: 422, code: 'CONTACT_NOT_FOUND' },
	])('there is no such contact: %j', (facts) => {
		const explanation = explained(facts);
		expect(explanation?.message).toBe(`The service knows no contact with the ID ${id}`);
		expect(explanation?.advice).toMatch(/^It may be deleted, or .*check Base URL/);
	});

	test.each<[Partial<FailureDetails>, string]>([
		[{ statusCode: 409, code: 'EMAIL_TAKEN' }, 'Nothing was changed.'],
		[{ statusCode: 422, message: 'email has already been taken' }, 'Nothing was changed.'],
		[
			{ statusCode: 409, code: 'EMAIL_TAKEN', earlier },
			'An earlier attempt may have changed this contact.',
		],
	])('another contact has the address: %j', (facts, consequence) => {
		expect(explained(facts)).toEqual({
			message: `The email address ${email} is already used by another contact`,
			advice: `Each email address belongs to one contact of the workspace: take it from the other one first, or leave Email out. ${consequence}`,
		});
	});

	test('something is not found, and it is not said to be the contact', () => {
		const explanation = explained({ statusCode: 404, message: 'No route matches' });
		expect(explanation?.message).toBe(`The service answered ${request} with “not found”`);
		expect(explanation?.advice).toMatch(/^Check the ID of the contact, .*Base URL/);
	});

	test.each([
		[409, `The service reports a conflict for ${request}`, '.'],
		[400, `The service rejected ${request}`, ', or there is no such contact.'],
		[422, `The service rejected ${request}`, ', or there is no such contact.'],
	])('%d without a word: perhaps the address', (statusCode, message, end) => {
		const advice = `Perhaps another contact has the email address ${email}${end}`;
		expect(explained({ statusCode })).toEqual({ message, advice });
	});

	test.each<[string, Partial<FailureDetails>, { email?: string }]>([
		['no address was changed', { statusCode: 409 }, {}],
		[
			'no address was changed, though one is spoken of',
			{ statusCode: 409, code: 'EMAIL_TAKEN' },
			{},
		],
		['the service says something else', { statusCode: 422, message: 'Too many tags' }, { email }],
		['the service gives another code', { statusCode: 409, code: 'LOCKED' }, { email }],
		['it is not about the content', { statusCode: 403 }, { email }],
		['the service failed', { statusCode: 500, message: 'Contact not found' }, { email }],
		['there was no answer', { networkCode: 'ECONNRESET' }, { email }],
	])('nothing more than the answer says: %s', (_what, facts, fields) => {
		expect(explained(facts, fields)).toBeUndefined();
	});
});
