import type { Execution, Workflow } from '../../../playground/client.mts';

type Node = Workflow['nodes'][number];

/** What the CRM Workspace node of a test workflow is set to. */
export interface CrmNode {
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
	items: object[],
	{ credential, parameters, settings }: CrmNode,
): Workflow {
	return {
		name: 'Test',
		nodes: [
			node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
			node('Items', 'n8n-nodes-base.code', 2, { jsCode: `return ${JSON.stringify(items)};` }),
			{
				...node('CRM', 'n8n-nodes-crm-workspace.crmWorkspace', 1, parameters),
				credentials: { crmWorkspaceApi: { id: credential, name: 'any' } },
				...settings,
			},
		],
		connections: { ...connection('Start', 'Items'), ...connection('Items', 'CRM') },
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

function node(name: string, type: string, typeVersion: number, parameters: object): Node {
	return { id: name, name, type, typeVersion, parameters, position: [0, 0] };
}

function connection(from: string, to: string) {
	return { [from]: { main: [[{ node: to, type: 'main', index: 0 }]] } };
}
