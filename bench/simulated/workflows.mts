import type { IDataObject, INode } from 'n8n-workflow';
import type { StoredWorkflow } from '../../test/histories/workflow.mts';
import { contactOf } from './contacts.mts';
import { baseUrl } from './network.mts';
import type { Batching, Job, Scenario } from './scenario.mts';

/** The node that is measured, in each workflow. */
export const measured = 'Measured';

/** The name that n8n has for its HTTP Request node: by it n8n knows which credentials it may use. */
export const httpRequest = 'n8n-nodes-base.httpRequest';

/** n8n's greatest: five tries, five seconds apart. */
const retries = { retryOnFail: true, maxTries: 5, waitBetweenTries: 5_000 };

const changed = { jobTitle: 'Promoted' };

/** A workflow of a start and the node that is measured. */
export function workflowOf(job: Job, contestant: Scenario['contestant']): StoredWorkflow {
	const node = contestant === 'ours' ? ourNode(job) : otherNode(job);
	return {
		id: `workflow-${job.kind}`,
		name: job.kind,
		nodes: [{ ...common('Start'), type: 'start', typeVersion: 1, parameters: {} }, node],
		connections: { Start: { main: [[{ node: measured, type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1', timezone: 'UTC' },
		active: false,
	};
}

/** What the start of the workflow hands on. */
export function rowsOf({ kind, items, changes = items }: Job): IDataObject[] {
	return Array.from({ length: items }, (_, number) => {
		const { id, email, firstName, lastName, phone, jobTitle, tags } = contactOf(number);
		if (kind === 'send') return { to: email };
		if (kind === 'update') return { id, ...changed };
		// Those that change are spread over the rows.
		const isChanged =
			Math.floor(((number + 1) * changes) / items) > Math.floor((number * changes) / items);
		return { id, email, firstName, lastName, phone, jobTitle, tags, ...(isChanged && changed) };
	});
}

function ourNode({ kind }: Job): INode {
	const jobTitle = '={{ $json.jobTitle }}';
	const parameters = {
		send: {
			operation: 'sendTransactionalEmail',
			to: '={{ $json.to }}',
			templateSlug: 'welcome',
		},
		update: {
			operation: 'updateContact',
			contact: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
			fields: {
				mappingMode: 'defineBelow',
				value: { jobTitle },
				matchingColumns: [],
				schema: [],
			},
		},
		sync: {
			operation: 'updateContact',
			contact: { __rl: true, mode: 'email', value: '={{ $json.email }}' },
			fields: { mappingMode: 'autoMapInputData', value: {}, matchingColumns: [], schema: [] },
			options: { skipUnchanged: true },
		},
	}[kind];
	return {
		...common(measured),
		type: 'crmWorkspace',
		typeVersion: 1,
		parameters,
		credentials: { crmWorkspaceApi: { id: 'ours', name: 'CRM Workspace' } },
	};
}

function otherNode({ kind, batching }: Job): INode {
	return {
		...common(measured),
		...retries,
		type: httpRequest,
		typeVersion: 4.5,
		parameters: {
			...(kind === 'send' ? httpSend : httpPut[kind]),
			authentication: 'genericCredentialType',
			genericAuthType: 'httpHeaderAuth',
			sendBody: true,
			options: batching ? { batching: batchingOption(batching) } : {},
		},
		credentials: { httpHeaderAuth: { id: 'other', name: 'Header' } },
	};
}

const httpSend = {
	method: 'POST',
	url: `${baseUrl}/transactional/send`,
	bodyParameters: {
		parameters: [
			{ name: 'to', value: '={{ $json.to }}' },
			{ name: 'templateSlug', value: 'welcome' },
			// What a retry of the node keeps.
			{ name: 'idempotencyKey', value: '={{ $execution.id }}-{{ $itemIndex }}' },
		],
	},
};

const httpPut = {
	update: putOf(['jobTitle']),
	sync: putOf(['firstName', 'lastName', 'phone', 'jobTitle', 'tags']),
};

function putOf(fields: string[]) {
	const members = fields.map((field) => `${field}: $json.${field}`);
	return {
		method: 'PUT',
		url: `=${baseUrl}/contacts/{{ $json.id }}`,
		specifyBody: 'json',
		jsonBody: `={{ ({ ${members.join(', ')} }) }}`,
	};
}

function batchingOption({ size, interval }: Batching) {
	return { batch: { batchSize: size, batchInterval: interval } };
}

function common(name: string): Pick<INode, 'id' | 'name' | 'position'> {
	return { id: `id-of-${name}`, name, position: [0, 0] };
}
