/**
 * What errors and hints say of the credential and of requests: of a failure no more than the
 * response, or its absence, proves.
 */
import type { FailureDetails, FailureKind } from '../client/failure';
import type { Waits } from '../client/request';
import {
	formatDuration,
	maxNameLength,
	shorten,
	type Explanation,
	type Texts,
} from '../common/text';

/** Of the credential. None shows the key. */
export const texts = {
	invalidUrl:
		"'Base URL' in the credential isn't the address of a service. Enter one like https://crm.example.com/api/v1",
	unencrypted:
		"'Base URL' in the credential begins with http://, which would send a live key unencrypted. Use https://",
	invalidRate:
		"'Requests per Minute' or 'Number of n8n Processes' in the credential is not a number of at least 1, or there are more processes than requests. Enter what the service allows this key, and how many n8n processes use it",
	keyOfMode: (mode: Mode, chosen: Mode) =>
		`'API Key' in the credential is a ${mode} key, but 'Mode' is ${modeNames[chosen]}. Change one of them`,
	invalidKey: (prefix: string) =>
		`'API Key' in the credential is not a key that begins with ${prefix}. Enter the key alone, without Bearer and without quotes`,
	ownNodesOnly:
		'This credential works only with the CRM Workspace nodes: others, such as HTTP Request, store the API key with their errors and execution data. For other requests, use HTTP Request with a Header Auth credential',
	ownAddressesOnly: (baseUrl: string) =>
		`This credential works only with addresses that begin with ${baseUrl}/`,
	works: 'The service accepted the key and listed its contacts',
	severalCredentials: [
		'The credential has an expression that differs between the items',
		'Nothing was done. A run has one credential: put Loop Over Items with a batch size of 1 before this node, or call a sub-workflow for the items of each workspace.',
	],
} satisfies Texts;

type Mode = FailureDetails['mode'];

const modeNames = { test: 'Test', live: 'Live' };

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

function describeMode(mode: Mode): string {
	return `Its mode is ${modeNames[mode]}: live and test keys address separate data.`;
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
