import '../sends/quiet.mts';
import { createRequire } from 'node:module';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, IExecuteFunctions, INodeType, NodeExecutionHint } from 'n8n-workflow';
import type { Answer } from './service.mts';

const root = join(import.meta.dirname, '../../..');
const dist = process.env.LISTS_DIST ?? join(root, 'dist');
const file = join(dist, 'nodes/CrmWorkspace/CrmWorkspace.node.js');
if (!existsSync(file)) throw new Error(`${file} is missing: npm run build`);
const { CrmWorkspace } = createRequire(import.meta.url)(file) as {
	CrmWorkspace: new () => INodeType;
};
const node = new CrmWorkspace();

/** What a run of List is given. */
export interface ListRun {
	/** Another one for each run, so that no run keeps to the pace of another. */
	name: string;
	concurrency: number;
	requestsPerMinute: number;
	answer: (url: string, query?: Record<string, unknown>) => Promise<Answer>;
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
	{ name, concurrency, requestsPerMinute, answer, stop }: ListRun,
	onHint: (hint: NodeExecutionHint) => void,
): IExecuteFunctions {
	const parameters: IDataObject = {
		operation: 'list',
		collection: 'contacts',
		returnAll: true,
		limit: 50,
		search: '',
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
			baseUrl: 'https://crm.example.com/api/v1',
			mode: 'test',
			apiKey: `sk_test_${name}`,
			authHeader: 'authorization',
			requestsPerMinute,
			processes: 1,
		}),
		getExecutionId: () => name,
		getExecutionCancelSignal: () => stop,
		getTimezone: () => 'UTC',
		getMode: () => 'trigger',
		continueOnFail: () => false,
		addExecutionHints: (...hints: NodeExecutionHint[]) => hints.forEach(onHint),
		helpers: {
			async httpRequestWithAuthentication(
				_credential: string,
				{ url, qs }: { url: string; qs?: Record<string, unknown> },
			) {
				const { text, ...rest } = await answer(url, qs);
				return { ...rest, statusMessage: '', body: bodyOf(text) };
			},
		},
	};
	return context as unknown as IExecuteFunctions;
}

/** The part of a stream that reading it takes. */
function bodyOf(text: string) {
	return {
		destroy() {},
		on() {},
		async *[Symbol.asyncIterator]() {
			yield Buffer.from(text);
		},
	};
}
