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
import { maxNameLength, shorten } from '../text/plainText';

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
	context: Pick<ParameterContext, 'getNode'>,
	itemIndex: number,
	problem: string,
	advice?: string,
): never {
	throw new NodeOperationError(context.getNode(), problem, { itemIndex, description: advice });
}

/** What n8n's expressions give for a parameter. @throws NodeOperationError if they fail */
export function evaluate(
	context: ParameterContext,
	ref: ParameterRef,
	getValue: () => unknown,
	chunk = 'an expression',
): unknown {
	try {
		return getValue();
	} catch (error) {
		const syntaxError = /^invalid syntax$|^Expression evaluation failed: SyntaxError/;
		if (syntaxError.test((error as Error)?.message)) throwBraces(context, ref, chunk);
		const { itemIndex } = ref;
		throw new NodeOperationError(context.getNode(), error as Error, { itemIndex });
	}
}

/** Refuses what stands in double braces: it often comes from another template language. */
export function throwBraces(
	context: ParameterContext,
	{ itemIndex, displayName }: ParameterRef,
	chunk: string,
): never {
	// n8n ends it at the second of three braces.
	const shown = shorten(chunk, maxNameLength).replace(/^\{{3}[^{}]+\}\}$/, '$&}');
	const problem = `'${displayName}' has ${shown}, which is neither a token nor code that n8n knows`;
	const advice =
		"Replace it by a token, {{name}} or {{name|there}} without spaces after |, or by an expression, such as {{ $json['First name'] }} or {{ $json.name.toUpperCase() }}. Blocks and filters of other template languages don't work, nor does formatting (tags) inside the braces. Join texts with +. n8n ends an expression at the first }}.";
	throwParameterError(context, itemIndex, problem, advice);
}

/**
 * Refuses code in a field that is set to Fixed: n8n leaves it as it is. The editor switches a field by
 * itself, but a workflow that is written by hand or by a model may have one.
 * @param hasTokens whether braces may be tokens
 */
export function refuseFixed(
	context: Pick<ParameterContext, 'getNode'>,
	{ itemIndex, displayName }: ParameterRef,
	stored: unknown,
	hasTokens = false,
): void {
	const code = hasTokens ? /\{\{\s*\$/ : /\{\{/;
	if (typeof stored !== 'string' || isExpression(stored) || !code.test(stored)) return;
	const advice = `What is in braces stays as it is written: “${shorten(stored, maxNameLength)}”. Switch the field to Expression, and write a field of the item as {{ $json.name }}.`;
	throwParameterError(context, itemIndex, `'${displayName}' is set to Fixed`, advice);
}

/** Whether a parameter, as the node stores it, is set to Expression. */
export function isExpression(stored: unknown): stored is string {
	return typeof stored === 'string' && stored.startsWith('=');
}

/** The value of a parameter, or its default. @throws NodeOperationError if its expression fails */
export function readParameter(
	context: ParameterContext,
	{ name, displayName, default: fallback }: INodeProperties,
	itemIndex: number,
): unknown {
	const ref = { itemIndex, displayName };
	return evaluate(context, ref, () => context.getNodeParameter(name, itemIndex, fallback));
}

/** A field of a parameter of n8n's type `collection`; its default if the user didn't add it. */
export function getField(
	added: IDataObject,
	{ name, default: fallback }: INodeProperties,
): unknown {
	return Object.hasOwn(added, name) ? added[name] : fallback;
}
