import type { INodePropertyOptions, INodeProperties } from 'n8n-workflow';

/**
 * A parameter that is required if another one, the decider, has a certain value. When the decider
 * is set by an expression, n8n counts the parameter as shown, and would not run the node without
 * it. So it is described twice: as required where the decider has that fixed value, and as optional
 * where an expression decides. In the second case the operation asks for it when it runs.
 * @param decider an options parameter
 * @param value the value of the decider with which the parameter is required
 */
export function requiredWhere(
	decider: INodeProperties,
	value: string,
	parameter: INodeProperties,
): INodeProperties[] {
	const { name, options } = decider;
	const fixedValues = (options as INodePropertyOptions[]).map((option) => option.value);
	return [
		{
			...parameter,
			required: true,
			displayOptions: { hide: { [name]: [{ _cnd: { not: value } }] } },
		},
		{ ...parameter, displayOptions: { hide: { [name]: fixedValues } } },
	];
}
