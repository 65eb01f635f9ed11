import fc from 'fast-check';
import type { INodeType } from 'n8n-workflow';
import { collections } from '../../support/sandbox/collections.mts';
import { built, nodeFile } from '../harness/built.mts';
import { contactFields } from '../harness/contacts.mts';
import { weighted } from '../harness/draw.mts';
import { answer, type Answer } from './answers.mts';
import { anyValue, inheritedNames, text, type Value } from './values.mts';

/** What is asked of the package. */
export const kinds = [
	'send',
	'update',
	'list',
	'search',
	'credential test',
	'authenticate',
] as const;
export type Kind = (typeof kinds)[number];

export interface Credential {
	baseUrl: (typeof baseUrls)[number] | Value;
	mode: string;
	prefix: string;
	/** What comes after the secret. */
	suffix: string;
	authHeader: string;
	requestsPerMinute: number | Value;
}

/** A parameter that has another value than it should. */
export interface Override {
	at: string;
	value: Value;
}

export interface Row {
	overrides: Override[];
	/** Of a message; of an update, the columns of the row. */
	named: Array<{ name: Value; value: Value }>;
}

/** One use of the package: a case. */
export interface History {
	kind: Kind;
	number: number;
	credential: Credential;
	onError: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
	/** Of the parameters that have few values, those of this case. */
	choices: Choices;
	rows: Row[];
	/** The first answers; all that follow are as they should be. */
	answers: Answer[];
	/** Of a request that is to get the key. */
	request: { address: keyof typeof addresses; isOwn: boolean };
}

export interface Choices {
	content: 'template' | 'html';
	variablesInput: 'fields' | 'json';
	idempotency: 'execution' | 'custom' | 'none';
	reference: 'id' | 'email' | 'list';
	mapping: 'defineBelow' | 'autoMapInputData';
	collection: string;
	returnAll: boolean;
	simplify: boolean;
	onRejected: 'fail' | 'output';
	skipUnchanged: boolean;
	unmappedFields: 'auto' | 'leave' | 'preserve';
	tags: 'replace' | 'add' | 'remove';
	dryRun: boolean;
	concurrency: 1 | 5 | 20;
}

/** Whom the message of a row is for. */
export function address(index: number): string {
	return `r${index}@example.com`;
}

/** The contact that a row updates. */
export function idOf(index: number): string {
	return `0000000${index}-0000-4000-8000-000000000000`;
}

/** Spellings of the service's address; PORT is its port. */
export const baseUrls = [
	'http://127.0.0.1:PORT/api/v1',
	'http://127.0.0.1:PORT/api/v1/',
	'http://127.0.0.1:PORT/api/v1///',
	'HTTP://127.0.0.1:PORT/api/v1',
	'http://localhost:PORT/api/v1',
	'http://LOCALHOST.:PORT/api/v1',
	'http://127.1:PORT/api/v1',
	'http://0x7f000001:PORT/api/v1',
	'http://[::ffff:127.0.0.1]:PORT/api/v1',
	'http://user:pass@127.0.0.1:PORT/api/v1',
	'http://127.0.0.1:PORT/api/v1?next=',
	'http://127.0.0.1:PORT/api/v1#',
	'http://127.0.0.1:PORT/api/../v1',
	'http://127.0.0.1:PORT/%61pi/v1',
	'http://127.0.0.1:PORT/äpi/{{v1}}',
	'http://127.0.0.1:PORT',
	' http://127.0.0.1:PORT/api/v1\n',
	'http://127.0.0.1:PORT/api\n/v1',
	'http://127.0.0.1\t:PORT/api/v1',
	'http:\\\\127.0.0.1:PORT\\api\\v1',
	'http:127.0.0.1:PORT/api/v1',
	'127.0.0.1:PORT/api/v1',
	'//127.0.0.1:PORT/api/v1',
	'https://127.0.0.1:PORT/api/v1',
	'http://127.0.0.1:99999/api/v1',
	'http://127.0.0.1:0/api/v1',
	'http://%3127.0.0.1:PORT/api/v1',
	'ftp://127.0.0.1/api/v1',
	'javascript:alert(1)',
	'file:///etc/passwd',
	'data:application/json,{}',
] as const;

/**
 * Options by which a request says where it goes. SERVICE is the service's address, ORIGIN what is
 * before its path, STRANGER that of another server.
 */
export const addresses = {
	'the service': {},
	'another address': { url: 'STRANGER/api/v1/contacts' },
	'another address as URI': { url: undefined, uri: 'STRANGER/api/v1/contacts' },
	'another base': { baseURL: 'STRANGER', url: '/api/v1/contacts' },
	'the service as base of another address': { baseURL: 'SERVICE', url: 'STRANGER/contacts' },
	'the service as base of a foreign host': { baseURL: 'SERVICE', url: '//evil.example/contacts' },
	'an address behind the at sign': { url: 'ORIGIN@evil.example/contacts' },
	'an address that only begins alike': { url: 'ORIGIN.evil.example/' },
	'an address behind a backslash': { url: 'http://evil.example\\@127.0.0.1/contacts' },
	'an address as an object': { url: { toString: () => 'http://evil.example/' } },
	'no address': { url: undefined },
	'wherever it is redirected': { disableFollowRedirect: false, maxRedirects: 9 },
} as const;

const { CrmWorkspace } = built<{ CrmWorkspace: new () => INodeType }>(nodeFile);
const { properties } = new CrmWorkspace().description;

/** Parameters that take no expression, as others depend on them. */
const deciding = ['operation', 'collection', 'content', 'variablesInput', 'idempotency'];

/** The parameters of an operation, those in its options included, that can have any value. */
function parametersOf(operation: string): string[] {
	const own = properties.filter(({ displayOptions }) =>
		displayOptions?.show?.operation?.includes(operation),
	);
	const names = own.flatMap(({ name, type, options = [] }) => [
		name,
		...(type === 'collection' ? options.map((option) => `${name}.${option.name}`) : []),
	]);
	return [...new Set(names)].filter((name) => !deciding.includes(name));
}

/** The parameters of each operation that can have another value; some more often than others. */
const overridable: Record<Kind, string[]> = {
	send: [
		...parametersOf('sendTransactionalEmail'),
		...['to', 'subject', 'html', 'variablesJson', 'idempotencyKey'],
	],
	update: [
		...parametersOf('updateContact'),
		...['contact.value', 'contact.value', 'fields.value'],
		...contactFields.map((name) => `fields.value.${name}`),
	],
	list: parametersOf('list'),
	search: ['filter', 'paginationToken'],
	'credential test': [],
	authenticate: [],
};

const soundCredential: fc.Arbitrary<Credential> = fc.record({
	baseUrl: fc.constant(baseUrls[0]),
	mode: fc.constant('test'),
	prefix: fc.constant('sk_test_'),
	suffix: weighted([8, ''], [1, '+/='], [1, '%41'], [1, '$&.*[']),
	authHeader: fc.constantFrom('authorization', 'xApiKey'),
	requestsPerMinute: weighted<number>([6, 100_000], [1, 60], [1, 1]),
});

const credential: fc.Arbitrary<Credential> = fc.record({
	baseUrl: fc.oneof(
		{ weight: 2, arbitrary: fc.constant(baseUrls[0]) },
		{ weight: 2, arbitrary: fc.constantFrom(...baseUrls) },
		{ weight: 1, arbitrary: anyValue },
	),
	mode: weighted([20, 'test'], [3, 'live'], [1, 'toString'], [1, '']),
	prefix: weighted([20, 'sk_test_'], [3, 'sk_live_'], [1, ''], [1, 'SK_TEST_']),
	suffix: fc.oneof(
		{ weight: 6, arbitrary: fc.constant('') },
		{
			weight: 1,
			arbitrary: fc.constantFrom(
				'+/=',
				' ',
				'\n',
				'\r\nX-Injected: 1',
				'é',
				'\u0000',
				'😀',
				'%41',
				'$&.*[',
				'<b>',
				'\u200b',
				'='.repeat(500),
			),
		},
	),
	authHeader: weighted([5, 'authorization'], [5, 'xApiKey'], [1, '__proto__'], [1, '']),
	requestsPerMinute: fc.oneof(
		{ weight: 6, arbitrary: fc.constant(100_000) },
		{ weight: 2, arbitrary: fc.constantFrom(1, 2, 0, -1, 0.5, 1e9, 1e308) },
	),
});

/** What a parameter with few values is when it is none of them. */
const name: fc.Arbitrary<Value> = fc.oneof(
	{ weight: 3, arbitrary: fc.constantFrom(...inheritedNames).map((text) => ({ text })) },
	{ weight: 1, arbitrary: anyValue },
);

const isChoice = /^options\.o/;

const override = (kind: Kind): fc.Arbitrary<Override> =>
	fc.constantFrom(...overridable[kind]).chain((at) =>
		fc.record({
			at: fc.constant(at),
			// n8n hands on nothing but text to a list to choose from.
			value: kind === 'search' ? text : isChoice.test(at) ? name : anyValue,
		}),
	);

const named = (kind: Kind) =>
	fc.record({
		name: fc.oneof(
			{ weight: 3, arbitrary: fc.constantFrom(...inheritedNames).map((text): Value => ({ text })) },
			{ weight: 2, arbitrary: fc.constantFrom('name', 'a b').map((text): Value => ({ text })) },
			...(kind === 'update'
				? [
						{
							weight: 3,
							arbitrary: fc.constantFrom(...contactFields).map((text): Value => ({ text })),
						},
					]
				: []),
			{ weight: 4, arbitrary: text },
			{ weight: 1, arbitrary: anyValue },
		),
		value: anyValue,
	});

const soundRow: fc.Arbitrary<Row> = fc.constant({ overrides: [], named: [] });

const row = (kind: Kind): fc.Arbitrary<Row> =>
	fc.record({
		overrides:
			overridable[kind].length === 0
				? fc.constant<Override[]>([])
				: fc.array(override(kind), { minLength: 0, maxLength: 3 }),
		named:
			kind === 'send' || kind === 'update'
				? fc.array(named(kind), { minLength: 0, maxLength: 3 })
				: fc.constant<Row['named']>([]),
	});

const choices: fc.Arbitrary<Choices> = fc.record({
	content: fc.constantFrom('template', 'html'),
	variablesInput: fc.constantFrom('fields', 'json'),
	idempotency: fc.constantFrom('execution', 'custom', 'none'),
	reference: fc.constantFrom('id', 'email', 'list'),
	mapping: fc.constantFrom('defineBelow', 'autoMapInputData'),
	collection: fc.constantFrom(...Object.keys(collections)),
	returnAll: fc.boolean(),
	simplify: fc.boolean(),
	onRejected: fc.constantFrom('fail', 'output'),
	skipUnchanged: fc.boolean(),
	unmappedFields: weighted([2, 'leave'], [2, 'auto'], [1, 'preserve']),
	tags: weighted([4, 'replace'], [1, 'add'], [1, 'remove']),
	dryRun: weighted([6, false], [1, true]),
	concurrency: fc.constantFrom(1, 5, 20),
});

const answers: fc.Arbitrary<Answer[]> = fc.oneof(
	fc.array(answer, { minLength: 1, maxLength: 3 }),
	// The same one every time.
	answer.map((one) => Array<Answer>(8).fill(one)),
);

const kind = weighted<Kind>(
	[10, 'send'],
	[10, 'update'],
	[8, 'list'],
	[3, 'search'],
	[3, 'credential test'],
	[3, 'authenticate'],
);

/** Who means harm: most that can go wrong takes one of them, and much is refused because of one. */
const side = weighted([5, 'input'], [7, 'service'], [1, 'credential'], [2, 'all']);

/** Any case. */
export const history: fc.Arbitrary<History> = fc.tuple(kind, side).chain(([kind, side]) => {
	const is = (...sides: string[]) => side === 'all' || sides.includes(side);
	return fc.record({
		kind: fc.constant(kind),
		number: fc.nat(1_000_000_000),
		credential: is('credential') ? credential : soundCredential,
		onError: fc.constantFrom('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
		choices,
		rows: fc.array(is('input') ? row(kind) : soundRow, { minLength: 1, maxLength: 3 }),
		answers: is('service') ? answers : fc.constant<Answer[]>([]),
		request: fc.record({
			address: fc.constantFrom(...(Object.keys(addresses) as Array<keyof typeof addresses>)),
			isOwn: fc.boolean(),
		}),
	});
});
