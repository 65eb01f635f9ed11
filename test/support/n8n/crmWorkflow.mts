import type { Execution, Workflow } from '../../../playground/client.mts';
import { chain, crmNode, node } from './productionWorkflow.mts';
import { items } from './sending.mts';

/** What the CRM Workspace node of a test workflow is set to. */
interface CrmNode {
	/** The id of the credential. */
	credential: string;
	parameters: object;
	/** n8n's 'On Error' setting, and anything else that stands beside a node's parameters. */
	settings?: object;
}

/**
 * A workflow of three nodes: 'Start', 'Items' with what is given, and 'CRM' with one node of ours.
 * With 'Continue (using error output)', failed items leave by the node's second output.
 */
export function crmWorkflow(
	given: object[],
	{ credential, parameters, settings }: CrmNode,
): Workflow {
	return {
		name: 'Test',
		nodes: [
			node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
			items(given),
			crmNode('CRM', credential, parameters, settings),
		],
		connections: chain('Start', 'Items', 'CRM'),
	};
}

/** The items that left a node by one of its outputs, in all its runs. */
export function outputOf(execution: Execution, nodeName = 'CRM', output = 0): any[] {
	const runs = execution.data.resultData.runData[nodeName] ?? [];
	return runs.flatMap((run) => run.data?.main[output] ?? []);
}

/** The error that a node stopped with. */
export function errorOf(execution: Execution, nodeName = 'CRM'): any {
	return execution.data.resultData.runData[nodeName]?.at(-1)?.error;
}
