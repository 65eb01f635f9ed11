import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	NodeExecutionHint,
} from 'n8n-workflow';
import type { Connection } from '../transport/connection';

/** What an operation returns, and `runOperation` hands to n8n. */
export interface Output {
	items: INodeExecutionData[];
	/** What the user should know of the run, for the editor's output panel. */
	hints: NodeExecutionHint[];
}

/** One entry of the node's Operation parameter. */
export interface Operation {
	properties: INodeProperties[];
	/** Does the operation for all input items, with a connection that is open until it is done. */
	execute(context: IExecuteFunctions, connection: Connection): Promise<Output>;
}
