import type { INodeProperties } from 'n8n-workflow';

/** The Limit parameter of whatever gives many results. */
export const limit: INodeProperties = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	description: 'Max number of results to return',
};
