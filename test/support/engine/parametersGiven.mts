import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import { CrmWorkspace } from '../../../nodes/CrmWorkspace/CrmWorkspace.node';
import { oneRequestEach } from './oneRequestEach.mts';

/**
 * All parameters of the operations and all their options that have a type, each given by an
 * expression, with the parameter to which the user adds it.
 */
export function parametersGiven(type: INodeProperties['type'], expression: string) {
	const { properties } = new CrmWorkspace().description;
	const bases: INodeParameters[] = [
		oneRequestEach['Send Transactional Email'],
		oneRequestEach['Update Contact'],
		oneRequestEach.List,
	];
	return bases
		.flatMap((base) => {
			const isOwn = ({ displayOptions }: INodeProperties) =>
				displayOptions?.show?.operation?.includes(base.operation as string);
			return properties.filter(isOwn).flatMap((property) => {
				const { name } = property;
				if (name !== 'options' && name !== 'filters') {
					return [{ property, addedTo: '', parameters: { ...base, [name]: expression } }];
				}
				return (property.options as INodeProperties[]).map((option) => ({
					property: option,
					addedTo: name,
					parameters: { ...seeing(option, base), [name]: { [option.name]: expression } },
				}));
			});
		})
		.filter(({ property }) => property.type === type);
}

/** A node in which the user sees the option. */
function seeing({ displayOptions }: INodeProperties, base: INodeParameters): INodeParameters {
	const isOfArticles = displayOptions?.show?.['/collection']?.includes('knowledgeBaseArticles');
	return isOfArticles ? oneRequestEach['List of articles'] : base;
}
