import {
	NodeOperationError,
	type IExecuteFunctions,
	type ILoadOptionsFunctions,
	type IPollFunctions,
} from 'n8n-workflow';
import { shortened } from '../../text/plainText';
import { credentialProblem, type CrmWorkspaceCredential } from './credential';

/** Where a node of ours asks the service from: a run, the editor, or a poll. */
export type NodeContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/**
 * The credential that is chosen for the node, read from n8n. Whoever works with it reads it once and
 * passes it on, so that a run has one key from its beginning to its end.
 * @throws what n8n says of it itself, such as that there is none
 * @throws NodeOperationError when n8n could not load it, or when it must not be used
 */
export async function readCredential(context: NodeContext): Promise<CrmWorkspaceCredential> {
	const credential = await context
		.getCredentials<CrmWorkspaceCredential>('crmWorkspaceApi')
		.catch((error: unknown) => {
			throw isInWordsOfN8n(error) ? error : notLoaded(context, error);
		});
	const problem = credentialProblem(credential);
	if (problem) throw new NodeOperationError(context.getNode(), problem);
	return credential;
}

/** All errors that n8n words itself say how serious it finds them. */
function isInWordsOfN8n(error: unknown): boolean {
	return (error as { level?: unknown } | undefined)?.level !== undefined;
}

/** All else comes from what n8n stands on. */
function notLoaded(context: NodeContext, error: unknown): NodeOperationError {
	const reason = error instanceof Error ? shortened(error.message.trim()) : '';
	const message = `n8n could not load the credential: ${reason || 'for a reason unknown'}`;
	const description =
		'The fault is one of n8n itself, not of the service, and nothing was sent. Try again later, and check its database.';
	const problem = new NodeOperationError(context.getNode(), message, { description });
	// n8n replaces a message in which it finds a network code.
	return Object.assign(problem, { message, messages: [] });
}
