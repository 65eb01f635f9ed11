/** What a failed request means, in words: no more than the response, or its absence, proves. */
import { maxNameLength, shorten } from '../text/plainText';
import type { Explanation, FailureDetails, FailureKind } from './failure';

type Describe = (details: FailureDetails) => Explanation;

export function describeFailure(details: FailureDetails): Explanation {
	const { kind, statusCode = 0, location, request } = details;
	if (kind !== 'status') return byKind[kind](details);
	const known = byStatus[statusCode];
	if (known) return known(details);
	if (statusCode >= 500 || statusCode === 408) {
		return { message: `The service failed to process ${request}`, advice: 'Try again later.' };
	}
	if (statusCode < 400) {
		return {
			message: `The service redirects to ${location ?? 'another address'}`,
			advice:
				"The API key is sent to no other address. Check 'Base URL' in the credential: it has to be the address of the service itself, with https:// if it has that.",
		};
	}
	return { message: `The service rejected ${request}` };
}

const byKind: Record<FailureKind, Describe> = {
	unreachable: ({ host, networkCode }) => ({
		message: `${host} could not be reached (${networkCode})`,
		advice: "Check 'Base URL' in the credential, and that n8n can reach the service.",
	}),
	untrusted: ({ host, networkCode }) => ({
		message: `${host} offers no secure connection (${networkCode})`,
		advice:
			"Nothing was sent. Check 'Base URL' in the credential and the certificate of the service. If that is signed by an authority of your own, set NODE_EXTRA_CA_CERTS for n8n.",
	}),
	// Without the code in the title: on a node that calls this workflow, n8n would replace it.
	noResponse: ({ host, networkCode }) => ({
		message: `No response came from ${host}`,
		advice: `The network error was ${networkCode}. If the service is slow, raise the option 'Timeout (Seconds)'.`,
	}),
	unreadable: describeContent,
	unexpected: describeContent,
	n8n: ({ request, detail }) => ({
		message: `n8n did not send ${request}: ${detail}`,
		advice: 'Check the credential and the network settings of n8n.',
	}),
	noRoom: ({ request }) => ({
		message: `${request} was not sent: other requests with this API key are using up the rate limit`,
		advice: 'Try again in a minute.',
	}),
};

function describeContent({ request, detail = '' }: FailureDetails): Explanation {
	return {
		message: `The service responded to ${request} with ${shorten(detail, maxNameLength)}`,
		advice:
			"If another site responded, such as a login page, correct 'Base URL' in the credential.",
	};
}

const byStatus: Record<number, Describe> = {
	401: ({ mode }) => ({
		message: 'The service rejected the API key',
		advice: `Check that the key in the credential is complete and still valid. ${describeMode(mode)}`,
	}),
	403: ({ request, mode }) => ({
		message: `The service doesn't allow ${request} with this API key`,
		advice: `Check what the key in the credential may be used for, and that no firewall or proxy rejects requests of n8n. ${describeMode(mode)}`,
	}),
	404: ({ request }) => ({
		message: `The service responded to ${request} with “not found”`,
		advice: "Check that 'Base URL' in the credential includes the version segment, e.g. /api/v1.",
	}),
	429: () => ({
		message: 'The service accepts no more requests with this API key for now',
		advice:
			"Check 'Requests per Minute' and 'Number of n8n Processes' in the credential, and what else uses the key.",
	}),
};

function describeMode(mode: 'test' | 'live'): string {
	return `Its mode is ${mode === 'live' ? 'Live' : 'Test'}: live and test keys address separate data.`;
}
