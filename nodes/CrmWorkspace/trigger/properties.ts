/** The parameters of the trigger. */
import type { INodeProperties } from 'n8n-workflow';
import { contactFieldNames } from '../api/records';
import {
	displayNames,
	optionsProperty,
	search,
	simplify,
	sortByName,
} from '../parameters/properties';
import type { EventName } from './events';

export const events: INodeProperties = {
	displayName: 'Trigger On',
	name: 'events',
	type: 'multiOptions',
	noDataExpression: true,
	required: true,
	options: [
		{
			name: 'Activity Added',
			value: 'activityAdded',
			description: 'An activity was added to the feed',
		},
		{ name: 'Contact Created', value: 'contactCreated', description: 'A contact was created' },
		{
			name: 'Contact Updated',
			value: 'contactUpdated',
			description: 'A field of a contact was changed',
		},
		{ name: 'Task Became Overdue', value: 'taskOverdue', description: 'A task became overdue' },
	] satisfies Array<{ name: string; value: EventName; description: string }>,
	default: ['contactCreated'],
};

export const maxEvents: INodeProperties = {
	displayName: 'Max Events per Poll',
	name: 'maxEvents',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 100,
	description: 'Max number of events per poll; the remaining ones follow with later polls',
};

export const fields: INodeProperties = {
	displayName: 'Watched Fields',
	name: 'fields',
	type: 'multiOptions',
	options: sortByName(contactFieldNames.map((name) => ({ name: displayNames[name], value: name }))),
	displayOptions: { show: { '/events': ['contactUpdated'] } },
	default: [],
	description:
		"Trigger 'Contact Updated' only if one of these fields changes; leave empty for any change",
};

export const options = optionsProperty([maxEvents, search, fields]);

export const properties: INodeProperties[] = [
	events,
	{
		...simplify,
		displayOptions: { show: { events: ['contactCreated', 'contactUpdated'] } },
	},
	{
		displayName:
			'If a workflow causes its own event, it repeats forever, such as by an email that the service records as an activity, or by another value each time.',
		name: 'loopNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { events: ['activityAdded', 'contactUpdated'] } },
	},
	options,
];
