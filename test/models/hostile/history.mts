import fc from 'fast-check';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { CrmWorkspaceApi } from '../../../credentials/CrmWorkspaceApi.credentials';
import { CrmWorkspace } from '../../../nodes/CrmWorkspace/CrmWorkspace.node';
import { contactFieldNames } from '../../../nodes/CrmWorkspace/api/records';
import { maybe, weighted, type Drawn } from '../harness/draw.mts';
import { anyValue, foreignJson, foreignText, key, text } from './values.mts';

export const operations = ['sendTransactionalEmail', 'updateContact', 'list'] as const;

/** What is asked of the package: an operation, or what the editor and the scheduler ask. */
const kinds = [...operations, 'credential test', 'poll'] as const;
export type Kind = (typeof kinds)[number];

/** The address of the service. */
export const baseUrl = 'https://crm.example.com/api/v1';

const id = '00000001-0000-4000-8000-000000000000';

/** What a parameter is if it isn't hostile; the others have their defaults. */
const usual: Record<string, unknown> = {
	templateSlug: 'welcome',
	subject: 'Subject',
	html: '<p>Hello {{name|there}}</p>',
	text: 'Hello {{name|there}},\nhow are you?',
	variables: { variable: [{ name: 'name', value: 'Ada' }] },
	fromName: 'Ann',
	replyTo: 'ann@example.com',
	channelId: id,
	contactId: id,
	search: 'r',
	email: 'r1@example.com',
	tag: 'a',
	updatedAfter: '2023-01-01',
	searchTerm: 'refund',
	searchParameter: 'q',
};

const mapper = fc.record({
	mappingMode: fc.constantFrom('defineBelow', 'autoMapInputData'),
	value: fc.constant({ firstName: 'Ada', phone: '+1 555', source: 'website', tags: 'a, b' }),
	schema: fc.constant(contactFieldNames.map((name) => ({ id: name, displayName: name }))),
});

/** A sound value of a parameter: any of those that can be chosen. */
function soundValue({ name, type, options, default: byDefault }: INodeProperties) {
	const choices = options as INodePropertyOptions[];
	if (name === 'contact') return fc.constantFrom('id', 'email', 'list').map((mode) => ({ mode }));
	if (type === 'resourceMapper') return mapper;
	if (type === 'boolean') return fc.boolean();
	if (type === 'options') return fc.constantFrom(...choices.map(({ value }) => value));
	if (type !== 'collection') return fc.constant(usual[name] ?? byDefault);
	return fc.record(soundValues(options as INodeProperties[]), { requiredKeys: [] });
}

function soundValues(properties: INodeProperties[]): Record<string, fc.Arbitrary<unknown>> {
	return Object.fromEntries(properties.map((one) => [one.name, soundValue(one)]));
}

const parametersOf = (kind: Kind) =>
	new CrmWorkspace().description.properties.filter((one) =>
		one.displayOptions?.show?.operation?.includes(kind),
	);

/** Another value than it should have, for one of the items: of the parameter with this number. */
const override = fc.record({ place: fc.nat(60), item: fc.nat(1), value: anyValue });

/** Another value of a field of the credential, which n8n stores as JSON. */
const credential = fc.record({
	at: fc.constantFrom(...new CrmWorkspaceApi().properties.map(({ name }) => name)),
	value: fc.oneof(
		text,
		fc.constantFrom<unknown>(1, 0.5, -1, 1e308, null, [], {}, 'live', `${key}\r\nX-Injected: 1`),
		fc.constantFrom(
			'https:\\\\crm.example.com\\api\\v1',
			'https://user:pass@crm.example.com/?next=',
		),
	),
});

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
export interface Change {
	place: number;
	name?: string;
	json: string;
}

const change = fc.record({ place: fc.nat(60), name: maybe(foreignText, 4), json: foreignJson });

const retryAfter = ['0', '-1', '1e999', '99999999999', 'Wed, 21 Oct 2099 07:28:00 GMT'];

const response = fc.record({
	statusCode: fc.oneof(
		{ weight: 4, arbitrary: fc.constantFrom(200, 201) },
		{ weight: 4, arbitrary: fc.constantFrom(400, 401, 403, 404, 408, 409, 422, 429, 500, 503) },
		{ weight: 1, arbitrary: fc.constantFrom(204, 206, 302, 307, 304, 451, 599, 999) },
	),
	headers: fc.record(
		{
			'retry-after': fc.oneof(fc.constantFrom(...retryAfter), foreignText),
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

const none = { weight: 3, arbitrary: fc.constant<never[]>([]) };
const few = { minLength: 1, maxLength: 3 };
const column = fc.tuple(fc.oneof(fc.constantFrom(...contactFieldNames), text), anyValue);

const historyOf = (kind: Kind) =>
	fc.record({
		kind: fc.constant(kind),
		onError: fc.constantFrom('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
		items: fc.integer({ min: 1, max: 2 }),
		parameters: fc.record(soundValues(parametersOf(kind))),
		overrides: fc.oneof(none, { weight: 2, arbitrary: fc.array(override, few) }),
		/** Of each input item. */
		columns: fc.oneof(none, { weight: 1, arbitrary: fc.array(column, few) }),
		credential: maybe(credential, 10),
		/** To the first requests; all further ones are right. */
		answers: fc.oneof(
			{ weight: 1, arbitrary: none.arbitrary },
			{ weight: 2, arbitrary: fc.array(answer, few) },
			{ weight: 1, arbitrary: answer.map((one) => Array<Answer>(8).fill(one)) },
		),
	});

/** One use of the package. */
export const histories = weighted<Kind>(
	[6, 'sendTransactionalEmail'],
	[6, 'updateContact'],
	[4, 'list'],
	[2, 'credential test'],
	[2, 'poll'],
).chain(historyOf);

export type History = Drawn<typeof histories>;
export type Answer = Drawn<typeof answer>;
