import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

/** In seconds. */
const longestTimeout = 3600;

/** The options that all operations have, for their Options collection. */
export const requestOptions = {
	concurrency: {
		displayName: 'Concurrency',
		name: 'concurrency',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 20 },
		default: 5,
		description: 'How many requests may be under way at the same time, 1 to 20',
	},
	timeout: {
		displayName: 'Timeout',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: longestTimeout },
		default: 30,
		description: 'How many seconds to wait for the answer to a request',
	},
} as const satisfies Record<string, INodeProperties>;

/** The values of `requestOptions` for a run: timeout in ms. What makes no sense is the default. */
export function readRequestOptions(context: IExecuteFunctions): {
	concurrency: number;
	timeout: number;
} {
	const concurrency = Number(context.getNodeParameter('options.concurrency', 0, 5));
	const seconds = Number(context.getNodeParameter('options.timeout', 0, 30));
	return {
		concurrency: Math.min(20, Math.max(1, Math.trunc(concurrency) || 5)),
		timeout: 1000 * Math.min(longestTimeout, seconds > 0 ? seconds : 30),
	};
}
