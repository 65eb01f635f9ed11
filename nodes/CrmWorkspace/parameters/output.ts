/** Which fields of a record come out: few or all for users, and any for the tool of an AI agent. */
import type { INodeProperties } from 'n8n-workflow';
import { trim } from '../common/text';
import type { ItemReader } from './itemReader';
import { simplify } from './properties';
import { texts } from './texts';

export const output: INodeProperties[] = [
	{ ...simplify, displayOptions: { hide: { '@tool': [true] } } },
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Raw', value: 'raw' },
			{ name: 'Selected Fields', value: 'selected' },
			{ name: 'Simplified', value: 'simplified' },
		],
		default: 'simplified',
		description: 'Which fields to return',
		displayOptions: { show: { '@tool': [true] } },
	},
	{
		displayName: 'Fields to Return',
		name: 'outputFields',
		type: 'string',
		default: '',
		placeholder: 'e.g. createdAt',
		description: 'Names of the fields, separated by commas',
		displayOptions: { show: { '@tool': [true], output: ['selected'] } },
	},
];

/**
 * @param simplified the fields that are useful for most
 * @param all the fields that a record may have
 * @returns the fields that come out; undefined for all
 * @throws NodeOperationError for a name that isn't a field's, so that a model can correct it
 */
export function readShownFields(
	item: ItemReader,
	simplified: readonly string[],
	all: readonly string[],
): readonly string[] | undefined {
	// Only a tool has these parameters.
	const read = (name: string) => item.context.getNodeParameter(name, item.itemIndex, '');
	const chosen = read('output');
	const isSimplified = chosen ? chosen === 'simplified' : item.boolean(simplify);
	if (chosen !== 'selected') return isSimplified ? simplified : undefined;
	const names = String(read('outputFields')).split(',').map(trim);
	const unknown = names.find((name) => !all.includes(name));
	if (unknown !== undefined) return item.refuse(texts.unknownField(unknown, all));
	return [...new Set(['id', ...names])];
}
