import { shortened } from '../../text/plainText';
import { isThrottled, type Explanation, type FailureDetails, type FaultKind } from './failure';

/** What a failure means for any request: no more than the answer, or its absence, proves. */
export function explain(details: FailureDetails): Explanation {
	return details.kind === 'status' ? explainStatus(details) : explanations[details.kind](details);
}

const explanations: Record<FaultKind, (details: FailureDetails) => Explanation> = {
	unresolved: ({ host, networkCode }) => ({
		message: `The name ${host} ${networkCode === 'ENOTFOUND' ? 'was not found' : 'could not be looked up'}`,
		advice: 'Check Base URL in the credential.',
	}),
	unreachable: ({ host, networkCode }) => ({
		message: `${host} could not be reached`,
		advice: `Check Base URL in the credential, and that the service is up and reachable from n8n${inBrackets(networkCode)}.`,
	}),
	untrusted: ({ host, networkCode }) => ({
		message: `No secure connection to ${host} could be made`,
		advice: `Nothing was sent. Check Base URL in the credential, and the certificate of the service${inBrackets(networkCode)}.`,
	}),
	insecure: ({ host, networkCode }) => ({
		message: `No secure connection to ${host} could be made`,
		advice: `Nothing was sent. Perhaps the service speaks http:// there, and not https://: check Base URL in the credential, its port included${inBrackets(networkCode)}.`,
	}),
	severed: ({ host, networkCode }) => ({
		message: `The secure connection to ${host} failed`,
		advice: `Ask whoever runs the service: perhaps it wants a certificate of its clients, which this node does not have${inBrackets(networkCode)}.`,
	}),
	noHttp: ({ host, networkCode }) => ({
		message: `${host} answered with something that is not HTTP`,
		advice: `Check Base URL in the credential, its port included${inBrackets(networkCode)}.`,
	}),
	broken: ({ host, networkCode }) => ({
		message: `The connection to ${host} broke before its answer was complete`,
		advice: `Try again later${inBrackets(networkCode)}.`,
	}),
	timedOut: ({ host }) => ({
		message: `${host} did not answer in time`,
		advice: 'Try again later. A run of the node waits as long as Timeout in its options says.',
	}),
	silent: ({ host, networkCode }) => ({
		message: `No answer came from ${host}`,
		advice: `Try again later${inBrackets(networkCode)}.`,
	}),
	tooLarge: ({ host }) => ({
		message: `${host} answered with more than the node reads`,
		advice: 'Ask for less at a time.',
	}),
	garbled: ({ request, words }) => ({
		message: `The service answered ${request} with ${words}`,
		advice:
			'Try again later. If that does not help, check that Base URL in the credential leads to the service and not to another site.',
	}),
	unexpected: ({ request, words }) => ({
		message: `The service answered ${request} with ${words}`,
		advice: 'If it was another site that answered, correct Base URL in the credential.',
	}),
	ofN8n: ({ request, words = '', advice = 'Check the credential, and what is around n8n.' }) => ({
		message: `n8n did not send ${request}: ${shortened(words)}`,
		advice: shortened(advice),
	}),
	noRoom: ({ request }) => ({
		message: `The service's rate limit leaves no room for ${request} for now`,
		advice: 'Try again later. Other executions may use the same API key.',
	}),
};

/** The code of a fault, as something that can be searched for. */
function inBrackets(networkCode?: string): string {
	return networkCode === undefined ? '' : ` (${networkCode})`;
}

function explainStatus(details: FailureDetails): Explanation {
	const { statusCode = 0, request, location } = details;
	const known = statuses[statusCode];
	if (known) return known(details);
	if (location !== undefined) {
		return {
			message: `The service redirects to ${location}`,
			advice:
				'The API key is sent to no other address. If that one is right, make it the Base URL in the credential.',
		};
	}
	if (isThrottled(details)) {
		return {
			message: 'The service takes no requests for now',
			advice:
				'Try again later. If that comes from its rate limit, check Requests per Minute in the credential, and what else uses the same API key.',
		};
	}
	if (statusCode >= 500) {
		return { message: `The service failed to answer ${request}`, advice: 'Try again later.' };
	}
	if (statusCode < 400) {
		return {
			message: `The service answered ${request} with HTTP ${statusCode}, which leads nowhere`,
			advice: 'Check Base URL in the credential.',
		};
	}
	return { message: `The service rejected ${request}` };
}

const statuses: Record<number, (details: FailureDetails) => Explanation> = {
	400: ({ request, host, body }) =>
		typeof body === 'string' && httpsWanted.test(body)
			? {
					message: `${host} takes https:// only`,
					advice: 'Let Base URL in the credential begin with https://.',
				}
			: { message: `The service rejected ${request}` },
	401: ({ mode }) => ({
		message: 'The service refused the API key',
		advice: `Check that the key in the credential is complete and still valid. ${keyData(mode)}`,
	}),
	403: ({ request, mode }) => ({
		message: `The service refused ${request} with this API key`,
		advice: `Check that the key in the credential is the right one, and what it may be used for. ${keyData(mode)}`,
	}),
	404: ({ request }) => ({
		message: `The service answered ${request} with “not found”`,
		advice: 'Check that Base URL in the credential includes the version segment, e.g. /api/v1.',
	}),
	407: ({ request }) => ({
		message: `A proxy on the way to the service refused ${request}: it wants a login`,
		advice: "Check the proxy of n8n's environment, its user name and password included.",
	}),
	408: ({ request }) => ({
		message: `The service gave up waiting for ${request}`,
		advice: 'Try again later.',
	}),
	409: ({ request }) => ({ message: `The service reports a conflict for ${request}` }),
	413: ({ request }) => ({
		message: `The service finds ${request} too large`,
		advice: 'Send less content.',
	}),
	429: () => ({
		message: 'The service allows no more requests for now',
		advice: 'Check Requests per Minute in the credential, and what else uses the same API key.',
	}),
};

/** How nginx, Apache and Go answer a request over http:// at a port for https://. */
const httpsWanted =
	/plain HTTP (request was sent )?to (HTTPS port|an SSL-enabled)|HTTP request to an HTTPS/i;

function keyData(mode: 'test' | 'live'): string {
	return `Its Mode is ${mode === 'live' ? 'Live' : 'Test'}: live and test keys address separate data.`;
}
