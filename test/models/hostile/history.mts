import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { maybe, type Drawn } from '../harness/draw.mts';
import { foreignJson, foreignText } from './values.mts';

export const idOf = (index: number) => `0000000${index}-0000-4000-8000-000000000000`;
export const addressOf = (index: number) => `r${index}@example.com`;

const send = { operation: 'sendTransactionalEmail', to: addressOf(0) };
const values = { firstName: 'Ada', phone: '+1 555', source: 'website', tags: 'a, b' };
const fields = { mappingMode: 'defineBelow', value: values, matchingColumns: [], schema: [] };

/** Runs of the node. */
const runs: IDataObject[] = [
	{
		...{ ...send, content: 'html', subject: 'Subject', html: '<p>Hello {{name|there}}</p>' },
		...{ variablesInput: 'json', variablesJson: { name: 'Ada' } },
		...{ idempotency: 'custom', idempotencyKey: 'order-1', options: { onRejected: 'output' } },
		additionalFields: { fromName: 'Ann', replyTo: 'ann@example.com', contactId: idOf(8) },
	},
	{
		...{ ...send, content: 'template', templateSlug: 'welcome', idempotency: 'none' },
		variables: { variable: [{ name: 'name', value: 'Ada' }] },
	},
	{
		...{ operation: 'updateContact', fields, options: { concurrency: 5, timeout: 30 } },
		contact: { __rl: true, mode: 'email', value: addressOf(0) },
	},
	{
		...{ operation: 'updateContact', fields, options: { tagMode: 'add' } },
		contact: { __rl: true, mode: 'id', value: idOf(1) },
	},
	{
		...{ operation: 'list', collection: 'contacts', returnAll: true },
		filters: { search: 'r', email: addressOf(1), tag: 'a', updatedAfter: '1970-01-01' },
	},
	{ operation: 'list', collection: 'knowledgeBaseArticles', searchTerm: 'refund', limit: 5 },
];

/** The errors of services, as text: CODE and MESSAGE are JSON. */
const errorBodies = [
	'{"error":{"code":CODE,"message":MESSAGE}}',
	'{"code":CODE,"message":MESSAGE}',
	'{"error":MESSAGE}',
	'{"errors":[{"field":CODE,"message":MESSAGE}]}',
	'{"type":CODE,"title":MESSAGE,"detail":MESSAGE}',
	'{"message":[MESSAGE,CODE]}',
];

const errorCode = fc.oneof(
	fc.constantFrom('"IDEMPOTENT_REPLAY"', '"IDEMPOTENCY_KEY_REUSED"'),
	foreignJson,
);

const errorBody = fc
	.tuple(fc.constantFrom(...errorBodies), errorCode, foreignJson)
	.map(([body, code, message]) =>
		body.replace('CODE', () => code).replaceAll('MESSAGE', () => message),
	);

const page = fc
	.tuple(foreignText, foreignText)
	.map(([title, rest]) => `<!DOCTYPE html><html><head><title>${title}</title></head>${rest}`);

/** The value with this number in a right response is another one, or gets a further field. */
const change = fc.record({ place: fc.nat(60), name: maybe(foreignText, 4), json: foreignJson });

const response = fc.record({
	statusCode: fc.oneof(
		{ weight: 4, arbitrary: fc.constantFrom(200, 201) },
		{ weight: 4, arbitrary: fc.constantFrom(400, 401, 403, 404, 408, 409, 422, 429, 500, 503) },
		{ weight: 1, arbitrary: fc.constantFrom(204, 206, 302, 307, 304, 451, 599, 999) },
	),
	headers: fc.record(
		{
			'retry-after': fc.oneof(fc.constantFrom('0', '-1', '1e999', '99999999999'), foreignText),
			location: foreignText,
			date: foreignText,
		},
		{ requiredKeys: [] },
	),
	/** As text, or what differs from the right one. */
	body: fc.oneof(
		{ weight: 4, arbitrary: fc.array(change, { minLength: 1, maxLength: 3 }) },
		{ weight: 4, arbitrary: errorBody },
		{ weight: 1, arbitrary: page },
		{ weight: 2, arbitrary: foreignText },
	),
});

/** What n8n's HTTP client throws, together with the request and its headers. */
const thrown = fc.record({
	thrown: foreignText,
	code: fc.constantFrom(undefined, 'ECONNRESET', 'ENOTFOUND', 'CERT_HAS_EXPIRED'),
});

const answer = fc.oneof(
	{ weight: 20, arbitrary: response },
	{ weight: 2, arbitrary: thrown },
	{ weight: 1, arbitrary: fc.constant('silence' as const) },
);

/** One run of the node, and what a hostile service answers. */
export const histories = fc.record({
	run: fc.constantFrom(...runs),
	onError: fc.constantFrom('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
	/** To the first requests; all further ones are right. */
	answers: fc.oneof(
		fc.array(answer, { maxLength: 3 }),
		answer.map((one) => Array<Answer>(8).fill(one)),
	),
});

export type History = Drawn<typeof histories>;
export type Answer = Drawn<typeof answer>;
export type Change = Drawn<typeof change>;
