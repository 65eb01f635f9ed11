import { describe, expect, test } from '@jest/globals';
import { explain } from '../../nodes/CrmWorkspace/transport/errors/explain';
import type { FailedAttempt } from '../../nodes/CrmWorkspace/transport/errors/failure';
import { answered } from '../support/simulated/attempts.mts';

const request = 'PUT /contacts/1';
const host = 'crm.example.com';

const explained = (outcome: FailedAttempt, mode: 'test' | 'live' = 'test') =>
	explain({ request, host, mode, attempts: 1, sinceFirstFailure: 0, ...outcome });

/** What happened, and how what to do next begins. */
type Told = [outcome: FailedAttempt, message: string, advice: string | undefined];

const baseUrl = 'Check Base URL in the credential';

describe('each answer is told in words, and what to do next', () => {
	test.each<Told>([
		[
			answered(401),
			'The service refused the API key',
			'Check that the key in the credential is complete',
		],
		[
			answered(403),
			`The service refused ${request} with this API key`,
			'Check that the key in the credential is the right one',
		],
		[
			answered(404),
			`The service answered ${request} with “not found”`,
			'Check that Base URL in the credential includes the version segment',
		],
		[
			answered(407),
			`A proxy on the way to the service refused ${request}: it wants a login`,
			"Check the proxy of n8n's environment",
		],
		[answered(408), `The service gave up waiting for ${request}`, 'Try again later.'],
		[answered(409), `The service reports a conflict for ${request}`, undefined],
		[answered(413), `The service finds ${request} too large`, 'Send less content.'],
		[answered(429), 'The service allows no more requests for now', 'Check Requests per Minute'],
		[
			answered(503, { askedWait: 1 }),
			'The service takes no requests for now',
			'Try again later. If that comes from its rate limit, check Requests per Minute',
		],
		[answered(503), `The service failed to answer ${request}`, 'Try again later.'],
		[answered(500), `The service failed to answer ${request}`, 'Try again later.'],
		[answered(300), `The service answered ${request} with HTTP 300, which leads nowhere`, baseUrl],
		[answered(304), `The service answered ${request} with HTTP 304, which leads nowhere`, baseUrl],
		[answered(399), `The service answered ${request} with HTTP 399, which leads nowhere`, baseUrl],
		[answered(400), `The service rejected ${request}`, undefined],
		[answered(400, { body: { code: 'HTTPS' } }), `The service rejected ${request}`, undefined],
		[answered(400, { body: 'Bad Request' }), `The service rejected ${request}`, undefined],
		[
			answered(400, { body: 'Client sent an HTTP request to an HTTPS server.' }),
			`${host} takes https:// only`,
			'Let Base URL in the credential begin with https://.',
		],
		[answered(422), `The service rejected ${request}`, undefined],
		[answered(499), `The service rejected ${request}`, undefined],
		[
			answered(302, { location: 'https://other.example.com/' }),
			'The service redirects to https://other.example.com/',
			'The API key is sent to no other address.',
		],
		[
			{ kind: 'unexpected', statusCode: 200, words: 'an empty body' },
			`The service answered ${request} with an empty body`,
			'If it was another site that answered, correct Base URL in the credential.',
		],
		[
			{ kind: 'garbled', statusCode: 200, words: 'a web page' },
			`The service answered ${request} with a web page`,
			'Try again later. If that does not help, check that Base URL',
		],
	])('%j', (outcome, message, advice) => {
		const explanation = explained(outcome);
		expect(explanation.message).toBe(message);
		expect(explanation.advice?.slice(0, advice?.length)).toBe(advice);
	});

	test.each([401, 403])('%d: which data the credential addresses', (statusCode) => {
		expect(explained(answered(statusCode)).advice).toMatch(/Its Mode is Test: live and test keys/);
		expect(explained(answered(statusCode), 'live').advice).toMatch(
			/Its Mode is Live: live and test keys/,
		);
	});
});

describe('that no answer came is told in words, and what to do next', () => {
	test.each<Told>([
		[
			{ kind: 'noRoom' },
			`The service's rate limit leaves no room for ${request} for now`,
			'Try again later. Other executions may use the same API key.',
		],
		[
			{ kind: 'timedOut', networkCode: 'ETIMEDOUT' },
			`${host} did not answer in time`,
			'Try again later. A run of the node waits as long as Timeout',
		],
		[
			{ kind: 'tooLarge' },
			`${host} answered with more than the node reads`,
			'Ask for less at a time.',
		],
		[{ kind: 'unresolved', networkCode: 'ENOTFOUND' }, `The name ${host} was not found`, baseUrl],
		[
			{ kind: 'unresolved', networkCode: 'EAI_AGAIN' },
			`The name ${host} could not be looked up`,
			baseUrl,
		],
		[
			{ kind: 'noHttp', networkCode: 'HPE_INVALID_CONSTANT' },
			`${host} answered with something that is not HTTP`,
			`${baseUrl}, its port included (HPE_INVALID_CONSTANT).`,
		],
		[
			{ kind: 'insecure', networkCode: 'EPROTO' },
			`No secure connection to ${host} could be made`,
			'Nothing was sent. Perhaps the service speaks http:// there, and not https://: check Base URL in the credential, its port included (EPROTO).',
		],
		[
			{ kind: 'untrusted', networkCode: 'CERT_HAS_EXPIRED' },
			`No secure connection to ${host} could be made`,
			`Nothing was sent. ${baseUrl}, and the certificate of the service (CERT_HAS_EXPIRED).`,
		],
		[
			{ kind: 'severed', networkCode: 'ERR_SSL_X' },
			`The secure connection to ${host} failed`,
			'Ask whoever runs the service: perhaps it wants a certificate of its clients, which this node does not have (ERR_SSL_X).',
		],
		[
			{ kind: 'unreachable', networkCode: 'ECONNREFUSED' },
			`${host} could not be reached`,
			`${baseUrl}, and that the service is up and reachable from n8n (ECONNREFUSED).`,
		],
		[
			{ kind: 'broken', networkCode: 'ECONNRESET' },
			`The connection to ${host} broke before its answer was complete`,
			'Try again later (ECONNRESET).',
		],
		[
			{ kind: 'silent', networkCode: 'EWHATEVER' },
			`No answer came from ${host}`,
			'Try again later (EWHATEVER).',
		],
		[{ kind: 'silent' }, `No answer came from ${host}`, 'Try again later.'],
		[
			{ kind: 'ofN8n', words: 'blocked' },
			`n8n did not send ${request}: blocked`,
			'Check the credential, and what is around n8n.',
		],
		[
			{ kind: 'ofN8n', words: 'blocked', advice: 'Do so.' },
			`n8n did not send ${request}: blocked`,
			'Do so.',
		],
	])('%j', (outcome, message, advice) => {
		const explanation = explained(outcome);
		expect(explanation.message).toBe(message);
		expect(explanation.advice?.slice(0, advice?.length)).toBe(advice);
	});

	test('what n8n says at length is told in short', () => {
		const long = { words: 'x'.repeat(5000), advice: 'y'.repeat(5000) };
		const { message, advice } = explained({ kind: 'ofN8n', ...long });
		expect(message).toMatch(/: x{500}…$/);
		expect(advice).toMatch(/^y{500}…$/);
	});
});
