import { describe, expect, test } from '@jest/globals';
import {
	explainSend,
	explainUpdate,
	keyFinding,
	originalFailed,
	type KeyFinding,
} from '../../nodes/CrmWorkspace/service/explanations';
import type { SendRequest } from '../../nodes/CrmWorkspace/service/records';
import type {
	FailedAttempt,
	FailureDetails,
} from '../../nodes/CrmWorkspace/transport/failure';
import { answered, lost } from '../support/simulated/attempts.mts';

const id = '7c9a1d52-6b1f-4f0e-9b1d-0c2f5a7e4d33';
const email = 'ada@example.com';

/** What is told of a failed attempt, and of those before it. */
type Facts = FailedAttempt & Pick<Partial<FailureDetails>, 'earlier'>;

const failed = (facts: Facts, request = 'POST /transactional/send'): FailureDetails => ({
	request,
	host: 'crm.example.com',
	mode: 'test',
	attempts: 1,
	sinceFirstFailure: 0,
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
			'failedNow',
		],
		['other content', answered(409, { code: 'IDEMPOTENCY_KEY_REUSED' }), 'otherContent'],
		['nothing in a conflict without a code', answered(409), 'untouched'],
		['nothing certain after an answer was lost', answered(409, { earlier }), 'lost'],
		['nothing in another conflict', answered(409, { code: 'LOCKED' }), 'untouched'],
		[
			'nothing certain in another conflict after an answer was lost',
			answered(409, { code: 'LOCKED', earlier }),
			'lost',
		],
		['turned down', answered(422), 'turnedDown'],
		[
			'turned down, with a code of a conflict',
			answered(422, { code: 'IDEMPOTENT_REPLAY' }),
			'turnedDown',
		],
		['nothing certain: the answer was lost', lost, 'lost'],
		['nothing certain: the service failed', answered(500), 'lost'],
		['nothing: it was not sent', { kind: 'noRoom' }, 'untouched'],
		['nothing: the limit of requests', answered(429), 'untouched'],
	])('%s', (_what, facts, finding) => {
		expect(keyFinding(failed(facts))).toBe(finding);
	});
});

describe('what a failed send means', () => {
	const keyed = { to: email, idempotencyKey: 'order-1042' };

	test('a failed original: nothing was delivered, and what sends it under a new key', () => {
		const details = failed(answered(409, { code: 'IDEMPOTENT_REPLAY' }));
		expect(explainSend(details, keyed)).toBe(originalFailed);
		expect(originalFailed.advice).toBe(
			'Nothing was delivered under its idempotency key. To send it again, set If Original Send Failed in the options to Send Again.',
		);
	});

	test.each<[string | undefined, string]>([
		['Conflict', 'The service reports a conflict for this message'],
		[undefined, 'The service reports a conflict for this message, and does not say which'],
	])('a conflict without a code, in the words %j: perhaps the key', (message, expected) => {
		const explanation = explainSend(failed(answered(409, { message })), keyed);
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
		expect(explainSend(failed(facts), hasKey ? keyed : { to: email })).toBeUndefined();
	});

	const inline = { to: email, html: '<p>Hello</p>', subject: 'Hello' };
	const template = { to: email, templateSlug: 'welcom' };
	const slug = 'Check Template Slug: test and live data are separate.';
	const baseUrl =
		'Check that Base URL in the credential includes the version segment, e.g. /api/v1.';
	const notFound = 'The service answered POST /transactional/send with “not found”';

	test.each<[string, SendRequest, string, string]>([
		[
			"There is no template 'welcom'",
			template,
			'The service does not know the template “welcom”',
			slug,
		],
		[
			'Channel not found',
			{ ...template, channelId: id },
			`The service does not know the channel “${id}”`,
			'Check Channel ID: test and live data are separate.',
		],
		[
			'Unknown template or contact',
			{ ...template, channelId: id, contactId: id },
			`The service does not know the template “welcom” or the contact “${id}”`,
			'Check Template Slug and Contact ID: test and live data are separate.',
		],
		['Not found', template, notFound, `${baseUrl} If it does, c${slug.slice(1)}`],
		['Not found', inline, notFound, baseUrl],
		['Cannot POST /transactional/send', inline, notFound, baseUrl],
		['Template not found', inline, notFound, baseUrl],
	])('%s, of %j: what to check, and nothing that is empty', (said, sent, message, advice) => {
		const explanation = explainSend(failed(answered(404, { message: said })), sent);
		expect(explanation).toEqual({ message, advice: `Nothing was sent for this item. ${advice}` });
	});

	test.each([404, 422])(
		'a refusal (%d) after an attempt that may have arrived does not say that nothing was sent',
		(status) => {
			const earlier = { kind: 'timedOut' } as const;
			const message = 'No value and no default for: total';
			const explanation = explainSend(
				{ ...failed(answered(status, { message })), earlier },
				template,
			);
			expect(explanation?.advice).toMatch(/^(Check|Add) /);
		},
	);

	// Interface: SEND-12, ERROR-1, OPEN-14.
	test.each<[string, string]>([
		['orderNumber, total', 'Add a variable for each: orderNumber, total.'],
		['total', 'Add a variable for it: total.'],
	])('tokens without a value: %s', (tokens, advice) => {
		const message = `No value and no default for: ${tokens}`;
		const details = failed(answered(422, { code: 'MISSING_VARIABLES', message }));
		expect(explainSend(details, { ...template, variables: { name: 'Ada' } })).toEqual({
			message: 'The message has tokens without a value',
			advice: `Nothing was sent for this item. ${advice}`,
		});
		expect(explainSend(details, { ...template, variables: { total: 5 } })).toBeUndefined();
		expect(explainSend(failed(answered(500, { message })), template)).toBeUndefined();
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
			advice: `${consequence} Each email address belongs to one contact of the workspace: take it from the other one first, or leave Email out.`,
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
