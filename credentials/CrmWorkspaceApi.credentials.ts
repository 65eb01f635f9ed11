/**
 * The credential type: address of the service, API key, test or live mode, and rate limit. The API
 * key goes only to requests of this package's nodes. n8n/credential.ts validates credentials.
 */
import {
	UserError,
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type Icon,
	type IHttpRequestOptions,
	type INodeProperties,
} from 'n8n-workflow';
import {
	findRequestProblem,
	getAuthHeader,
	type CrmWorkspaceCredential,
} from '../nodes/CrmWorkspace/n8n/credential';

export class CrmWorkspaceApi implements ICredentialType {
	name = 'crmWorkspaceApi';

	displayName = 'CRM Workspace API';

	icon: Icon = {
		light: 'file:../nodes/CrmWorkspace/crmWorkspace.svg',
		dark: 'file:../nodes/CrmWorkspace/crmWorkspace.dark.svg',
	};

	documentationUrl = 'https://www.npmjs.com/package/n8n-nodes-crm-workspace#credential';

	/** Older n8n versions ignore this; there `authenticate` alone refuses other nodes. */
	restrictToSupportedNodes = true as const;

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://crm.example.com/api/v1',
			description: 'Address of the service with its version segment, such as /api/v1',
		},
		{
			displayName: 'Mode',
			name: 'mode',
			type: 'options',
			options: [
				{ name: 'Live', value: 'live', description: 'Production data, with a key sk_live_…' },
				{ name: 'Test', value: 'test', description: 'Test data, with a key sk_test_…' },
			],
			default: 'test',
			description:
				'Which data to use. Put LIVE into the name of a live credential: n8n preselects the newest credential in new nodes',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
		},
		{
			displayName: 'Authentication Header',
			name: 'authHeader',
			type: 'options',
			options: [
				{ name: 'Authorization: Bearer', value: 'authorization' },
				{ name: 'X-API-Key', value: 'xApiKey' },
			],
			default: 'authorization',
			description:
				'How to send the key. The service accepts both: change it only if a proxy removes the first',
		},
		{
			displayName: 'Requests per Minute',
			name: 'requestsPerMinute',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 60,
			description: 'How many requests per minute the service allows for this key',
		},
		{
			displayName: 'Number of n8n Processes',
			name: 'processes',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 1,
			description:
				'How many n8n processes share this key, such as the workers in queue mode. Each uses its part of the requests per minute',
		},
	];

	/**
	 * Adds the API key to a request of this package's nodes: other nodes store the request with its
	 * headers in errors and executions. The credential test makes its request itself.
	 * @throws UserError that says what is wrong and never shows the key
	 */
	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		const credential = credentials as unknown as CrmWorkspaceCredential;
		const problem = findRequestProblem(credential, requestOptions.url);
		if (problem) throw new UserError(problem);
		return {
			...requestOptions,
			headers: { ...requestOptions.headers, ...getAuthHeader(credential) },
			disableFollowRedirect: true,
		};
	};
}
