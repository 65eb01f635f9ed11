/**
 * Reads the parameters of an item, which an expression can turn into anything. A value that can't be
 * right is refused before a request, in words that name the parameter and say what to do.
 */
import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeProperties,
	type INodePropertyOptions,
	type IPollFunctions,
} from 'n8n-workflow';
import { maxNameLength, shorten } from '../text/plainText';
import { describeKind, formatValue, notADate, adviceOnKinds, toText } from './value';

/** The part of n8n's execution context that reading parameters needs. */
type ParameterContext = Pick<IExecuteFunctions, 'getNode' | 'getNodeParameter'>;

/** Reads a parameter, or a field that the user has added to one of n8n's type `collection`. */
export class ParameterReader<Context extends ParameterContext = ParameterContext> {
	constructor(
		readonly context: Context,
		readonly itemIndex: number,
	) {}

	/**
	 * Refuses the item.
	 * @param problem what is wrong, with the parameter's name for the user
	 * @param advice what to do about it
	 * @throws NodeOperationError always, naming the item
	 */
	refuse(problem: string, advice?: string): never {
		const { context, itemIndex } = this;
		throw new NodeOperationError(context.getNode(), problem, { itemIndex, description: advice });
	}

	/**
	 * The value, or the default.
	 * @param added the collection that has it
	 * @throws NodeOperationError if its expression fails
	 */
	read({ name, displayName, default: fallback }: INodeProperties, added?: IDataObject): unknown {
		if (added) return Object.hasOwn(added, name) ? added[name] : fallback;
		const { context, itemIndex } = this;
		return this.ofN8n(displayName, () => context.getNodeParameter(name, itemIndex, fallback));
	}

	/** The option that is chosen. @throws NodeOperationError for anything else */
	choice(property: INodeProperties, added?: IDataObject): string {
		const value = this.read(property, added);
		const choices = property.options as INodePropertyOptions[];
		if (choices.some((option) => option.value === value)) return String(value);
		const [names, values] = [choices.map(({ name }) => name), choices.map((one) => one.value)];
		const advice = `It is ${formatValue(value)}. It has to be ${values.join(' or ')}.`;
		return this.refuse(`'${property.displayName}' is neither ${names.join(' nor ')}`, advice);
	}

	/**
	 * Whether it is true. Text counts, too: the query of a webhook has nothing else.
	 * @throws NodeOperationError for anything but a boolean
	 */
	boolean(property: INodeProperties, added?: IDataObject): boolean {
		const value = this.read(property, added);
		const given = typeof value === 'string' ? value.trim().toLowerCase() : value;
		if (given === true || given === 'true') return true;
		if (given === false || given === 'false') return false;
		const advice = `It is ${formatValue(value)}. An expression has to give true or false.`;
		return this.refuse(`'${property.displayName}' is neither true nor false`, advice);
	}

	/**
	 * The whole number. Text counts, too.
	 * @throws NodeOperationError for anything else and for a number out of the parameter's range
	 */
	number(property: INodeProperties, added?: IDataObject): number {
		const value = this.read(property, added);
		const { minValue: min = -Infinity, maxValue: max = Infinity } = property.typeOptions ?? {};
		const given = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
		const isNumber = Number.isInteger(given);
		if (isNumber && Number(given) >= min && Number(given) <= max) return Number(given);
		const range = max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`;
		const problem = `'${property.displayName}' isn't a whole number ${range}`;
		return this.refuse(problem, `It is ${formatValue(value)}.`);
	}

	/**
	 * The text of a value. A list of one text is that text, as a form or a table gives one.
	 * @throws NodeOperationError for an object, another list, or an invalid number or date
	 */
	toText(value: unknown, { displayName }: { displayName: string }, advice = toOneValue): string {
		const isOneText = Array.isArray(value) && value.length === 1 && typeof value[0] === 'string';
		const text = toText(isOneText ? value[0] : value);
		// Half of a character, which a cut leaves, has no UTF-8.
		if (text !== undefined) return text.toWellFormed();
		const kind = describeKind(value);
		if (kind === notADate) return this.refuse(`'${displayName}' is ${kind}`, adviceOnKinds[kind]);
		return this.refuse(`'${displayName}' is ${kind}, not text`, advice);
	}

	/** What n8n's expressions give. @throws NodeOperationError if they fail */
	protected ofN8n(displayName: string, getValue: () => unknown, chunk = 'an expression'): unknown {
		try {
			return getValue();
		} catch (error) {
			const syntaxError = /^invalid syntax$|^Expression evaluation failed: SyntaxError/;
			if (syntaxError.test((error as Error)?.message)) this.refuseBraces(displayName, chunk);
			const { context, itemIndex } = this;
			throw new NodeOperationError(context.getNode(), error as Error, { itemIndex });
		}
	}

	/** Refuses what stands in double braces: it often comes from another template language. */
	protected refuseBraces(displayName: string, chunk: string): never {
		// n8n ends it at the second of three braces.
		const shown = shorten(chunk, maxNameLength).replace(/^\{{3}[^{}]+\}\}$/, '$&}');
		const problem = `'${displayName}' has ${shown}, which is neither a token nor code that n8n knows`;
		const advice =
			"Replace it by a token, {{name}} or {{name|there}} without spaces after |, or by an expression, such as {{ $json['First name'] }} or {{ $json.name.toUpperCase() }}. Blocks and filters of other template languages don't work, nor does formatting (tags) inside the braces. Join texts with +. n8n ends an expression at the first }}.";
		return this.refuse(problem, advice);
	}

	/**
	 * Refuses code in a field that is set to Fixed: n8n leaves it as it is. The editor switches a field
	 * by itself, but a workflow that is written by hand or by a model may have one.
	 * @param hasTokens whether braces may be tokens
	 */
	refuseFixed(displayName: string, stored: unknown, hasTokens = false): void {
		const code = hasTokens ? /\{\{\s*\$/ : /\{\{/;
		if (typeof stored !== 'string' || isExpression(stored) || !code.test(stored)) return;
		const advice = `What is in braces stays as it is written: “${shorten(stored, maxNameLength)}”. Switch the field to Expression, and write a field of the item as {{ $json.name }}.`;
		this.refuse(`'${displayName}' is set to Fixed`, advice);
	}
}

const toOneValue =
	'Write an expression that leads to one value, such as {{ $json.orders[0].id }}. To do something for each entry of a list, make items of them first, with the Split Out node; to write a list within a text, join it, such as {{ $json.tags.join(", ") }}.';

/** Whether a parameter, as the node stores it, is set to Expression. */
export function isExpression(stored: unknown): stored is string {
	return typeof stored === 'string' && stored.startsWith('=');
}

/** Reads the parameters of a poll. It has no items, so the item index is ignored. */
export function createPollReader(context: IPollFunctions): ParameterReader {
	const getNodeParameter = (name: string, _itemIndex: number, fallback?: unknown) =>
		context.getNodeParameter(name, fallback);
	const getNode = () => context.getNode();
	return new ParameterReader({ getNode, getNodeParameter } as ParameterContext, 0);
}
