/**
 * What errors and hints say of the credential and of requests: of a failure no more than the
 * response, or its absence, proves.
 */
import { mayHaveBegun, type FailureDetails, type FailureKind } from '../client/failure';
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
		`'API Key' in the credential isn't a key of the form ${prefix}…. Enter the key alone, without Bearer, without spaces and without quotes`,
	ownNodesOnly:
		'This credential works only with the CRM Workspace nodes: others, such as HTTP Request, store the API key with their errors and execution data. For other requests, use HTTP Request with a Header Auth credential',
	ownAddressesOnly: (baseUrl: string) =>
		`This credential works only with addresses that begin with ${baseUrl}/`,
	usedLiveKey: (name: string) =>
		`This run used the live key of the credential “${shorten(name, maxNameLength)}”`,
	works: 'The service accepted the key and listed its contacts',
	testFailed: 'The test of the credential failed',
	severalCredentials: [
		'The credential has an expression that differs between the items',
		'Nothing was done. A run has one credential: put Loop Over Items with a batch size of 1 before this node, or call a sub-workflow for the items of each workspace.',
	],
} satisfies Texts;

type Mode = FailureDetails['mode'];

const modeNames = { test: 'Test', live: 'Live' };

type Describe = (details: FailureDetails) => Explanation;

/** Why a request failed, in words that finish “The message wasn't sent: …”, and what to do. */
export function describeFailure(details: FailureDetails): Explanation {
	const { kind, statusCode = 0, location } = details;
	if (kind !== 'status') return byKind[kind](details);
	const known = byStatus[statusCode];
	if (known) return known(details);
	if (statusCode >= 500 || statusCode === 408) {
		return ['the service failed to process the request', 'Try again later.'];
	}
	if (statusCode < 400) {
		return [
			`the service redirects to ${location ?? 'another address'}`,
			"Check 'Base URL' in the credential: it has to be the address of the service itself, with https:// if it has that, because the API key is sent to no other address.",
		];
	}
	return ['the service rejected the request'];
}

/** Why the outcome is unknown: a last attempt that did nothing isn't the reason. */
export function explainUnknown(reason: string, lastAttempt: FailureDetails): string {
	const isReason = lastAttempt.attempts > 0 && mayHaveBegun(lastAttempt);
	return isReason ? reason : `an earlier attempt got no clear response, then ${reason}`;
}

const byKind: Record<FailureKind, Describe> = {
	unreachable: ({ host }) => [
		`${host} could not be reached`,
		"Check 'Base URL' in the credential, and that n8n can reach the service.",
	],
	untrusted: ({ host }) => [
		`${host} offers no secure connection`,
		"Check 'Base URL' in the credential and the certificate of the service; if that is signed by an authority of your own, set NODE_EXTRA_CA_CERTS for n8n.",
	],
	noResponse: ({ host }) => [
		`no response came from ${host}`,
		"If the service is slow, raise the option 'Timeout (Seconds)'.",
	],
	unreadable: describeContent,
	unexpected: describeContent,
	notSent: ({ detail }) => [
		`n8n made no request: ${detail}`,
		'Check the credential and the network settings of n8n.',
	],
	noRoom: ({ retryAfterMs }) => [
		retryAfterMs
			? 'the service is throttling this API key'
			: 'other requests with this API key are using up the rate limit',
		`Try again in ${retryAfterMs ? formatDuration(retryAfterMs) : 'a minute'}.`,
	],
};

function describeContent({ detail = '' }: FailureDetails): Explanation {
	return [
		`the service responded with ${shorten(detail, maxNameLength)}`,
		"If another site responded, such as a login page, correct 'Base URL' in the credential.",
	];
}

const byStatus: Record<number, Describe> = {
	401: ({ mode }) => [
		'the service rejected the API key',
		`Check that the key in the credential is complete and still valid, and its mode (${modeNames[mode]}): live and test keys address separate data.`,
	],
	403: ({ mode }) => [
		"the service doesn't allow it with this API key",
		`Check what the key in the credential may be used for, its mode (${modeNames[mode]}), and that no firewall or proxy rejects requests of n8n.`,
	],
	404: () => [
		'the service responded with “not found”',
		"Check that 'Base URL' in the credential includes the version segment, e.g. /api/v1.",
	],
	407: () => [
		'a proxy between n8n and the service rejected the request',
		'Set the user name and the password of the proxy in HTTP_PROXY or HTTPS_PROXY for n8n, or exclude the host of the service with NO_PROXY.',
	],
	429: () => [
		'the service accepts no more requests with this API key for now',
		"Check 'Requests per Minute' and 'Number of n8n Processes' in the credential, and what else uses the key.",
	],
};

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
