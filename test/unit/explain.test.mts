import { describe, expect, test } from '@jest/globals';
import { adviceOnN8n, explain } from '../../nodes/CrmWorkspace/transport/explain';
import {
	Cancelled,
	RequestFailure,
	type FailureDetails,
	type FailedAttempt,
} from '../../nodes/CrmWorkspace/transport/failure';

const request = 'PUT /contacts/1';
const host = 'crm.example.com';

const explained = (outcome: FailedAttempt, mode: 'test' | 'live' = 'test') =>
	explain({ request, host, mode, attempts: 1, waited: 0, ...outcome });

/** What happened, and how what to do next begins. */
type Told = [outcome: FailedAttempt, message: string, advice: string | undefined];

const check = 'Check';
const baseUrl = 'Check Base URL in the credential';

describe('each answer is told in words, and what to do next', () => {
	test.each<Told>([
		[
			{ statusCode: 401 },
			'The service refused the API key',
			'Check that the key in the credential is complete',
		],
		[
			{ statusCode: 403 },
			`The service refused ${request} with this API key`,
			'Check that the key in the credential is the right one',
		],
		[
			{ statusCode: 404 },
			`The service answered ${request} with “not found”`,
			'Check that Base URL in the credential includes the version segment',
		],
		[
			{ statusCode: 407 },
			`A proxy on the way to the service refused ${request}: it wants a login`,
			"Check the proxy of n8n's environment",
		],
		[{ statusCode: 408 }, `The service gave up waiting for ${request}`, 'Try again later.'],
		[{ statusCode: 409 }, `The service reports a conflict for ${request}`, undefined],
		[{ statusCode: 413 }, `The service finds ${request} too large`, 'Send less content.'],
		[
			{ statusCode: 429 },
			'The service allows no more requests for now',
			'Check Requests per Minute',
		],
		[
			{ statusCode: 503, askedWait: 1 },
			'The service takes no requests for now',
			'Try again later. If that comes from its rate limit, check Requests per Minute',
		],
		[{ statusCode: 503 }, `The service failed to answer ${request}`, 'Try again later.'],
		[{ statusCode: 500 }, `The service failed to answer ${request}`, 'Try again later.'],
		[
			{ statusCode: 300 },
			`The service answered ${request} with HTTP 300, which leads nowhere`,
			baseUrl,
		],
		[
			{ statusCode: 304 },
			`The service answered ${request} with HTTP 304, which leads nowhere`,
			baseUrl,
		],
		[
			{ statusCode: 399 },
			`The service answered ${request} with HTTP 399, which leads nowhere`,
			baseUrl,
		],
		[{ statusCode: 400 }, `The service rejected ${request}`, undefined],
		[{ statusCode: 422 }, `The service rejected ${request}`, undefined],
		[{ statusCode: 499 }, `The service rejected ${request}`, undefined],
		[{ statusCode: 200, code: 'QUOTA' }, `The service rejected ${request}`, undefined],
		[
			{ statusCode: 302, location: 'https://other.example.com/' },
			'The service redirects to https://other.example.com/',
			'The API key is sent to no other address.',
		],
		[
			{ statusCode: 200, unreadable: 'an empty body' },
			`The service answered ${request} with an empty body`,
			'Check that Base URL in the credential leads to the service',
		],
		[
			{ statusCode: 200, unreadable: 'a web page', isGarbled: true },
			`The service answered ${request} with a web page`,
			'Try again later. If that does not help, check that Base URL',
		],
	])('%j', (outcome, message, advice) => {
		const explanation = explained(outcome);
		expect(explanation.message).toBe(message);
		expect(explanation.advice?.slice(0, advice?.length)).toBe(advice);
	});

	test.each([401, 403])('%d: which data the credential addresses', (statusCode) => {
		expect(explained({ statusCode }).advice).toMatch(/Its Mode is Test: live and test keys/);
		expect(explained({ statusCode }, 'live').advice).toMatch(
			/Its Mode is Live: live and test keys/,
		);
	});
});

describe('that no answer came is told in words, and what to do next', () => {
	test.each<Told>([
		[
			{ isHeldUp: true },
			`The service's rate limit leaves no room for ${request} for now`,
			'Try again later. Other executions may use the same API key.',
		],
		[
			{ networkCode: 'ETIMEDOUT' },
			`${host} did not answer in time`,
			'Try again later. A run of the node waits as long as Timeout',
		],
		[
			{ networkCode: 'too large' },
			`${host} answered with more than the node reads`,
			'Ask for less at a time.',
		],
		[
			{ networkCode: 'too much held' },
			'The answers to this run are more than the node holds at once',
			'Set a Limit',
		],
		[
			{ networkCode: 'no room' },
			`Other runs hold so many large answers that the one of ${host} was not read`,
			'Try again later, and let fewer workflows',
		],
		[{ networkCode: 'ENOTFOUND' }, `The name ${host} was not found`, baseUrl],
		[{ networkCode: 'EAI_AGAIN' }, `The name ${host} could not be looked up`, baseUrl],
		[
			{ networkCode: 'HPE_INVALID_CONSTANT' },
			`${host} answered with something that is not HTTP`,
			`${baseUrl}, its port included (HPE_INVALID_CONSTANT).`,
		],
		[
			{ networkCode: 'EPROTO' },
			`No secure connection to ${host} could be made`,
			`${baseUrl}, and the certificate of the service (EPROTO).`,
		],
		[
			{ networkCode: 'CERT_HAS_EXPIRED' },
			`No secure connection to ${host} could be made`,
			`${baseUrl}, and the certificate of the service (CERT_HAS_EXPIRED).`,
		],
		...['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN'].map(
			(networkCode): Told => [
				{ networkCode },
				`${host} could not be reached`,
				`${baseUrl}, and that the service is up and reachable from n8n (${networkCode}).`,
			],
		),
		...[
			'ECONNRESET',
			'ECONNABORTED',
			'EPIPE',
			'ERR_STREAM_PREMATURE_CLOSE',
			'Z_DATA_ERROR',
			'ERR__ERROR_FORMAT_PADDING_1',
		].map(
			(networkCode): Told => [
				{ networkCode },
				`The connection to ${host} broke before its answer was complete`,
				`Try again later (${networkCode}).`,
			],
		),
		...['unknown', 'NOT_EPIPE', 'EPIPE_NOT'].map(
			(networkCode): Told => [
				{ networkCode },
				`No answer came from ${host}`,
				`Try again later (${networkCode}).`,
			],
		),
		[
			{ raised: { message: 'blocked', isTransient: false } },
			`n8n did not send ${request}: blocked`,
			check,
		],
	])('%j', (outcome, message, advice) => {
		const explanation = explained(outcome);
		expect(explanation.message).toBe(message);
		expect(explanation.advice?.slice(0, advice?.length)).toBe(advice);
	});

	test.each([
		[
			{ message: 'x', isTransient: true },
			/^The fault is one of n8n itself.* check its database\.$/,
		],
		[{ message: 'x', isTransient: false }, /^Check the credential, and what is around n8n\.$/],
		[{ message: 'x', isTransient: true, advice: 'Do so.' }, /^Do so\.$/],
		[{ message: 'x', isTransient: false, advice: 'y'.repeat(5000) }, /^y{300,600}…$/],
	])('a fault of n8n: %j', (raised, advice) => {
		expect(adviceOnN8n(raised)).toMatch(advice);
	});
});

test('errors that only our own code sees are known by their names', () => {
	expect(new RequestFailure({ request } as FailureDetails)).toMatchObject({
		name: 'RequestFailure',
		message: `${request} failed`,
	});
	expect(new Cancelled()).toMatchObject({
		name: 'Cancelled',
		message: 'The execution was stopped',
		mayHaveBegun: false,
	});
});
