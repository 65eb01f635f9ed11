import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import type { CrmWorkspaceCredential } from '../transport/credential/credential';
import { probe } from '../transport/http/probe';

/**
 * Test of the credential: asks for one contact, with the checks of a run before it. Only a list of
 * contacts as the interface has it tells that the service is there and takes the key; for anything
 * else it says what came instead. Interface: AUTH-1, LIST-2, LIST-3.
 */
export async function testCredential(
	this: ICredentialTestFunctions,
	{ data }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const problem = await probe(this, data as unknown as CrmWorkspaceCredential, {
		path: '/contacts',
		query: { page: 1, limit: 1 },
		isExpected: isListOfContacts,
	});
	if (problem) return { status: 'Error', message: problem };
	return { status: 'OK', message: 'The service took the key and answered with its contacts' };
}

function isListOfContacts(body: unknown): boolean {
	const { data } = (body ?? {}) as { data?: unknown };
	return Array.isArray(data) && data.every(isContact);
}

function isContact(entry: unknown): boolean {
	const { id, email } = (entry ?? {}) as { id?: unknown; email?: unknown };
	return typeof id === 'string' || typeof email === 'string';
}
