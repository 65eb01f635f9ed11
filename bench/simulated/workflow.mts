import type { IConnections, IDataObject, INode } from 'n8n-workflow';
import { contactOf } from '../contacts.mts';
import { sendWithHttpRequest, updateWithHttpRequest } from '../httpRequest.mts';
import { baseUrl } from './network.mts';
import type { Scenario } from './scenario.mts';

/** n8n's maximum: five tries, five seconds apart. */
const retries = { retryOnFail: true, maxTries: 5, waitBetweenTries: 5_000 };

/** The items with which a scenario's workflow begins. Changes are spread over the rows of a sync. */
export function itemsOf({ work, items, changes = 0 }: Scenario): IDataObject[] {
	const changed = (number: number) => Math.floor((number * changes) / items);
	return Array.from({ length: items }, (_, number) => {
		const { id, email, firstName, lastName, phone, jobTitle, tags } = contactOf(number);
		if (work === 'send') return { to: email };
		const isChanged = changed(number + 1) > changed(number);
		const row = { id, email, firstName, lastName, phone, tags };
		return { ...row, jobTitle: isChanged ? 'Promoted' : jobTitle };
	});
}

/** A workflow of a start and the node that is measured. */
export function workflowOf(scenario: Scenario) {
	const measured = scenario.contestant === 'ours' ? ourNode(scenario) : otherNode(scenario);
	const start = { ...common('Start'), type: 'start', typeVersion: 1, parameters: {} };
	const connections: IConnections = {
		Start: { main: [[{ node: measured.name, type: 'main', index: 0 }]] },
	};
	return { id: 'workflow', name: 'Bench', nodes: [start, measured], connections };
}

function ourNode({ work }: Scenario): INode {
	const send = {
		operation: 'sendTransactionalEmail',
		to: '={{ $json.to }}',
		templateSlug: 'welcome',
	};
	const sync = {
		operation: 'updateContact',
		contact: { __rl: true, mode: 'email', value: '={{ $json.email }}' },
		fields: { mappingMode: 'autoMapInputData', value: {}, matchingColumns: [], schema: [] },
		options: { skipUnchanged: true },
	};
	return {
		...common('Measured'),
		type: 'crmWorkspace',
		typeVersion: 1,
		parameters: { send, sync }[work],
		credentials: { crmWorkspaceApi: { id: 'ours', name: 'CRM Workspace' } },
	};
}

function otherNode({ work, batch }: Scenario): INode {
	const service = { baseUrl, headerAuth: 'other' };
	const fields = ['firstName', 'lastName', 'phone', 'jobTitle', 'tags'];
	const node =
		work === 'send'
			? sendWithHttpRequest(service, batch)
			: updateWithHttpRequest(service, fields, batch);
	return { ...(node as unknown as INode), ...common('Measured'), ...retries };
}

function common(name: string): Pick<INode, 'id' | 'name' | 'position'> {
	return { id: `id-of-${name}`, name, position: [0, 0] };
}
