import { addressOutcomes } from '../addresses.mts';
import { recordKindNames } from '../data/recordKinds.mts';
import { messageChoices } from '../data/messages.mts';
import { modes } from '../identity.mts';
import { faultKinds } from './faults.mts';

/** Bytes. Ten thousand contacts take about five megabytes, and the body of a fault may be huge. */
export const bodyLimit = 64 * 1024 * 1024;

/** Larger values would fill the memory, or keep requests waiting for hours. */
const limits = { contacts: 200_000, milliseconds: 600_000 } as const;

const text = { type: 'string' } as const;
const whole = { type: 'integer' } as const;
const count = { type: 'integer', minimum: 0 } as const;
const contactCount = { ...count, maximum: limits.contacts } as const;
const duration = { ...count, maximum: limits.milliseconds } as const;

/** An object with these properties and no others, so misspelled ones are rejected. */
function only(properties: Record<string, object>, required: string[] = []) {
	return { type: 'object', additionalProperties: false, required, properties };
}

const mode = { type: 'string', enum: modes } as const;

export const modeQuery = only({ mode });
export const collectionPath = only({ collection: { type: 'string', enum: recordKindNames } });

export const numberPath = only({ number: { type: 'string', pattern: '^[1-9][0-9]{0,8}$' } });
export const searchQuery = only({ mode, search: text });
export const messagesQuery = only({
	mode,
	search: text,
	choice: { type: 'string', enum: messageChoices },
});
export const requestsQuery = only({ search: text });

export const resetBody = only({
	seed: whole,
	contacts: contactCount,
	variants: { type: 'object' },
	requestsPerMinute: count,
	latency: duration,
});

export const seedBody = only({ seed: whole, contacts: contactCount });
/** A hundred years, in ms. Dates have an upper limit. */
const farthest = 100 * 365 * 24 * 60 * 60 * 1000;
export const clockBody = only({ advance: { ...count, maximum: farthest } }, ['advance']);
export const rateBody = only({ requestsPerMinute: count }, ['requestsPerMinute']);
export const latencyBody = only({ latency: duration }, ['latency']);

export const addressBody = only(
	{ address: { ...text, minLength: 1 }, outcome: { type: 'string', enum: addressOutcomes } },
	['address', 'outcome'],
);

export const changesBody = only(
	{
		every: { type: 'integer', minimum: 1 },
		create: count,
		delete: count,
		update: count,
		seed: whole,
	},
	['every'],
);

export const faultBody = only(
	{
		kind: { type: 'string', enum: faultKinds },
		status: { type: 'integer', minimum: 200, maximum: 599 },
		headers: { type: 'object', additionalProperties: text },
		body: {},
		delayMs: duration,
		location: text,
		after: { type: 'boolean' },
		method: text,
		path: text,
		match: text,
		next: { type: 'integer', minimum: 1 },
		probability: { type: 'number', minimum: 0, maximum: 1 },
		seed: whole,
	},
	['kind'],
);

const textOrNull = { type: ['string', 'null'] } as const;

/** A stored contact: all fields are optional, and the rules of updates don't apply. */
const contact = only({
	id: text,
	companyId: text,
	firstName: textOrNull,
	lastName: textOrNull,
	email: textOrNull,
	phone: textOrNull,
	company: textOrNull,
	jobTitle: textOrNull,
	accountId: textOrNull,
	source: textOrNull,
	tags: { type: ['array', 'null'], items: text },
	notes: textOrNull,
	createdAt: text,
	updatedAt: text,
});

export const contactBody = contact;
export const contactsBody = only({ contacts: { type: 'array', items: contact } }, ['contacts']);

/** Any record but a contact, of any fields. Interface: OPEN-10. */
export const recordBody = { type: 'object', properties: { id: text, createdAt: text } } as const;

export const recordsBody = only(
	{ records: { type: 'array', items: { ...recordBody, required: ['id', 'createdAt'] } } },
	['records'],
);
