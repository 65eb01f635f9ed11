/**
 * Errors and hints as n8n shows them.
 *
 * It relies on this of n8n (seen in 1.85.4, 1.123.81 and 2.41.1): the editor renders both as HTML,
 * and n8n replaces the message of an error in which it finds the code of a network error.
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
import { isTool } from './execution';
import { describeFailure } from './texts';

type NodeError = NodeApiError | NodeOperationError;

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

/** The error that ends a run. Of that of a tool, a model reads the title alone. */
export function toFinalError(node: INode, error: unknown): NodeError {
	const nodeError = toNodeError(node, error);
	if (!isTool(node)) return nodeError;
	const message = toDisplayText(formatError(nodeError));
	return Object.assign(nodeError, { message, description: undefined });
}

/** All that an error says, as one text. */
export function formatError({ message, description }: NodeError): string {
	return [message.replace(/\.$/, ''), description].filter(Boolean).join('. ');
}

function convertError(node: INode, error: unknown, itemIndex?: number): NodeError {
	if (error instanceof RequestFailure) return toNodeApiError(node, error.details, itemIndex);
	if (error instanceof NodeOperationError || error instanceof NodeApiError) return error;
	const { advice: description } = error as Partial<ExplainedError>;
	return new NodeOperationError(node, error as Error, { itemIndex, description });
}

/** The title says what wasn't done, or isn't known, and why; the description what to do, and more. */
function toNodeApiError(node: INode, details: FailureDetails, itemIndex?: number): NodeApiError {
	const { statusCode, outcome, explanation } = details;
	const [reason, advice] = explanation ?? describeFailure(details);
	const code = details.code && shorten(details.code, maxNameLength);
	const said = { statusCode, code, message: details.message && shorten(details.message) };
	// n8n would replace what a model reads of a tool if it had a network code.
	const shown = { ...details, ...said, ...(isTool(node) && { networkCode: undefined }) };
	const parts = [advice, formatResponse(shown)];
	const [message, description] = [`${outcome}: ${reason}`, parts.filter(Boolean).join(' ')];
	const httpCode = statusCode?.toString();
	const error = new NodeApiError(node, {}, { message, description, httpCode, itemIndex });
	error.context.data = said;
	// n8n replaces a message in which it finds a network code, even within a name.
	return Object.assign(error, { message, messages: [] });
}

/** What came of the attempts: the service's own words, or the network's; empty for neither. */
function formatResponse(details: FailureDetails): string {
	const { code, message, statusCode = 0, kind, networkCode, retryAfterMs, attempts } = details;
	const tried = attempts > 1 && `After ${attempts} attempts, the`;
	if (networkCode) {
		const of = attempts === 0 ? ' of another request' : '';
		return `${tried || 'The'} network error${of} was ${networkCode}.`;
	}
	const text = [...new Set([code, message])].filter(Boolean).join(': ');
	if (text === '' && (kind !== 'status' || statusCode < 400))
		return attempts > 1 ? `Tried ${attempts} times.` : '';
	const service = `${attempts === 0 ? 'To another request, the' : tried || 'The'} service`;
	const askedMs = kind === 'status' ? retryAfterMs : undefined;
	const asked = askedMs ? `asks to wait ${formatDuration(askedMs)} and ` : '';
	if (text === '') return `${service} ${asked}gives no reason (HTTP ${statusCode}).`;
	return `${service} ${asked}says: ${text}${/[.!?…]”?$/.test(text) ? '' : '.'}`;
}

/** Shows hints above the output in n8n's editor. A tool has none before n8n 1.118. */
export function showHints(context: IExecuteFunctions, hints: Hint[]): void {
	if (!('addExecutionHints' in context)) return;
	const shown = hints.map(({ message, type = 'info' }): NodeExecutionHint => {
		return { message: toDisplayText(message), type, location: 'outputPane' };
	});
	context.addExecutionHints(...shown);
}
