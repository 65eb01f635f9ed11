import {
	credentialProblem,
	normalizedBaseUrl,
	parsedUrl,
	type CrmWorkspaceCredential,
} from './credential';

/**
 * Marks a credential that comes with a request of this package's own. A symbol is in nothing that
 * n8n stores or a workflow can say; a registered one is the same for two copies of this module,
 * which there are while n8n updates the package during a run.
 */
const own = Symbol.for('n8n-nodes-crm-workspace.own');

/** A copy of a credential with which `authenticate` lets a request of this package pass. */
export function markedAsOwn(credential: CrmWorkspaceCredential): CrmWorkspaceCredential {
	return { ...credential, [own]: true } as CrmWorkspaceCredential;
}

/**
 * Says in words why a request must not have the key: because another node makes it, because the
 * credential must not be used, or because it goes to somebody else than the service. Returns
 * undefined when nothing is wrong.
 */
export function guardProblem(credential: CrmWorkspaceCredential, url: string): string | undefined {
	if (!(own in credential)) {
		return 'This credential is only for the nodes of CRM Workspace: others, such as HTTP Request, keep the API key in their errors and in the data of the execution. For further operations, use HTTP Request with a Header Auth credential of your own';
	}
	return credentialProblem(credential) ?? addressProblem(credential, parsedUrl(url));
}

function addressProblem(credential: CrmWorkspaceCredential, target?: URL): string | undefined {
	const { protocol, host } = new URL(normalizedBaseUrl(credential));
	return target?.protocol === protocol && target.host === host
		? undefined
		: `This credential is only for ${protocol}//${host}, and not for the address of this request`;
}
