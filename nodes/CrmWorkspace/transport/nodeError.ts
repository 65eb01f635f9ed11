import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import { adviceOnN8n, explain } from './explain';
import type { FailureDetails, FailedAttempt, RaisedFault, RequestFailure } from './failure';
import { plainText, shortened } from './foreignText';
import { duration } from './journal';

/** How many characters the message of an error has at most. */
const longestMessage = 1000;

/** How many characters its description has at most. */
const longestDescription = 2000;

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
	error.context.data = { statusCode, code, message: details.message };
	return saying(message, error);
}

/**
 * The n8n error for a credential that n8n could not load.
 * @param waited for how long it was tried, in ms
 */
export function credentialNotLoaded(
	node: INode,
	raised: RaisedFault,
	{ attempts, waited }: { attempts: number; waited: number },
): NodeOperationError {
	const message = `n8n could not load the credential: ${shortened(raised.message)}`;
	const description = [efforts({ attempts, waited }), adviceOnN8n(raised)]
		.filter(Boolean)
		.join(' ');
	return saying(message, new NodeOperationError(node, message, { description }));
}

/**
 * Sets the message again: n8n replaces one in which it finds a network code, even within a name.
 */
function saying<Error extends NodeApiError | NodeOperationError>(
	message: string,
	error: Error,
): Error {
	error.message = message;
	error.messages = [];
	return error;
}

/** What an error says: what happened, and what to do next. */
interface Words {
	message: string;
	description?: string | null;
}

/** What an error says, as plain text. */
export function inPlainText({ message, description }: Words): Words {
	return {
		message: shortened(plainText(message), longestMessage),
		description: description && shortened(plainText(description), longestDescription),
	};
}

/** All that an error says, as one plain text. */
export function inOneText(words: Words): string {
	const { message, description } = inPlainText(words);
	return description ? `${message}. ${description}` : message;
}

function serviceWords(failed: FailedAttempt): string {
	const { code, shownCode = code, message, statusCode, unreadable } = failed;
	if (statusCode === undefined || unreadable !== undefined) return '';
	const words = [shownCode, message].filter(Boolean).join(': ');
	if (words === '') return `The service gave no reason (HTTP ${statusCode}).`;
	return `The service says: ${words}${/[.!?…”]$/.test(words) ? '' : '.'}`;
}

type Efforts = Pick<FailureDetails, 'attempts' | 'waited' | 'isAskedTooMuch' | 'askedWait'>;

function efforts({ attempts, waited, isAskedTooMuch, askedWait = 0 }: Efforts): string {
	const tried = attempts <= 1 ? '' : `Tried ${attempts} times over ${duration(waited)}. `;
	return isAskedTooMuch ? `${tried}It asks to wait ${duration(askedWait)}.` : tried.trim();
}
