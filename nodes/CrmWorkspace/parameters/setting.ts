import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { ParameterContext } from './parameterContext';
import { refuse } from './refuse';
import { shownValue } from './shown';

/** The part of a parameter's description that reading its value needs. */
type Described = Pick<INodeProperties, 'displayName' | 'options' | 'typeOptions'>;

/**
 * Which of its options a parameter is set to. An expression may give something else.
 * @param value as n8n gives it
 * @throws NodeOperationError naming the options for anything else
 */
export function choice(
	context: ParameterContext,
	{ displayName, options }: Described,
	value: unknown,
	itemIndex: number,
): string {
	const choices = options as INodePropertyOptions[];
	const chosen = choices.find((option) => option.value === value);
	if (chosen) return String(chosen.value);
	const [names, values] = [choices.map(({ name }) => name), choices.map((one) => one.value)];
	return refuse(
		context,
		itemIndex,
		`${displayName} is neither ${names.join(' nor ')}`,
		`It is ${shownValue(value)}. An expression has to give ${values.join(' or ')}.`,
	);
}

/**
 * Whether a boolean parameter is on. Text counts, too, because the query of a webhook has nothing
 * else.
 * @param value as n8n gives it
 * @throws NodeOperationError for what is neither true nor false
 */
export function isOn(
	context: ParameterContext,
	{ displayName }: Described,
	value: unknown,
	itemIndex: number,
): boolean {
	const given = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (given === true || given === 'true') return true;
	if (given === false || given === 'false') return false;
	return refuse(
		context,
		itemIndex,
		`${displayName} is neither true nor false`,
		`It is ${shownValue(value)}. An expression has to give true or false.`,
	);
}

/** What a number has to be, beyond the range in its parameter's description. */
interface NumberRule {
	isInteger: boolean;
	/** What the user can do instead of entering a number, for the error. */
	wayOut?: string;
}

/**
 * The number that a parameter is set to. Text counts, too, because the query of a webhook has
 * nothing else.
 * @param value as n8n gives it
 * @throws NodeOperationError naming the range for anything else
 */
export function numberSetting(
	context: ParameterContext,
	{ displayName, typeOptions }: Described,
	value: unknown,
	itemIndex: number,
	{ isInteger, wayOut }: NumberRule,
): number {
	const { minValue: least = -Infinity, maxValue: most = Infinity } = typeOptions ?? {};
	const given = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	const isNumber = isInteger ? Number.isInteger(given) : Number.isFinite(given);
	if (isNumber && Number(given) >= least && Number(given) <= most) return Number(given);
	const range = most === Infinity ? `of at least ${least}` : `from ${least} to ${most}`;
	return refuse(
		context,
		itemIndex,
		`${displayName} is not a ${isInteger ? 'whole number' : 'number'} ${range}`,
		`It is ${shownValue(value)}. Enter a number${wayOut ? `, or ${wayOut}` : ''}.`,
	);
}
