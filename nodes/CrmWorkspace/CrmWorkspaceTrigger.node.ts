import './supportedN8n';
import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';
import { testCredential } from './service/testCredential';
import { poll } from './trigger/poll';
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
		description:
			'Starts the workflow when contacts are created or updated, activities are added, or tasks become overdue',
		defaults: { name: 'CRM Workspace Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'crmWorkspaceApi', required: true, testedBy: 'testCredential' }],
		properties,
	};

	methods = { credentialTest: { testCredential: testCredential } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this);
	}
}
