import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { readParameter } from '../parameters/parameter';
import { numberSetting } from '../parameters/setting';

/** In seconds. */
const longestTimeout = 3600;

/** The options that all operations have, for their Options parameter. */
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

/**
 * The values of `requestOptions` for a run: timeout in ms.
 * @throws NodeOperationError for a value outside of its range
 */
export function readRequestOptions(context: IExecuteFunctions): {
	concurrency: number;
	timeout: number;
} {
	return {
		concurrency: read(context, requestOptions.concurrency, true),
		timeout: 1000 * read(context, requestOptions.timeout, false),
	};
}

function read(context: IExecuteFunctions, option: INodeProperties, isInteger: boolean): number {
	const { name, displayName, default: fallback } = option;
	const ref = { itemIndex: 0, displayName };
	const value = readParameter(context, `options.${name}`, ref, fallback);
	return numberSetting(context, option, value, 0, { isInteger });
}
