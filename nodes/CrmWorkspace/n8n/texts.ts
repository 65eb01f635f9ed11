/** What a failed request means, in words: no more than the response, or its absence, proves. */
import type { FailureDetails, FailureKind } from '../client/failure';
import type { Waits } from '../client/request';
import { formatDuration, maxNameLength, shorten, type Explanation } from '../common/text';

type Describe = (details: FailureDetails) => Explanation;

export function describeFailure(details: FailureDetails): Explanation {
	const { kind, statusCode = 0, location, request } = details;
	if (kind !== 'status') return byKind[kind](details);
	const known = byStatus[statusCode];
	if (known) return known(details);
	if (statusCode >= 500 || statusCode === 408) {
		return [`The service failed to process ${request}`, 'Try again later.'];
	}
	if (statusCode < 400) {
		return [
			`The service redirects to ${location ?? 'another address'}`,
			"The API key is sent to no other address. Check 'Base URL' in the credential: it has to be the address of the service itself, with https:// if it has that.",
		];
	}
	return [`The service rejected ${request}`];
}

const byKind: Record<FailureKind, Describe> = {
	unreachable: ({ host, networkCode }) => [
		`${host} could not be reached (${networkCode})`,
		"Check 'Base URL' in the credential, and that n8n can reach the service.",
	],
	untrusted: ({ host, networkCode }) => [
		`${host} offers no secure connection (${networkCode})`,
		"Nothing was sent. Check 'Base URL' in the credential and the certificate of the service. If that is signed by an authority of your own, set NODE_EXTRA_CA_CERTS for n8n.",
	],
	// Without the code in the title: on a node that calls this workflow, n8n would replace it.
	noResponse: ({ host, networkCode }) => [
		`No response came from ${host}`,
		`The network error was ${networkCode}. If the service is slow, raise the option 'Timeout (Seconds)'.`,
	],
	unreadable: describeContent,
	unexpected: describeContent,
	notSent: ({ request, detail }) => [
		`n8n did not send ${request}: ${detail}`,
		'Check the credential and the network settings of n8n.',
	],
	noRoom: ({ request, retryAfterMs }) => [
		`${request} was not sent: ${retryAfterMs ? 'the service is throttling this API key' : 'other requests with this API key are using up the rate limit'}`,
		`Try again in ${retryAfterMs ? formatDuration(retryAfterMs) : 'a minute'}.`,
	],
};

function describeContent({ request, detail = '' }: FailureDetails): Explanation {
	return [
		`The service responded to ${request} with ${shorten(detail, maxNameLength)}`,
		"If another site responded, such as a login page, correct 'Base URL' in the credential.",
	];
}

const byStatus: Record<number, Describe> = {
	401: ({ mode }) => [
		'The service rejected the API key',
		`Check that the key in the credential is complete and still valid. ${describeMode(mode)}`,
	],
	403: ({ request, mode }) => [
		`The service doesn't allow ${request} with this API key`,
		`Check what the key in the credential may be used for, and that no firewall or proxy rejects requests of n8n. ${describeMode(mode)}`,
	],
	404: ({ request }) => [
		`The service responded to ${request} with “not found”`,
		"Check that 'Base URL' in the credential includes the version segment, e.g. /api/v1.",
	],
	407: ({ request }) => [
		`A proxy between n8n and the service rejected ${request}`,
		'It asks for a user name and a password. Set them in HTTP_PROXY or HTTPS_PROXY for n8n, or exclude the host of the service with NO_PROXY.',
	],
	429: () => [
		'The service accepts no more requests with this API key for now',
		"Check 'Requests per Minute' and 'Number of n8n Processes' in the credential, and what else uses the key.",
	],
};

function describeMode(mode: 'test' | 'live'): string {
	return `Its mode is ${mode === 'live' ? 'Live' : 'Test'}: live and test keys address separate data.`;
}

/** From this wait on, the user should know of it. */
const longWaitMs = 1000;

/** What the user should know of the waits of a run; undefined if there is nothing to say. */
export function describeWaits(waits: Waits): string | undefined {
	const { waitedMs, throttled, requestsPerMinute } = waits;
	const waited = `The run waited ${formatDuration(waitedMs)} for the rate limit`;
	const isLong = waitedMs >= longWaitMs;
	const ofAll = `of ${requestsPerMinute} requests per minute with this API key`;
	if (throttled === 0) return isLong ? `${waited} ${ofAll}` : undefined;
	const text = `The service throttled requests (${throttled}): check 'Requests per Minute' in the credential, or 'Number of n8n Processes' if several share the API key`;
	return isLong ? `${waited}. ${text}` : text;
}
