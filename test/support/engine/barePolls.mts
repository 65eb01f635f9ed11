import type { IDataObject, INodeExecutionData, INodeType, IPollFunctions } from 'n8n-workflow';

/** An active workflow with nothing of n8n around the trigger that would take time of its own. */
export interface ThinTrigger {
	parameters: IDataObject;
	requestsPerMinute?: number;
	apiKey?: string;
	/** What n8n has stored of earlier polls. */
	stored?: IDataObject;
	/** The body of an answer, as JSON. */
	answer: (path: string, query: Record<string, number | string>) => string;
}

const baseUrl = 'http://127.0.0.1/api/v1';
let triggers = 0;

/** @returns how to poll, and what is stored between polls */
export function thinTrigger(nodeType: INodeType, given: ThinTrigger) {
	const { parameters, requestsPerMinute = 1_000_000, answer, stored = {} } = given;
	const credentials = { crmWorkspaceApi: { id: '1', name: 'CRM' } };
	const id = crypto.randomUUID();
	const node = { id, name: 'CRM', type: 'crm', typeVersion: 1, parameters, credentials };
	// Each has a rate limiter of its own.
	const { apiKey = `sk_test_${++triggers}` } = given;
	let data = structuredClone(stored);
	const logged: string[] = [];
	const ask = async (_credential: string, { url, qs }: { url: string; qs?: any }) => {
		await new Promise(setImmediate);
		const headers = { date: new Date().toUTCString() };
		const body = String(answer(url.slice(baseUrl.length), qs ?? {}));
		return { statusCode: 200, headers, body };
	};
	const context = {
		helpers: { httpRequestWithAuthentication: ask },
		getNode: () => node,
		getNodeParameter: (name: string, fallback?: unknown) => parameters[name] ?? fallback,
		getCredentials: async () => ({
			...{ baseUrl, mode: 'test', apiKey, authHeader: 'authorization', requestsPerMinute },
		}),
		getInstanceId: () => 'instance',
		getWorkflow: () => ({ id: 'workflow' }),
		getWorkflowStaticData: () => data,
		getMode: () => 'trigger',
		getTimezone: () => 'UTC',
		logger: { info: (message: string) => logged.push(message) },
	};
	return {
		async poll(): Promise<INodeExecutionData[]> {
			const outputs = await nodeType.poll!.call(context as unknown as IPollFunctions);
			// As n8n's database has it.
			data = JSON.parse(JSON.stringify(data));
			return outputs?.[0] ?? [];
		},
		stored: () => data,
		/** What it has written to n8n's log. */
		logged: () => logged,
	};
}
