import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	NodeExecutionHint,
} from 'n8n-workflow';

/** What an operation returns. `runOperation` alone hands it to n8n, without the API key. */
export interface Output {
	/** The items of the node's only output. */
	items: INodeExecutionData[];
	/** What the user should know of the run, for the editor's output panel. */
	hints: NodeExecutionHint[];
}

/** One entry of the node's Operation parameter. */
export interface Operation {
	/** The operation's parameters, shown only while it is chosen. */
	properties: INodeProperties[];
	/** Does the operation for all input items. */
	execute(context: IExecuteFunctions): Promise<Output>;
}
