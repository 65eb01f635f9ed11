import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { ParameterReader } from '../parameters/parameterReader';

/** The options that all operations have, for their Options parameter. */
export const requestOptions = {
	concurrency: {
		displayName: 'Max Concurrent Requests',
		name: 'concurrency',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 20 },
		default: 5,
		description: 'Max number of requests at the same time, 1 to 20',
	},
	timeout: {
		displayName: 'Timeout (Seconds)',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 3600 },
		default: 30,
		description: 'How long to wait for each response',
	},
} as const satisfies Record<string, INodeProperties>;

/** The values of `requestOptions` for a run. @throws NodeOperationError if one is out of range */
export function readRequestOptions(context: IExecuteFunctions) {
	const reader = new ParameterReader(context, 0);
	const read = (option: INodeProperties) =>
		reader.number({ ...option, name: `options.${option.name}` });
	return {
		concurrency: read(requestOptions.concurrency),
		timeoutMs: 1000 * read(requestOptions.timeout),
	};
}
