import { createRequire } from 'node:module';

/** Of n8n, as `test/models/sends/n8n.mts` loads it, what a use of the package outside of executions takes. */
const require = createRequire(import.meta.url);

export const { CredentialTestContext, LoadOptionsContext } =
	require('n8n-core') as typeof import('n8n-core');

export const { ApplicationError, BaseError, ICredentialsHelper } =
	require('n8n-workflow') as typeof import('n8n-workflow');
