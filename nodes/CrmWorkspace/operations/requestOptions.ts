import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { readParameter } from '../parameters/parameter';
import { parseNumber } from '../parameters/value';

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
		typeOptions: { minValue: 1, maxValue: 3600 },
		default: 30,
		description: 'How many seconds to wait for the answer to a request',
	},
} as const satisfies Record<string, INodeProperties>;

/** The values of `requestOptions` for a run. @throws NodeOperationError if one is out of range */
export function readRequestOptions(context: IExecuteFunctions) {
	return {
		concurrency: read(context, requestOptions.concurrency),
		timeoutMs: 1000 * read(context, requestOptions.timeout),
	};
}

function read(context: IExecuteFunctions, option: INodeProperties): number {
	const value = readParameter(context, { ...option, name: `options.${option.name}` }, 0);
	return parseNumber(context, option, value, 0);
}
