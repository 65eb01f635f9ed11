import { addressOutcomes } from '../addresses.mts';
import { recordKindNames } from '../data/recordKinds.mts';
import { settableFields } from '../data/contacts.mts';
import { modes, type Mode } from '../identity.mts';
import { variantDefinitions, variantNames } from '../variants.mts';
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

const mode = { type: 'string', enum: modes, default: 'test' } as const;

export const modeQuery = only({ mode });
export interface InMode {
	Querystring: { mode: Mode };
}

export const collectionPath = only({ collection: { type: 'string', enum: recordKindNames } });

export const viewNames = ['inbox', 'contacts', 'requests', 'controls'] as const;
export type ViewName = (typeof viewNames)[number];
export const pageQuery = only({
	mode,
	view: { type: 'string', enum: viewNames, default: 'inbox' },
	search: { ...text, default: '' },
	open: { ...text, default: '' },
});

export const variantsBody = only(
	Object.fromEntries(
		variantNames.map((name) => [name, { enum: variantDefinitions[name].allowed }]),
	),
);

export const resetBody = only({
	seed: whole,
	contacts: contactCount,
	variants: variantsBody,
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
export const contactBody = only({
	id: text,
	companyId: text,
	...Object.fromEntries(settableFields.map((field) => [field, textOrNull])),
	tags: { type: ['array', 'null'], items: text },
	createdAt: text,
	updatedAt: text,
});
export const contactsBody = only({ contacts: { type: 'array', items: contactBody } }, ['contacts']);

/** Any record but a contact, of any fields. Interface: OPEN-10. */
export const recordBody = { type: 'object', properties: { id: text, createdAt: text } } as const;

export const recordsBody = only(
	{ records: { type: 'array', items: { ...recordBody, required: ['id', 'createdAt'] } } },
	['records'],
);
