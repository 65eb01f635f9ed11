/** What a failed request means, in words: no more than the response, or its absence, proves. */
import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import {
	formatDuration,
	toDisplayText,
	maxNameLength,
	toPlainText,
	shorten,
} from '../text/plainText';
import { RequestFailure, type Explanation, type FailureDetails, type FailureKind } from './failure';

export type NodeError = NodeApiError | NodeOperationError;

/**
 * The one place where errors leave: makes any error one of n8n's, in plain and bounded text, as it
 * contains words of the service and values of the user.
 * @param error its `advice` becomes the description
 */
export function toNodeError(node: INode, error: unknown, itemIndex?: number): NodeError {
	const nodeError = convertError(node, error, itemIndex);
	nodeError.context.itemIndex ??= itemIndex;
	nodeError.message = shorten(toPlainText(nodeError.message));
	nodeError.description &&= toDisplayText(nodeError.description);
	return nodeError;
}

/** All that an error says, as one text. */
export function formatError({ message, description }: NodeError): string {
	return [message, description].filter(Boolean).join('. ');
}

function convertError(node: INode, error: unknown, itemIndex?: number): NodeError {
	if (error instanceof RequestFailure) return toNodeApiError(node, error.details, itemIndex);
	if (error instanceof NodeOperationError || error instanceof NodeApiError) return error;
	const { advice: description } = error as Partial<Explanation>;
	return new NodeOperationError(node, error as Error, { itemIndex, description });
}

/**
 * The title says what happened; the description what isn't known, what to do, what the service says
 * and how often the request was tried.
 */
function toNodeApiError(node: INode, details: FailureDetails, itemIndex?: number): NodeApiError {
	const { statusCode, unknownOutcome, explanation } = details;
	const { message, advice } = explanation ?? describeFailure(details);
	const code = details.code && shorten(details.code, maxNameLength);
	const said = { statusCode, code, message: details.message && shorten(details.message) };
	const serviceSays = formatServiceReason({ ...details, ...said });
	const parts = [unknownOutcome, advice, serviceSays, formatAttempts(details)];
	const description = parts.filter(Boolean).join(' ');
	const httpCode = statusCode?.toString();
	const error = new NodeApiError(node, {}, { message, description, httpCode, itemIndex });
	error.context.data = said;
	// n8n replaces a message in which it finds a network code, even within a name.
	return Object.assign(error, { message, messages: [] });
}

function formatServiceReason({ kind, code, message, statusCode }: FailureDetails): string {
	const text = [...new Set([code, message])].filter(Boolean).join(': ');
	if (text !== '') return `The service says: ${text}${/[.!?…”]$/.test(text) ? '' : '.'}`;
	return kind === 'status' ? `The service gave no reason (HTTP ${statusCode}).` : '';
}

function formatAttempts({ attempts, retryAfterMs, kind }: FailureDetails): string {
	if (attempts === 0 && kind !== 'noRoom')
		return 'No request was made, because others failed like this.';
	const tried = attempts > 1 && `Tried ${attempts} times.`;
	const askedMs = kind === 'status' ? retryAfterMs : undefined;
	const asked = askedMs && `The service asks to wait ${formatDuration(askedMs)}.`;
	return [tried, asked].filter(Boolean).join(' ');
}

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
	noRoom: ({ request, retryAfterMs }) => ({
		message: `${request} was not sent: ${retryAfterMs ? 'the service is throttling this API key' : 'other requests with this API key are using up the rate limit'}`,
		advice: `Try again in ${retryAfterMs ? formatDuration(retryAfterMs) : 'a minute'}.`,
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
	407: ({ request }) => ({
		message: `A proxy between n8n and the service rejected ${request}`,
		advice:
			'It asks for a user name and a password. Set them in HTTP_PROXY or HTTPS_PROXY for n8n, or exclude the host of the service with NO_PROXY.',
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
