import type { IDataObject, INode } from 'n8n-workflow';
import type { StoredWorkflow } from '../../test/models/harness/engine.mts';
import { contactOf } from './contacts.mts';
import { baseUrl } from './network.mts';
import { sendWithHttpRequest, updateWithHttpRequest } from '../httpRequest.mts';
import type { Job, Scenario } from './scenario.mts';

/** The node that is measured, in each workflow. */
export const measured = 'Measured';

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

function otherNode({ kind, batch }: Job): INode {
	const service = { baseUrl, headerAuth: 'other' };
	const node =
		kind === 'send'
			? sendWithHttpRequest(service, batch)
			: updateWithHttpRequest(service, updated[kind], batch);
	return { ...(node as unknown as INode), ...common(measured), ...retries };
}

const updated = {
	update: ['jobTitle'],
	sync: ['firstName', 'lastName', 'phone', 'jobTitle', 'tags'],
};

function common(name: string): Pick<INode, 'id' | 'name' | 'position'> {
	return { id: `id-of-${name}`, name, position: [0, 0] };
}
