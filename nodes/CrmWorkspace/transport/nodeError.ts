import { NodeApiError, type INode, type JsonObject } from 'n8n-workflow';
import type { FailureDetails, RequestFailure } from './failure';

interface Explanation {
	message: string;
	advice: string;
}

/**
 * The n8n error for a request that failed: what happened, what to do next, the HTTP status, and
 * the service's own code and words.
 */
export function toNodeApiError(
	node: INode,
	{ details }: RequestFailure,
	itemIndex?: number,
): NodeApiError {
	const { message, advice } = explain(details);
	return new NodeApiError(node, {} as JsonObject, {
		message,
		description: [serviceWords(details), advice].filter(Boolean).join(' '),
		httpCode: details.statusCode?.toString(),
		itemIndex,
	});
}

function explain(details: FailureDetails): Explanation {
	const { statusCode, networkCode, unreadable, host, request } = details;
	if (networkCode !== undefined) return explainNetworkFault(networkCode, host);
	if (unreadable !== undefined) {
		return {
			message: `The service answered ${request} with ${unreadable}`,
			advice: 'Check that Base URL in the credential leads to the service and not to another site.',
		};
	}
	if (statusCode !== undefined && statusCode >= 300 && statusCode < 400) {
		return {
			message: `The service redirects to ${details.location ?? 'another address'}`,
			advice:
				'The API key is sent to no other address. If that address is right, make it the Base URL in the credential.',
		};
	}
	return explainStatus(statusCode ?? 0, request);
}

function explainNetworkFault(code: string, host: string): Explanation {
	const advice = 'Check Base URL in the credential and that the service can be reached from n8n.';
	switch (code) {
		case 'ECONNABORTED':
		case 'ETIMEDOUT':
			return {
				message: `${host} did not answer in time`,
				advice: 'Try again later or raise Timeout in the options.',
			};
		case 'ENOTFOUND':
		case 'EAI_AGAIN':
			return { message: `The name ${host} could not be found`, advice };
		default:
			return { message: `${host} could not be reached`, advice: `${advice} (${code})` };
	}
}

function explainStatus(statusCode: number, request: string): Explanation {
	switch (statusCode) {
		case 401:
		case 403:
			return {
				message: 'The service refused the API key',
				advice:
					'Check that the key in the credential is complete, still valid and meant for this address.',
			};
		case 404:
			return {
				message: 'The service does not know this record',
				advice:
					'Check the ID, and that it belongs to the data that the mode of the credential addresses.',
			};
		case 409:
			return { message: 'The service reports a conflict', advice: '' };
		case 413:
			return { message: 'The request is too large for the service', advice: 'Send less content.' };
		case 429:
			return {
				message: 'The service allows no more requests at the moment',
				advice:
					'Check that Requests per Minute in the credential is not above what the service allows.',
			};
		default:
			return statusCode >= 500
				? { message: `The service failed to answer ${request}`, advice: 'Try again later.' }
				: { message: `The service rejected ${request}`, advice: '' };
	}
}

function serviceWords({ serviceCode, serviceMessage, statusCode }: FailureDetails): string {
	const words = [serviceCode, serviceMessage].filter(Boolean).join(': ');
	if (words === '')
		return statusCode === undefined ? '' : `The service gave no reason (HTTP ${statusCode}).`;
	return `The service says: ${words}${/[.!?…”]$/.test(words) ? '' : '.'}`;
}
