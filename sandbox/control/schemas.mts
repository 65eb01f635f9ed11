import { addressOutcomes } from '../addresses.mts';
import { collectionNames } from '../data/collections.mts';
import { modes } from '../identity.mts';
import { faultKinds } from './faults.mts';

/** Bytes. Ten thousand contacts take about five megabytes, and a fault's body may be huge. */
export const bodyLimit = 64 * 1024 * 1024;

const text = { type: 'string' } as const;
const whole = { type: 'integer' } as const;
const count = { type: 'integer', minimum: 0 } as const;

/** An object with these properties and no others, so that a misspelt one is noticed. */
function only(properties: Record<string, object>, required: string[] = []) {
	return { type: 'object', additionalProperties: false, required, properties };
}

const mode = { type: 'string', enum: modes } as const;

export const modeQuery = only({ mode });
export const collectionPath = only({ collection: { type: 'string', enum: collectionNames } });

export const resetBody = only({
	seed: whole,
	contacts: count,
	readings: { type: 'object' },
	requestsPerMinute: count,
	latency: count,
});

export const seedBody = only({ seed: whole, contacts: count });
export const clockBody = only({ advance: count }, ['advance']);
export const rateBody = only({ requestsPerMinute: count }, ['requestsPerMinute']);
export const latencyBody = only({ latency: count }, ['latency']);

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
		delayMs: count,
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

/** A contact for the store: any field may be missing, and none has to keep the update's rules. */
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

/** Any record but a contact: the interface does not show its fields. */
export const recordBody = { type: 'object', properties: { id: text, createdAt: text } } as const;

export const recordsBody = only(
	{ records: { type: 'array', items: { ...recordBody, required: ['id', 'createdAt'] } } },
	['records'],
);
