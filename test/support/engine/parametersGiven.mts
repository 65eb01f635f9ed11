import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import { CrmWorkspace } from '../../../nodes/CrmWorkspace/CrmWorkspace.node';
import { oneRequestEach } from './oneRequestEach.mts';

/** A parameter or option of an operation, with the parameters of a node where an expression gives it. */
export interface Given {
	property: INodeProperties;
	/** The parameter to which the user adds it. */
	addedTo?: string;
	parameters: INodeParameters;
}

/**
 * All parameters of the operations and all their options that have a type, each given by an
 * expression: one that is added is among them.
 */
export function parametersGiven(type: INodeProperties['type'], expression: string): Given[] {
	const { properties } = new CrmWorkspace().description;
	const bases = ['Send Transactional Email', 'Update Contact', 'List'] as const;
	const all = bases.flatMap((name) => {
		const { operation } = oneRequestEach[name];
		const own = properties.filter(({ displayOptions }) =>
			displayOptions?.show?.operation?.includes(operation),
		);
		return own.flatMap((property): Given[] => {
			const addedTo = property.name;
			if (addedTo !== 'options' && addedTo !== 'filters') {
				return [{ property, parameters: { ...oneRequestEach[name], [addedTo]: expression } }];
			}
			return (property.options as INodeProperties[]).map((option) => ({
				property: option,
				addedTo,
				parameters: { ...baseOf(name, option), [addedTo]: { [option.name]: expression } },
			}));
		});
	});
	return all.filter(({ property }) => property.type === type);
}

/** A node in which the user sees the option. */
function baseOf(name: keyof typeof oneRequestEach, { displayOptions }: INodeProperties) {
	const isOfArticles = displayOptions?.show?.['/collection']?.includes('knowledgeBaseArticles');
	return oneRequestEach[isOfArticles ? 'List of articles' : name];
}
