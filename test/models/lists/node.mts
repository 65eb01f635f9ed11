import type { IDataObject, IExecuteFunctions, INodeType, NodeExecutionHint } from 'n8n-workflow';
import { built, credential, helpersThatAsk, nodeFile, type Ask } from '../harness/built.mts';

const { CrmWorkspace } = built<{ CrmWorkspace: new () => INodeType }>(nodeFile);
const node = new CrmWorkspace();

/** What a run of List is given. */
export interface ListRun {
	/** Another one for each run, so that no run keeps to the pace of another. */
	name: string;
	concurrency: number;
	requestsPerMinute: number;
	/** The most contacts wanted; Infinity for all. */
	limit: number;
	ask: Ask;
	/** Ends the run like n8n's Stop button when aborted. */
	stop: AbortSignal;
}

/** What the user gets of it. */
export interface Listed {
	json: IDataObject[];
	hints: string[];
	error?: { message: string; description?: string | null };
}

/** Lists all contacts with the node as it is built, in no more of n8n than that takes. */
export async function listAll(run: ListRun): Promise<Listed> {
	const hints: string[] = [];
	const context = contextOf(run, (hint) => hints.push(hint.message));
	try {
		const [items] = (await node.execute!.call(context)) as Array<Array<{ json: IDataObject }>>;
		return { json: items.map(({ json }) => json), hints };
	} catch (error) {
		return { json: [], hints, error: error as Error };
	}
}

function contextOf(
	{ name, concurrency, requestsPerMinute, limit, ask, stop }: ListRun,
	onHint: (hint: NodeExecutionHint) => void,
): IExecuteFunctions {
	const parameters: IDataObject = {
		operation: 'list',
		collection: 'contacts',
		returnAll: limit === Infinity,
		limit,
		filters: {},
		simplify: false,
		options: { concurrency },
		'options.concurrency': concurrency,
	};
	const context = {
		getNode: () => ({ name: 'CRM Workspace', type: 'crmWorkspace', typeVersion: 1, parameters }),
		getInputData: () => [{ json: {} }],
		getNodeParameter: (parameter: string, _item: number, otherwise?: unknown) =>
			parameters[parameter] ?? otherwise,
		getCredentials: async () => ({
			...credential,
			apiKey: `sk_test_${name}`,
			requestsPerMinute,
		}),
		getExecutionId: () => name,
		getExecutionCancelSignal: () => stop,
		getTimezone: () => 'UTC',
		getMode: () => 'trigger',
		continueOnFail: () => false,
		addExecutionHints: (...hints: NodeExecutionHint[]) => hints.forEach(onHint),
		helpers: helpersThatAsk(ask),
	};
	return context as unknown as IExecuteFunctions;
}
