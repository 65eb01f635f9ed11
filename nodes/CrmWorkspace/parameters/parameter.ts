/**
 * What all operations and the trigger need to read the values of parameters, which an expression
 * may make anything. A value that cannot be right is refused before a request is made, in words
 * that name the parameter and say what to do.
 */
import { NodeOperationError, type IDataObject, type INodeProperties } from 'n8n-workflow';
import type { ParameterContext } from './parameterContext';
import { refuse } from './refuse';

/** Which parameter of which item is read: what an error names. */
export interface ParameterRef {
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
	ref: ParameterRef,
	fallback: unknown,
): unknown {
	return evaluated(context, ref, () => context.getNodeParameter(name, ref.itemIndex, fallback));
}

/**
 * What n8n's expressions give for a parameter.
 * @param evaluate asks n8n for it
 * @throws NodeOperationError when an expression fails, or gives an object that n8n cannot hand on
 */
export function evaluated(
	context: ParameterContext,
	{ itemIndex, displayName }: ParameterRef,
	evaluate: () => unknown,
): unknown {
	try {
		return evaluate();
	} catch (error) {
		const { name: kind, message = '' } = (error ?? {}) as Partial<Error>;
		// Not by `instanceof`: the error may come from the JavaScript realm of the expression.
		if (kind === 'RangeError') {
			const problem = `${displayName} is nested too deeply, or holds itself`;
			return refuse(context, itemIndex, problem, 'Let the expression give only what is needed.');
		}
		if (message.includes('could not be cloned')) {
			const problem = `${displayName} has something in it that n8n's expressions do not hand on`;
			return refuse(context, itemIndex, problem, renaming);
		}
		if (message === 'invalid syntax') {
			const problem = `${displayName} has an expression that n8n cannot read`;
			return refuse(context, itemIndex, problem, code);
		}
		throw new NodeOperationError(context.getNode(), error as Error, { itemIndex });
	}
}

const code =
	'What stands in {{ }} is code of n8n, such as {{ $json.name }}; in HTML, Subject and Text it may be a token of the service, such as {{name}} or {{name|there}}.';

const renaming =
	'That is a function, or a name such as constructor or toString: rename it in a Code node before this one.';

/** Whether a parameter, as the node has it, is set to Expression. */
export function isExpression(entered: unknown): entered is string {
	return typeof entered === 'string' && entered.startsWith('=');
}

/** The value of one of the operation's parameters; its default where there is none. */
export function parameterOf(
	context: ParameterContext,
	{ name, displayName, default: fallback }: INodeProperties,
	itemIndex: number,
): unknown {
	return readParameter(context, name, { itemIndex, displayName }, fallback);
}

/**
 * What the user has added to a parameter of n8n's type `collection`, such as Options. n8n makes
 * sure that it is an object.
 */
export function addedFieldsOf(
	context: ParameterContext,
	property: INodeProperties,
	itemIndex: number,
): IDataObject {
	return parameterOf(context, property, itemIndex) as IDataObject;
}

/** One of the added fields; its default if the user has not added it. */
export function fieldOf(added: IDataObject, { name, default: fallback }: INodeProperties): unknown {
	return Object.hasOwn(added, name) ? added[name] : fallback;
}
