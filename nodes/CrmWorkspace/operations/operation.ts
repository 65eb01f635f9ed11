import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

/** One entry of the node's Operation parameter. */
export interface Operation {
	/** The operation's parameters, shown only while it is chosen. */
	properties: INodeProperties[];
	/** Does the operation for all input items; gives the node's only output. */
	execute(context: IExecuteFunctions): Promise<INodeExecutionData[]>;
}
