import { NodeApiError, type INode } from 'n8n-workflow';
import type { Explanation, FailureDetails, Outcome, RequestFailure } from './failure';
import { duration } from './journal';
import { tooLarge, timedOut } from './exchange';
import { isInsecure, isNoHttp, waitingBudget } from './retry';

/**
 * The n8n error for a request that failed: what happened, what the service says, how often and
 * how long it was tried, and what to do next.
 */
export function toNodeApiError(
	node: INode,
	{ details }: RequestFailure,
	itemIndex?: number,
): NodeApiError {
	const { message, advice } = details.explanation ?? explain(details);
	const { statusCode, code } = details;
	const error = new NodeApiError(
		node,
		{},
		{
			message,
			description: [serviceWords(details), efforts(details), details.doubt, advice]
				.filter(Boolean)
				.join(' '),
			httpCode: statusCode?.toString(),
			itemIndex,
		},
	);
	// n8n replaces messages in which it finds the letters of a network code, even within a name.
	error.message = message;
	error.messages = [];
	error.context.data = { statusCode, code, message: details.message };
	return error;
}

/** Network faults that say that there is nothing at the address. */
const unreachable = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN'];

function explain(details: FailureDetails): Explanation {
	const { statusCode, networkCode, unreadable, isGarbled, location, request } = details;
	if (networkCode !== undefined) return explainNetworkFault(networkCode, details);
	if (unreadable !== undefined) {
		return {
			message: `The service answered ${request} with ${unreadable}`,
			advice: `${isGarbled ? 'Try again later. If that does not help, check' : 'Check'} that Base URL in the credential leads to the service and not to another site.`,
		};
	}
	if (statusCode !== undefined && statusCode >= 300 && statusCode < 400) {
		return {
			message: `The service redirects to ${location ?? 'another address'}`,
			advice:
				'The API key is sent to no other address. If that one is right, make it the Base URL in the credential.',
		};
	}
	return explainStatus(details);
}

function explainNetworkFault(networkCode: string, { host }: FailureDetails): Explanation {
	if (networkCode === timedOut) {
		return {
			message: `${host} did not answer in time`,
			advice: 'Try again later, or raise Timeout in the options.',
		};
	}
	if (networkCode === tooLarge) {
		return {
			message: `${host} answered with more than the node reads`,
			advice: 'Ask for less at a time.',
		};
	}
	if (networkCode === 'ENOTFOUND' || networkCode === 'EAI_AGAIN') {
		return {
			message: `The name ${host} was not found`,
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
	if (!unreachable.includes(networkCode)) {
		return {
			message: `The connection to ${host} broke before its answer was complete`,
			advice: `Try again later (${networkCode}).`,
		};
	}
	return {
		message: `${host} could not be reached`,
		advice: `Check Base URL in the credential, and that the service is up and reachable from n8n (${networkCode}).`,
	};
}

function explainStatus({ statusCode = 0, request, mode }: FailureDetails): Explanation {
	switch (statusCode) {
		case 401:
		case 403:
			return {
				message:
					statusCode === 401
						? 'The service refused the API key'
						: `The service refused ${request} with this API key`,
				advice: `Check that the key in the credential is complete and still valid. Its Mode is ${mode === 'live' ? 'Live' : 'Test'}: live and test keys address separate data.`,
			};
		case 404:
			return {
				message: `The service does not know ${request}`,
				advice: 'Check that Base URL in the credential includes the version segment, e.g. /api/v1.',
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
		default:
			return statusCode >= 500
				? { message: `The service failed to answer ${request}`, advice: 'Try again later.' }
				: { message: `The service rejected ${request}` };
	}
}

function serviceWords(outcome: Outcome): string {
	const { code, shownCode = code, message, statusCode, networkCode, unreadable } = outcome;
	if (networkCode !== undefined || unreadable !== undefined) return '';
	const words = [shownCode, message].filter(Boolean).join(': ');
	if (words === '') return `The service gave no reason (HTTP ${statusCode}).`;
	return `The service says: ${words}${/[.!?…”]$/.test(words) ? '' : '.'}`;
}

function efforts({ attempts, waited, askedWait = 0 }: FailureDetails): string {
	const tried = attempts === 1 ? '' : `Tried ${attempts} times over ${duration(waited)}. `;
	const isTooLong = askedWait > waitingBudget;
	return isTooLong ? `${tried}It asks to wait ${duration(askedWait)}.` : tried.trim();
}
