/** The trigger as n8n sees it. */
import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';
import { testCredential } from './n8n/testCredential';
import { poll } from './trigger';
import { properties } from './trigger/properties';

export class CrmWorkspaceTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'CRM Workspace Trigger',
		name: 'crmWorkspaceTrigger',
		icon: { light: 'file:crmWorkspace.svg', dark: 'file:crmWorkspace.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle:
			'={{ $parameter["events"].map((event) => ({ contactCreated: "Contact Created", contactUpdated: "Contact Updated", activityAdded: "Activity Added", taskOverdue: "Task Became Overdue" }[event])).join(", ") }}',
		// n8n shows it for both nodes where it offers them as one.
		description: 'Send emails, update contacts and list records, or start on CRM events',
		defaults: { name: 'CRM Workspace Trigger' },
		polling: true,
		builderHint: {
			searchHint:
				"Each event has a stable key: use it in 'Custom Key' of the node that sends. Don't write a watched field, or the workflow starts itself again.",
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-crm-workspace.crmWorkspace',
					relationHint: 'Sends to the contact, or updates it',
				},
			],
		},
		triggerPanel: {
			executionsHelp:
				"<b>While building your workflow</b>, 'Fetch Test Event' shows an existing record. It's a real one: an email sent by the next nodes goes to that person.<br /><br /><b>Once the workflow is published</b>, n8n polls the service and starts it for new events; the first poll only remembers existing records. These executions show up in the executions list.",
		},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'crmWorkspaceApi', required: true, testedBy: 'testCredential' }],
		properties,
	};

	methods = { credentialTest: { testCredential } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this);
	}
}
