import './throwAwayUserFolder.mts';
import 'reflect-metadata';
import { CredentialTestContext } from 'n8n-core';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { CrmWorkspace } from '../../../nodes/CrmWorkspace/CrmWorkspace.node';
import type { CrmWorkspaceCredential } from '../../../nodes/CrmWorkspace/n8n/credential';

/** What n8n shows when the user tests a credential. */
export async function testCredential(values: Partial<CrmWorkspaceCredential>) {
	const defaults = { mode: 'test', authHeader: 'authorization', requestsPerMinute: 60 };
	const data = { ...defaults, ...values } as unknown as ICredentialDataDecryptedObject;
	const { credentialTest } = new CrmWorkspace().methods;
	const decrypted = { id: '1', name: 'CRM', type: 'crmWorkspaceApi', data };
	return await credentialTest.testCredential.call(new CredentialTestContext(), decrypted);
}
