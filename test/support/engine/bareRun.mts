import type { IDataObject, IExecuteFunctions, INode, NodeExecutionHint } from 'n8n-workflow';
import { streamed } from '../simulated/streamed.mts';

/** What the service is asked for. */
export interface Asked {
	method: string;
	/** Below the base URL. */
	path: string;
	query: Record<string, number | string>;
	body: IDataObject;
}

/** A run of the node with nothing of n8n around that would take time of its own. */
export interface ThinRun {
	items: IDataObject[];
	/** The value of a parameter by its name; undefined for the one that it has by default. */
	parameter: (name: string, itemIndex: number) => unknown;
	/** The body of an answer, as JSON. */
	answer: (asked: Asked) => Buffer;
}

const baseUrl = 'http://127.0.0.1/api/v1';
let runs = 0;

/** A context for `execute`, and the hints that it was given. */
export function thinContext({ items, parameter, answer }: ThinRun) {
	const execution = String(++runs);
	const hints: NodeExecutionHint[] = [];
	const memory = {};
	const entry = { node: { name: 'CRM' } };
	const credential = {
		baseUrl,
		mode: 'test',
		// Each run has a rate limiter of its own.
		apiKey: `sk_test_${execution}`,
		authHeader: 'authorization',
		requestsPerMinute: 100_000,
	};
	const input = items.map((json) => ({ json }));
	const ask = async (_credential: string, { method, url, qs, body }: any) => {
		await new Promise(setImmediate);
		const path = url.slice(baseUrl.length);
		const bytes = answer({ method, path, query: qs ?? {}, body: body ? JSON.parse(body) : {} });
		return streamed({ statusCode: 200, headers: {}, body: bytes });
	};
	const context = {
		helpers: { httpRequestWithAuthentication: ask },
		getInputData: () => input,
		getNodeParameter: (name: string, index: number, fallback?: unknown) =>
			parameter(name, index) ?? fallback,
		getNode: (): Partial<INode> => ({ id: '1', name: 'CRM', type: 'crm', parameters: {} }),
		getCredentials: async () => credential,
		continueOnFail: () => true,
		addExecutionHints: (...some: NodeExecutionHint[]) => void hints.push(...some),
		getExecutionId: () => execution,
		getExecutionCancelSignal: () => undefined,
		getInstanceId: () => 'instance',
		getWorkflow: () => ({ id: 'workflow' }),
		getMode: () => 'trigger',
		getContext: () => memory,
		getExecuteData: () => entry,
		getWorkflowDataProxy: () => ({ $runIndex: 0, $execution: {} }),
		getTimezone: () => 'UTC',
	};
	return { context: context as unknown as IExecuteFunctions, hints };
}
