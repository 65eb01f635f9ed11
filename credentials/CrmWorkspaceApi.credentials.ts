/**
 * What n8n stores of the service: its address, the API key, whether that is a live or a test key,
 * and how many requests it allows. It adds the key to requests of this package's own nodes, and to
 * no other. What makes a credential right stands in transport/credential/.
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
	authenticationHeader,
	type CrmWorkspaceCredential,
} from '../nodes/CrmWorkspace/transport/credential/credential';
import { guardProblem } from '../nodes/CrmWorkspace/transport/credential/guard';

export class CrmWorkspaceApi implements ICredentialType {
	name = 'crmWorkspaceApi';

	displayName = 'CRM Workspace API';

	icon: Icon = {
		light: 'file:../nodes/CrmWorkspace/crmWorkspace.svg',
		dark: 'file:../nodes/CrmWorkspace/crmWorkspace.dark.svg',
	};

	documentationUrl = 'https://example.com/n8n-nodes-crm-workspace#credential';

	/** An n8n that is older than this refuses other nodes by `authenticate` alone. */
	restrictToSupportedNodes = true as const;

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://crm.example.com/api/v1',
			description: 'Address of the service up to its version, such as /api/v1',
		},
		{
			displayName: 'Mode',
			name: 'mode',
			type: 'options',
			options: [
				{ name: 'Test', value: 'test', description: 'Test data, with a key of sk_test_…' },
				{ name: 'Live', value: 'live', description: 'Production data, with a key of sk_live_…' },
			],
			default: 'test',
			description:
				'Which data this credential is meant for. A key of the other kind is refused, so that a test never reaches real people.',
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
				'How the key is sent. The service takes both: change it only if something between n8n and the service removes the first.',
		},
		{
			displayName: 'Requests per Minute',
			name: 'requestsPerMinute',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 60,
			description: 'How many requests the service allows this key in a minute',
		},
		{
			displayName: 'n8n Processes',
			name: 'processes',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 1,
			description:
				'How many n8n processes use this key: 1, unless n8n has workers (queue mode) or runs more than once. Each takes its part of the requests per minute.',
		},
	];

	/**
	 * Adds the API key to a request of this package's own nodes, and to no other: other nodes keep
	 * the request with its headers in errors and executions, which nothing here could clean. The
	 * credential test does not come by here; it makes its one request itself (`probe`).
	 * @throws UserError that says what is wrong and never shows the key
	 */
	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		const credential = credentials as unknown as CrmWorkspaceCredential;
		const problem = guardProblem(credential, requestOptions.url);
		if (problem) throw new UserError(problem);
		return {
			...requestOptions,
			headers: { ...requestOptions.headers, ...authenticationHeader(credential) },
			disableFollowRedirect: true,
		};
	};
}
