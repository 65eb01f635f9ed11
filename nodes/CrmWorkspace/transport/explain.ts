import type { Explanation, FailureDetails, RaisedFault } from './failure';
import { shortened } from './foreignText';
import { isThrottled } from './meaning';
import {
	isBroken,
	isInsecure,
	isNoHttp,
	isUnnamed,
	isUnreachable,
	noRoom,
	timedOut,
	tooLarge,
	tooMuchHeld,
} from './networkCode';

/** What a failure means for any request: no more than the answer, or its absence, proves. */
export function explain(details: FailureDetails): Explanation {
	const { networkCode, raised, isHeldUp, unreadable, isGarbled, location, request } = details;
	if (isHeldUp) {
		return {
			message: `The service's rate limit leaves no room for ${request} for now`,
			advice: 'Try again later. Other executions may use the same API key.',
		};
	}
	if (raised !== undefined) {
		return {
			message: `n8n did not send ${request}: ${shortened(raised.message)}`,
			advice: adviceOnN8n(raised),
		};
	}
	if (networkCode !== undefined) return explainNetworkFault(networkCode, details);
	if (unreadable !== undefined) {
		return {
			message: `The service answered ${request} with ${unreadable}`,
			advice: `${isGarbled ? 'Try again later. If that does not help, check' : 'Check'} that Base URL in the credential leads to the service and not to another site.`,
		};
	}
	if (location !== undefined) {
		return {
			message: `The service redirects to ${location}`,
			advice:
				'The API key is sent to no other address. If that one is right, make it the Base URL in the credential.',
		};
	}
	return explainStatus(details);
}

/** What to do about a fault of n8n itself. */
export function adviceOnN8n({ advice, isTransient }: RaisedFault): string {
	if (advice !== undefined) return shortened(advice);
	return isTransient
		? 'The fault is one of n8n itself, not of the service. Try again later, and check its database.'
		: 'Check the credential, and what is around n8n.';
}

function explainNetworkFault(networkCode: string, { host }: FailureDetails): Explanation {
	if (networkCode === timedOut) {
		return {
			message: `${host} did not answer in time`,
			advice: 'Try again later. A run of the node waits as long as Timeout in its options says.',
		};
	}
	if (networkCode === tooLarge) {
		return {
			message: `${host} answered with more than the node reads`,
			advice: 'Ask for less at a time.',
		};
	}
	if (networkCode === tooMuchHeld) {
		return {
			message: 'The answers to this run are more than the node holds at once',
			advice: 'Set a Limit, or give the node fewer items at a time, such as with Loop Over Items.',
		};
	}
	if (networkCode === noRoom) {
		return {
			message: `Other runs hold so many large answers that the one of ${host} was not read`,
			advice: 'Try again later, and let fewer workflows list so much at the same time.',
		};
	}
	if (isUnnamed(networkCode)) {
		const isUnknown = networkCode === 'ENOTFOUND';
		return {
			message: `The name ${host} ${isUnknown ? 'was not found' : 'could not be looked up'}`,
			advice: 'Check Base URL in the credential.',
		};
	}
	if (isNoHttp(networkCode)) {
		return {
			message: `${host} answered with something that is not HTTP`,
			advice: `Check Base URL in the credential, its port included (${networkCode}).`,
		};
	}
	if (isInsecure(networkCode)) {
		return {
			message: `No secure connection to ${host} could be made`,
			advice: `Check Base URL in the credential, and the certificate of the service (${networkCode}).`,
		};
	}
	if (isUnreachable(networkCode)) {
		return {
			message: `${host} could not be reached`,
			advice: `Check Base URL in the credential, and that the service is up and reachable from n8n (${networkCode}).`,
		};
	}
	return {
		message: isBroken(networkCode)
			? `The connection to ${host} broke before its answer was complete`
			: `No answer came from ${host}`,
		advice: `Try again later (${networkCode}).`,
	};
}

function explainStatus(details: FailureDetails): Explanation {
	const { statusCode = 0, request, mode } = details;
	switch (statusCode) {
		case 401:
			return {
				message: 'The service refused the API key',
				advice: `Check that the key in the credential is complete and still valid. ${keyData(mode)}`,
			};
		case 403:
			return {
				message: `The service refused ${request} with this API key`,
				advice: `Check that the key in the credential is the right one, and what it may be used for. ${keyData(mode)}`,
			};
		case 404:
			return {
				message: `The service answered ${request} with “not found”`,
				advice: 'Check that Base URL in the credential includes the version segment, e.g. /api/v1.',
			};
		case 407:
			return {
				message: `A proxy on the way to the service refused ${request}: it wants a login`,
				advice: "Check the proxy of n8n's environment, its user name and password included.",
			};
		case 409:
			return { message: `The service reports a conflict for ${request}` };
		case 413:
			return { message: `The service finds ${request} too large`, advice: 'Send less content.' };
		case 429:
			return {
				message: 'The service allows no more requests for now',
				advice: 'Check Requests per Minute in the credential, and what else uses the same API key.',
			};
		case 408:
			return { message: `The service gave up waiting for ${request}`, advice: 'Try again later.' };
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
	if (statusCode >= 300 && statusCode < 400) {
		return {
			message: `The service answered ${request} with HTTP ${statusCode}, which leads nowhere`,
			advice: 'Check Base URL in the credential.',
		};
	}
	return { message: `The service rejected ${request}` };
}

function keyData(mode: 'test' | 'live'): string {
	return `Its Mode is ${mode === 'live' ? 'Live' : 'Test'}: live and test keys address separate data.`;
}
