import { NodeOperationError, type IDataObject, type INodeProperties } from 'n8n-workflow';
import type { ParameterContext } from './parameterContext';
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
 * @throws NodeOperationError when an expression fails, or gives an object that n8n cannot hand on
 */
export function readParameter(
	context: ParameterContext,
	name: string,
	{ itemIndex, displayName }: Source,
	fallback: unknown,
): unknown {
	try {
		return context.getNodeParameter(name, itemIndex, fallback);
	} catch (error) {
		const { name: kind, message = '' } = (error ?? {}) as Partial<Error>;
		// Known by name and words, because it may come from the realm of an expression.
		if (kind === 'RangeError') {
			const problem = `${displayName} is nested too deeply, or holds itself`;
			return refuse(context, itemIndex, problem, 'Let the expression give only what is needed.');
		}
		if (message.includes('could not be cloned')) {
			const problem = `${displayName} has something in it that n8n's expressions do not hand on`;
			return refuse(context, itemIndex, problem, renaming);
		}
		throw new NodeOperationError(context.getNode(), error as Error, { itemIndex });
	}
}

const renaming =
	'That is a function, or a name such as constructor or toString: rename it in a Code node before this one.';

/** The value of one of the operation's parameters; its default where there is none. */
export function parameterOf(
	context: ParameterContext,
	{ name, displayName, default: fallback }: INodeProperties,
	itemIndex: number,
): unknown {
	return readParameter(context, name, { itemIndex, displayName }, fallback);
}

/** The fields of a collection that the user has added, which n8n makes sure is an object. */
export function collectionOf(
	context: ParameterContext,
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
