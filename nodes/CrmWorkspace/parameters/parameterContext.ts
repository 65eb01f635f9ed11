import type { IExecuteFunctions, IPollFunctions } from 'n8n-workflow';

/** The part of n8n's execution context that reading parameters needs. */
export type ParameterContext = Pick<IExecuteFunctions, 'getNode' | 'getNodeParameter'>;

/** The same for a poll. It has no items, so the item index is ignored. */
export function parametersOfPoll(context: IPollFunctions): ParameterContext {
	const getNodeParameter = (name: string, _itemIndex: number, fallback?: unknown) =>
		context.getNodeParameter(name, fallback);
	return {
		getNode: () => context.getNode(),
		getNodeParameter: getNodeParameter as ParameterContext['getNodeParameter'],
	};
}
