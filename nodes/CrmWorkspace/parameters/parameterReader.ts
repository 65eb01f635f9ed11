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
import type { Explanation } from '../common/text';
import { isExpression, isSyntaxError } from '../n8n/expressions';
import { texts } from './texts';
import { toText } from './value';

/** The part of n8n's execution context that reading parameters needs. */
type ParameterContext = Pick<IExecuteFunctions, 'getNode' | 'getNodeParameter'>;

/** Reads a parameter, or a field that the user has added to one of n8n's type `collection`. */
export class ParameterReader<Context extends ParameterContext = ParameterContext> {
	/** What isn't done if the item is refused, in a sentence, once that is known. */
	notDone = '';

	constructor(
		readonly context: Context,
		readonly itemIndex: number,
	) {}

	/**
	 * Refuses the item.
	 * @param explanation what is wrong, with the parameter's name for the user, and what to do about it
	 * @throws NodeOperationError always, naming the item
	 */
	refuse([message, advice]: Explanation): never {
		const { context, itemIndex, notDone } = this;
		const description = [notDone, advice].filter(Boolean).join(' ');
		throw new NodeOperationError(context.getNode(), message, { itemIndex, description });
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
		const values = choices.map((option) => String(option.value));
		return this.refuse(texts.notChosenFrom(property.displayName, value, values));
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
		return this.refuse(texts.notABoolean(property.displayName, value));
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
		return this.refuse(texts.notANumber(property.displayName, min, max, value));
	}

	/**
	 * The text of a value. A list of one text is that text, as a form or a table gives one.
	 * @throws NodeOperationError for an object, another list, or an invalid number or date
	 */
	toText(value: unknown, { displayName }: { displayName: string }, advice?: string): string {
		const isOneText = Array.isArray(value) && value.length === 1 && typeof value[0] === 'string';
		const text = toText(isOneText ? value[0] : value);
		// Half of a character, which a cut leaves, has no UTF-8.
		if (text !== undefined) return text.toWellFormed();
		return this.refuse(texts.notText(displayName, value, advice));
	}

	/** What n8n's expressions give. @throws NodeOperationError if they fail */
	protected ofN8n(displayName: string, getValue: () => unknown, chunk = 'an expression'): unknown {
		try {
			return getValue();
		} catch (error) {
			if (isSyntaxError(error)) this.refuse(texts.neitherTokenNorCode(displayName, chunk));
			const { context, itemIndex } = this;
			throw new NodeOperationError(context.getNode(), error as Error, { itemIndex });
		}
	}

	/**
	 * Refuses code in a field that is set to Fixed: n8n leaves it as it is. The editor switches a field
	 * by itself, but a workflow that is written by hand or by a model may have one.
	 * @param hasTokens whether braces may be tokens
	 */
	refuseFixed(displayName: string, stored: unknown, hasTokens = false): void {
		const code = hasTokens ? /\{\{\s*\$/ : /\{\{/;
		if (typeof stored !== 'string' || isExpression(stored) || !code.test(stored)) return;
		this.refuse(texts.setToFixed(displayName, stored));
	}
}

/** Reads the parameters of a poll. It has no items, so the item index is ignored. */
export function createPollReader(context: IPollFunctions): ParameterReader {
	const getNodeParameter = (name: string, _itemIndex: number, fallback?: unknown) =>
		context.getNodeParameter(name, fallback);
	const getNode = () => context.getNode();
	return new ParameterReader({ getNode, getNodeParameter } as ParameterContext, 0);
}
