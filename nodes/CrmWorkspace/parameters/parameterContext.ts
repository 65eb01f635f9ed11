import type { IExecuteFunctions, IPollFunctions } from 'n8n-workflow';

/** What reading parameters takes of a run. */
export type ParameterContext = Pick<IExecuteFunctions, 'getNode' | 'getNodeParameter'>;

/** The same of a poll, which has no items. */
export function parametersOfPoll(context: IPollFunctions): ParameterContext {
	const getNodeParameter = (name: string, _itemIndex: number, fallback?: unknown) =>
		context.getNodeParameter(name, fallback);
	return {
		getNode: () => context.getNode(),
		getNodeParameter: getNodeParameter as ParameterContext['getNodeParameter'],
	};
}
