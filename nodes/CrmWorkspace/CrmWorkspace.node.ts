/**
 * The package as n8n sees it: this node with its operations, and the trigger beside it. What they do
 * stands in operations/ and trigger/.
 */
import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { operationProperties, runOperation } from './operations';
import { getContactFields } from './operations/updateContact/mapping';
import { searchContacts } from './operations/updateContact/searchContacts';
import { failAll } from './operations/runItems';
import { toFinalError } from './n8n/errors';
import { hidesErrors, useOwnCall } from './n8n/execution';
import { testCredential } from './n8n/testCredential';

export class CrmWorkspace implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'CRM Workspace',
		name: 'crmWorkspace',
		icon: { light: 'file:crmWorkspace.svg', dark: 'file:crmWorkspace.dark.svg' },
		group: ['output'],
		version: 1,
		subtitle:
			'={{ ($parameter["operation"] === "list" ? "List: " + $parameter["collection"] : $parameter["operation"]).replace(/(?<=[a-z])[A-Z]/g, " $&").replace(/^[a-z]| [a-z]/g, (letter) => letter.toUpperCase()) }}',
		description: 'Send transactional emails, update contacts and list records',
		defaults: { name: 'CRM Workspace' },
		usableAsTool: true,
		builderHint: {
			searchHint:
				"Transactional messages to one recipient each: not for marketing, no attachments. It can't create contacts. Retries of an execution send nothing twice; to send once across executions, set 'Idempotency Key' to Custom, with a key of the event such as order-1042-shipped.",
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'crmWorkspaceApi', required: true, testedBy: 'testCredential' }],
		properties: [
			// Never shown: n8n names a node after its operation only where that belongs to a resource, and
			// offers the operations of a resource by its name and options.
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'hidden',
				noDataExpression: true,
				options: [{ name: 'CRM Workspace', value: 'workspace' }],
				default: 'workspace',
			},
			{
				displayName: 'Operation',
				name: 'operation',
				type: 'options',
				noDataExpression: true,
				displayOptions: { show: { resource: ['workspace'] } },
				options: [
					{
						name: 'List',
						value: 'list',
						description: 'Get many contacts, activities, tasks, widgets or knowledge base articles',
						action: 'List records',
					},
					{
						name: 'Send Transactional Email',
						value: 'sendTransactionalEmail',
						description:
							'Send one message to one recipient, from a template, HTML or text. It ignores opt-outs, so never use it for marketing.',
						action: 'Send transactional email',
					},
					{
						name: 'Update Contact',
						value: 'updateContact',
						description: "Change fields of an existing contact; it can't create contacts",
						action: 'Update contact',
					},
				],
				default: 'sendTransactionalEmail',
			},
			...operationProperties,
		],
	};

	methods = {
		credentialTest: { testCredential },
		listSearch: { searchContacts },
		resourceMapping: { getContactFields },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		useOwnCall(this);
		const continuesOnFail = this.continueOnFail() || hidesErrors(this);
		try {
			return [await runOperation(this, continuesOnFail)];
		} catch (error) {
			if (!continuesOnFail) throw toFinalError(this.getNode(), error);
			return [await failAll(this, error)];
		}
	}
}
