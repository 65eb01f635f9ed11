import type { Workflow } from '../../playground/client.mts';
import { chain, crmNode, node } from '../../test/support/n8n/productionWorkflow.mts';
import { rowsNode } from './run.mts';

/** A workflow, begun by hand at Start, that sends so many messages. */
export function mailing(credential: string, messages: number): Workflow {
	const people = Array.from({ length: messages }, (_, index) => ({
		to: `person${index}@example.com`,
	}));
	return begunByHand('Mailing', people, credential, {
		operation: 'sendTransactionalEmail',
		to: '={{ $json.to }}',
		templateSlug: 'welcome',
		variables: { variable: [{ name: 'firstName', value: 'Ada' }] },
	});
}

/** A workflow, begun by hand at Start, that updates contacts from rows with an email address. */
export function nightly(credential: string, rows: object[], options: object): Workflow {
	return begunByHand('Nightly sync', rows, credential, {
		operation: 'updateContact',
		contact: { __rl: true, mode: 'email', value: '={{ $json.email }}' },
		fields: { mappingMode: 'autoMapInputData', value: {}, matchingColumns: [], schema: [] },
		options,
	});
}

function begunByHand(
	name: string,
	rows: object[],
	credential: string,
	parameters: object,
): Workflow {
	return {
		name,
		nodes: [
			node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
			rowsNode(rows),
			crmNode('CRM', credential, parameters),
		],
		connections: chain('Start', 'Rows', 'CRM'),
	};
}
