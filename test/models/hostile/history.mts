import fc from 'fast-check';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { contactFields } from '../harness/contacts.mts';
import { maybe, weighted } from '../harness/draw.mts';
import { crmWorkspace } from '../harness/n8n.mts';
import { anyValue, foreignJson, foreignText, key, text } from './values.mts';

/** What is asked of the package: an operation, or what the editor and the trigger ask. */
export type Kind = (typeof operations)[number] | 'search' | 'credential test' | 'poll';

export const operations = ['sendTransactionalEmail', 'updateContact', 'list'] as const;

/** The address of the service. */
export const baseUrl = 'https://crm.example.com/api/v1';

const { properties } = crmWorkspace.description;

/** What a parameter is if nobody means harm; the others have their defaults. */
const usual: Record<string, unknown> = {
	templateSlug: 'welcome',
	subject: 'Subject',
	html: '<p>Hello {{name|there}}</p>',
	searchTerm: 'refund',
	variables: { variable: [] },
};

const mapper = fc.record({
	mappingMode: fc.constantFrom('defineBelow', 'autoMapInputData'),
	value: fc.constant({ notes: 'A note' }),
	schema: fc.constant(contactFields.map((id) => ({ id, displayName: id, type: 'string' }))),
});

/** A sound value of a parameter: any of those that can be chosen. */
function soundValue({ name, type, options, default: byDefault }: INodeProperties) {
	if (name === 'contact') return fc.constantFrom('id', 'email', 'list').map((mode) => ({ mode }));
	if (type === 'resourceMapper') return mapper;
	if (type === 'boolean') return fc.boolean();
	if (type === 'options')
		return fc.constantFrom(...(options as INodePropertyOptions[])).map(({ value }) => value);
	if (name === 'options')
		return fc.record(soundValues(options as INodeProperties[]), { requiredKeys: [] });
	return fc.constant(usual[name] ?? byDefault);
}

function soundValues(some: INodeProperties[]): Record<string, fc.Arbitrary<unknown>> {
	return Object.fromEntries(some.map((property) => [property.name, soundValue(property)]));
}

const propertiesOf = (kind: Kind) =>
	properties.filter(({ displayOptions }) => displayOptions?.show?.operation?.includes(kind));

/** Parameters that take no expression, because others depend on them. */
const deciding = ['collection', 'content', 'variablesInput', 'idempotency'];

/** The paths of all that can have a value of its own for each item. */
function pathsOf(kind: Kind): string[] {
	const variables = [0, 1].flatMap((n) => [
		`variables.variable.${n}.name`,
		`variables.variable.${n}.value`,
	]);
	const mapped = contactFields.map((name) => `fields.value.${name}`);
	const own = propertiesOf(kind).flatMap(({ name, type, options = [] }) => [
		...(name === 'contact' ? ['contact.value', 'contact.mode'] : []),
		...(name === 'variables' ? variables : []),
		...(type === 'resourceMapper' ? mapped : []),
		...(type === 'collection' ? options.map((option) => `${name}.${option.name}`) : []),
		name,
	]);
	return ['operation', ...own.filter((name) => !deciding.includes(name))];
}

/** A parameter that has another value than it should for one of the items. */
interface Override {
	at: string;
	item: number;
	value: unknown;
}

const override = (kind: Kind): fc.Arbitrary<Override> =>
	fc.record({ at: fc.constantFrom(...pathsOf(kind)), item: fc.nat(1), value: anyValue });

const credential = fc.oneof(
	fc.record({
		at: fc.constantFrom(
			'baseUrl',
			'mode',
			'apiKey',
			'authHeader',
			'requestsPerMinute',
			'processes',
		),
		value: fc.oneof(anyValue, fc.constantFrom<unknown>(1, 0.5, -1, 1e308, 'live', '__proto__')),
	}),
	fc.record({
		at: fc.constant('baseUrl'),
		value: fc.constantFrom(
			'HTTPS://crm.example.com/api/../api/v1///',
			'https:\\\\crm.example.com\\api\\v1',
			'https://user:pass@crm.example.com/api/v1',
			'https://crm.example.com/api/v1?next=',
			'https://crm.example.com/äpi/{{v1}}',
			'//crm.example.com/api/v1',
			'javascript:alert(1)',
			'file:///etc/passwd',
		),
	}),
	fc.record({
		at: fc.constant('apiKey'),
		value: fc.constantFrom('\r\nX-Injected: 1', 'é', '\u0000', ' ').map((rest) => key + rest),
	}),
);

/** The errors of services, as text: CODE and MESSAGE are JSON. */
const errorBodies = [
	'{"error":{"code":CODE,"message":MESSAGE}}',
	'{"code":CODE,"message":MESSAGE}',
	'{"error":MESSAGE}',
	'{"errors":[{"field":CODE,"message":MESSAGE}]}',
	'{"type":CODE,"title":MESSAGE,"detail":MESSAGE}',
	'{"message":[MESSAGE,CODE]}',
	'MESSAGE',
];

const errorCode = fc.oneof(
	fc.constantFrom('IDEMPOTENT_REPLAY', 'IDEMPOTENCY_KEY_REUSED').map((code) => `"${code}"`),
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

/** Changes of a right response: a value of it, by number, is another one or gets a further field. */
const changes = fc.array(
	fc.record({ place: fc.nat(60), name: maybe(foreignText, 4), json: foreignJson }),
	{ minLength: 1, maxLength: 3 },
);

/** How a message is reported as rejected. */
const rejection = foreignJson.map((json) => [
	{ place: 0, name: 'status', json: '"rejected"' },
	{ place: 0, name: 'errorReason', json },
]);

const response = fc.record({
	statusCode: fc.oneof(
		{ weight: 4, arbitrary: fc.constantFrom(200, 201) },
		{ weight: 4, arbitrary: fc.constantFrom(400, 401, 403, 404, 408, 409, 422, 429, 500, 503) },
		{ weight: 1, arbitrary: fc.constantFrom(204, 206, 302, 307, 304, 451, 599, 999) },
	),
	headers: fc.record(
		{
			'retry-after': fc.oneof(
				fc.constantFrom(
					'0',
					'1',
					'-1',
					'1e999',
					'NaN',
					'99999999999',
					'Wed, 21 Oct 2099 07:28:00 GMT',
				),
				foreignText,
			),
			location: foreignText,
			date: foreignText,
		},
		{ requiredKeys: [] },
	),
	/** As text, or what differs from the right one. */
	body: fc.oneof(
		{ weight: 4, arbitrary: changes },
		{ weight: 1, arbitrary: rejection },
		{ weight: 4, arbitrary: errorBody },
		{ weight: 1, arbitrary: page },
		{ weight: 2, arbitrary: foreignText },
	),
});

export interface Change {
	place: number;
	name?: string;
	json: string;
}

/** What n8n's HTTP client throws, together with the request and its headers. */
const thrown = fc.record({
	thrown: foreignText,
	code: fc.constantFrom(
		undefined,
		'ECONNRESET',
		'ENOTFOUND',
		'CERT_HAS_EXPIRED',
		'ERR_INVALID_CHAR',
	),
});

const answer = fc.oneof(
	{ weight: 20, arbitrary: response },
	{ weight: 2, arbitrary: thrown },
	{ weight: 1, arbitrary: fc.constant('silence' as const) },
);

const history = (kind: Kind, harm: 'input' | 'service' | 'credential' | 'all') => {
	const by = (who: string) => harm === who || harm === 'all';
	const isOperation = operations.some((one) => one === kind);
	const few = { maxLength: 3 };
	return fc.record({
		kind: fc.constant(kind),
		onError: fc.constantFrom('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
		items: fc.integer({ min: 1, max: 2 }),
		parameters: fc.record(soundValues(propertiesOf(kind))),
		overrides:
			by('input') && isOperation ? fc.array(override(kind), few) : fc.constant<Override[]>([]),
		/** Of each input item, or what is typed into a search. */
		columns: by('input')
			? fc.array(fc.tuple(fc.oneof(fc.constantFrom(...contactFields), text), anyValue), few)
			: fc.constant<Array<[string, unknown]>>([]),
		credential: by('credential') ? credential : fc.constant(undefined),
		/** To the first requests; all further ones are right. */
		answers: by('service') ? answers : fc.constant<Answer[]>([]),
	});
};

const answers = fc.oneof(
	fc.array(answer, { minLength: 1, maxLength: 3 }),
	answer.map((one) => Array<Answer>(8).fill(one)),
);

/** One use of the package. */
export const histories = fc
	.tuple(
		weighted<Kind>(
			[6, 'sendTransactionalEmail'],
			[6, 'updateContact'],
			[4, 'list'],
			[2, 'search'],
			[2, 'credential test'],
			[2, 'poll'],
		),
		weighted<'input' | 'service' | 'credential' | 'all'>(
			[5, 'input'],
			[7, 'service'],
			[1, 'credential'],
			[2, 'all'],
		),
	)
	.chain(([kind, harm]) => history(kind, harm));

type Drawn<T> = T extends fc.Arbitrary<infer Value> ? Value : never;
export type History = Drawn<typeof histories>;
export type Answer = Drawn<typeof answer>;
