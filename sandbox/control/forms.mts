import { settableFields } from '../data/contacts.mts';
import {
	addressBody,
	changesBody,
	clockBody,
	contactBody,
	faultBody,
	latencyBody,
	rateBody,
	resetBody,
	seedBody,
} from './schemas.mts';

/** A control that the page shows as a form, with one field for each property of the schema. */
export interface Form {
	title: string;
	text: string;
	method: 'POST' | 'PATCH';
	/** Below /_sandbox. */
	path: string;
	schema: { properties: Record<string, object>; required: string[] };
}

const text = { type: 'string' };

export const forms: Form[] = [
	{
		title: 'Add a fault',
		text: 'Affects the next request that matches. Empty fields match each request.',
		method: 'POST',
		path: '/faults',
		schema: faultBody,
	},
	{
		title: 'Set an address',
		text: 'The outcome of messages for this address.',
		method: 'POST',
		path: '/addresses',
		schema: addressBody,
	},
	{
		title: 'Advance the clock',
		text: 'In milliseconds. Timestamps, message states and the rate limit follow the clock.',
		method: 'POST',
		path: '/clock',
		schema: clockBody,
	},
	{
		title: 'Set the rate limit',
		text: 'Requests per minute of each key. 0 for no limit.',
		method: 'PATCH',
		path: '/rate',
		schema: rateBody,
	},
	{
		title: 'Set the latency',
		text: 'In milliseconds, for each request.',
		method: 'PATCH',
		path: '/latency',
		schema: latencyBody,
	},
	{
		title: 'Add an activity',
		text: 'It appears in the feed of activities.',
		method: 'POST',
		path: '/records/activities',
		schema: { properties: { type: text, summary: text }, required: ['summary'] },
	},
	{
		title: 'Add a task',
		text: 'It is overdue once the time, in ISO 8601, has passed.',
		method: 'POST',
		path: '/records/tasks',
		schema: { properties: { title: text, dueAt: text }, required: ['title', 'dueAt'] },
	},
	{
		title: 'Change contacts at random',
		text: 'Before every n-th GET /contacts.',
		method: 'POST',
		path: '/changes',
		schema: changesBody,
	},
	{
		title: 'Generate the data again',
		text: 'Replaces contacts and other records, and empties the inbox.',
		method: 'POST',
		path: '/seed',
		schema: seedBody,
	},
	{
		title: 'Reset',
		text: 'Restores the state of the start, except for these values.',
		method: 'POST',
		path: '/reset',
		schema: resetBody,
	},
];

const settable = Object.fromEntries(
	settableFields.map((name) => [name, contactBody.properties[name]]),
);

/** Creates a contact, or changes one. */
export const contactForm: Form = {
	title: 'Create',
	text: 'Empty fields get no value.',
	method: 'POST',
	path: '/contacts',
	schema: { properties: settable, required: [] },
};
