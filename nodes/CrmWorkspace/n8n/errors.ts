/**
 * Errors and hints as n8n shows them.
 *
 * It relies on this of n8n (seen in 1.85.4, 1.123.81 and 2.40.7): the editor renders both as HTML,
 * and n8n replaces the message of a NodeApiError in which it finds the code of a network error.
 */
import {
	NodeApiError,
	NodeOperationError,
	type IExecuteFunctions,
	type INode,
	type NodeExecutionHint,
} from 'n8n-workflow';
import { RequestFailure, type FailureDetails } from '../client/failure';
import {
	formatDuration,
	maxNameLength,
	shorten,
	toDisplayText,
	toPlainText,
	type ExplainedError,
	type Hint,
} from '../common/text';
import { describeFailure } from './texts';

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
	const { advice: description } = error as Partial<ExplainedError>;
	return new NodeOperationError(node, error as Error, { itemIndex, description });
}

/**
 * The title says what happened; the description what isn't known, what to do, what the service says
 * and how often the request was tried.
 */
function toNodeApiError(node: INode, details: FailureDetails, itemIndex?: number): NodeApiError {
	const { statusCode, unknownOutcome, explanation } = details;
	const [message, advice] = explanation ?? describeFailure(details);
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

function formatServiceReason({ code, message, statusCode = 0, kind }: FailureDetails): string {
	const text = [...new Set([code, message])].filter(Boolean).join(': ');
	if (text !== '') return `The service says: ${text}${/[.!?…”]$/.test(text) ? '' : '.'}`;
	const isError = kind === 'status' && statusCode >= 400;
	return isError ? `The service gave no reason (HTTP ${statusCode}).` : '';
}

function formatAttempts({ attempts, retryAfterMs, kind }: FailureDetails): string {
	if (attempts === 0 && kind !== 'noRoom')
		return 'No request was made, because others failed like this.';
	const tried = attempts > 1 && `Tried ${attempts} times.`;
	const askedMs = kind === 'status' ? retryAfterMs : undefined;
	const asked = askedMs && `The service asks to wait ${formatDuration(askedMs)}.`;
	return [tried, asked].filter(Boolean).join(' ');
}

/** Shows hints above the output in n8n's editor. A tool has none before n8n 1.118. */
export function showHints(context: IExecuteFunctions, hints: Hint[]): void {
	if (!('addExecutionHints' in context)) return;
	const shown = hints.map(({ message, type = 'info' }): NodeExecutionHint => {
		return { message: toDisplayText(message), type, location: 'outputPane' };
	});
	context.addExecutionHints(...shown);
}
