import type { INodePropertyOptions, INodeProperties } from 'n8n-workflow';

/**
 * A parameter that is needed where another one has a certain value. n8n takes it for shown as soon
 * as an expression decides, and would not run the node without it. So the form asks for it only
 * where the value is fixed; otherwise it offers it, and the operation asks when it runs.
 * @param decider an options parameter
 * @param value the one of its values where the parameter is needed
 */
export function neededWhere(
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
