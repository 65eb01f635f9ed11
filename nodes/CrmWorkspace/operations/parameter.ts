import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { refuse } from './refuse';

/** Which value of an item it is. */
export interface Source {
	itemIndex: number;
	/** The parameter's name for the user, with which an error begins. */
	displayName: string;
}

/**
 * The value of a parameter, as n8n gives it.
 * @param name as `getNodeParameter` takes it
 * @throws NodeOperationError for an object of an expression that n8n itself cannot walk through
 */
export function readParameter(
	context: IExecuteFunctions,
	name: string,
	{ itemIndex, displayName }: Source,
	fallback: unknown,
): unknown {
	try {
		return context.getNodeParameter(name, itemIndex, fallback);
	} catch (error) {
		// By its name, because it may come from the realm of an expression.
		if ((error as Error | undefined)?.name !== 'RangeError') throw error;
		return refuse(
			context,
			itemIndex,
			`${displayName} is nested too deeply, or holds itself`,
			'Write an expression that leads to what is needed of it.',
		);
	}
}

/** The value of one of the operation's parameters; its default where there is none. */
export function parameterOf(
	context: IExecuteFunctions,
	{ name, displayName, default: fallback }: INodeProperties,
	itemIndex: number,
): unknown {
	return readParameter(context, name, { itemIndex, displayName }, fallback);
}

/** The fields of a collection that the user has added, which n8n makes sure is an object. */
export function collectionOf(
	context: IExecuteFunctions,
	property: INodeProperties,
	itemIndex: number,
): IDataObject {
	return parameterOf(context, property, itemIndex) as IDataObject;
}

/** A field of a collection; its default where the user has not added it. */
export function fieldOf(
	collection: IDataObject,
	{ name, default: fallback }: INodeProperties,
): unknown {
	return Object.hasOwn(collection, name) ? collection[name] : fallback;
}
