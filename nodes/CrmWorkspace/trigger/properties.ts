import type { INodeProperties } from 'n8n-workflow';
import { displayNames } from '../parameters/contactFields';
import { limit, simplify, optionsProperty } from '../parameters/sharedProperties';
import { contactFieldNames } from '../service/records';
import type { EventName } from './events';

export const events: INodeProperties = {
	displayName: 'Events',
	name: 'events',
	type: 'multiOptions',
	noDataExpression: true,
	required: true,
	options: [
		{
			name: 'Activity Added',
			value: 'activityAdded',
			description: 'An entry is new in the activity feed. A poll takes one request.',
		},
		{
			name: 'Contact Created',
			value: 'contactCreated',
			description:
				'A contact is new. A poll takes one request for each 100 contacts, or fewer where the list is in the order of its dates.',
		},
		{
			name: 'Contact Updated',
			value: 'contactUpdated',
			description:
				'A contact has changed. Together with Contact Created, it takes no more requests.',
		},
		{
			name: 'Task Became Overdue',
			value: 'taskOverdue',
			description: 'A task is new in the list of overdue ones. A poll takes one request.',
		},
	] satisfies Array<{ name: string; value: EventName; description: string }>,
	default: ['contactCreated'],
	description:
		'What starts the workflow. What is there at the first poll is only remembered; what comes later starts the workflow once.',
};

export const search: INodeProperties = {
	displayName: 'Search',
	name: 'search',
	type: 'string',
	default: '',
	placeholder: 'e.g. example.com',
	description:
		'Text that contacts have to match. Which fields are searched is up to the service. After you change it, the contacts that match by then are only remembered.',
};

export const fields: INodeProperties = {
	displayName: 'Only When These Fields Change',
	name: 'fields',
	type: 'multiOptions',
	options: contactFieldNames.map((name) => ({ name: displayNames[name], value: name })),
	displayOptions: { show: { '/events': ['contactUpdated'] } },
	default: [],
	description:
		'Of Contact Updated: an update of other fields alone does not start the workflow. Without a parseChoice, any update does. A contact that has come to match the Search does, whatever has changed.',
};

export const options = optionsProperty([limit, fields, search]);

/** What the user sees of the trigger. */
export const properties: INodeProperties[] = [
	events,
	{
		...simplify,
		displayOptions: { show: { events: ['contactCreated', 'contactUpdated'] } },
	},
	options,
];
