/**
 * Reads the values of parameters, which an expression can turn into anything. A value that can't be
 * right is refused before a request, in words that name the parameter and say what to do.
 */
import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeProperties,
	type IPollFunctions,
} from 'n8n-workflow';

/** The part of n8n's execution context that reading parameters needs. */
export type ParameterContext = Pick<IExecuteFunctions, 'getNode' | 'getNodeParameter'>;

/** The same for a poll. It has no items, so the item index is ignored. */
export function getPollParameters(context: IPollFunctions): ParameterContext {
	const getNodeParameter = (name: string, _itemIndex: number, fallback?: unknown) =>
		context.getNodeParameter(name, fallback);
	return {
		getNode: () => context.getNode(),
		getNodeParameter: getNodeParameter as ParameterContext['getNodeParameter'],
	};
}

/** The parameter and the item that an error names. */
export interface ParameterRef {
	itemIndex: number;
	/** The parameter's name for the user, with which an error begins. */
	displayName: string;
}

/**
 * Refuses an item before any request is made.
 * @param problem what is wrong, with the parameter's display name
 * @param advice what to do about it
 * @throws NodeOperationError always, naming the item
 */
export function throwParameterError(
	context: ParameterContext,
	itemIndex: number,
	problem: string,
	advice?: string,
): never {
	throw new NodeOperationError(context.getNode(), problem, { itemIndex, description: advice });
}

/**
 * The value of a parameter by its path, as n8n gives it.
 * @throws NodeOperationError if its expression fails
 */
export function readByName(
	context: ParameterContext,
	name: string,
	ref: ParameterRef,
	fallback: unknown,
): unknown {
	return evaluate(context, ref, () => context.getNodeParameter(name, ref.itemIndex, fallback));
}

/** What n8n's expressions give for a parameter. @throws NodeOperationError if they fail */
export function evaluate(
	context: ParameterContext,
	{ itemIndex, displayName }: ParameterRef,
	getValue: () => unknown,
): unknown {
	try {
		return getValue();
	} catch (error) {
		// n8n doesn't say which expression it can't read: often a token of another template language.
		if ((error as Partial<Error>)?.message === 'invalid syntax') {
			const problem = `${displayName} has an expression that n8n cannot read`;
			const advice = 'What stands in {{ }} is code of n8n, such as {{ $json.name }}.';
			throwParameterError(context, itemIndex, problem, advice);
		}
		throw new NodeOperationError(context.getNode(), error as Error, { itemIndex });
	}
}

/** Whether a parameter, as the node stores it, is set to Expression. */
export function isExpression(stored: unknown): stored is string {
	return typeof stored === 'string' && stored.startsWith('=');
}

/** The value of a parameter; its default if it has none. */
export function readParameter(
	context: ParameterContext,
	{ name, displayName, default: fallback }: INodeProperties,
	itemIndex: number,
): unknown {
	return readByName(context, name, { itemIndex, displayName }, fallback);
}

/** The fields that the user added to a parameter of n8n's type `collection`, such as Options. */
export function readAddedFields(
	context: ParameterContext,
	property: INodeProperties,
	itemIndex: number,
): IDataObject {
	return readParameter(context, property, itemIndex) as IDataObject;
}

/** An added field; its default if the user didn't add it. */
export function getField(
	added: IDataObject,
	{ name, default: fallback }: INodeProperties,
): unknown {
	return Object.hasOwn(added, name) ? added[name] : fallback;
}
