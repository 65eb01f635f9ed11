import type { INodeProperties } from 'n8n-workflow';

/** The Simplify parameter of all operations whose records have more than ten fields. */
export const simplify: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** Text that contacts have to match. Interface: LIST-11. */
export const search: INodeProperties = {
	displayName: 'Search',
	name: 'search',
	type: 'string',
	default: '',
	placeholder: 'e.g. example.com',
	description: 'Text to search contacts for; the service decides which fields it searches',
};

/** The Options parameter, which a user adds single options to. */
export function optionsProperty(options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options,
	};
}
