import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	IRunExecutionData,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import {
	currentTime,
	endGuards,
	forgetWaits,
	inRealTime,
	minute,
	skip,
	timeoutSeconds,
} from '../harness/clock.mts';
import { contactFields } from '../harness/contacts.mts';
import { execute, instanceOf, type StoredWorkflow } from '../harness/engine.mts';
import type { Log } from '../harness/log.mts';
import {
	createRunExecutionData,
	CredentialTestContext,
	crmWorkspace,
	crmWorkspaceApi,
	ICredentialsHelper,
	LoadOptionsContext,
} from '../harness/n8n.mts';
import { engineSurroundings, credentialsHelper } from '../../support/engine/surroundings.mts';
import { watchEventLoop } from '../../support/engine/eventLoop.mts';
import { address, addresses, idOf, type Credential, type History, type Row } from './history.mts';
import { judge, longestTurn, Violation } from './judge.mts';
import { keyOf } from './keys.mts';
import { forgetLogged, logged } from './logged.mts';
import type { Arrived, Contact, Service } from './service.mts';
import { toldBy } from './story.mts';
import { made, textOf } from './values.mts';

/** What came of a case. */
export interface Outcome {
	key: string;
	/** The address in the credential. */
	service: string;
	/** What the parameters of each row were in the end. */
	given: Array<Record<string, unknown>>;
	/** What the package threw, as it threw it. */
	thrown?: unknown;
	/** What it gave back: items, a list to choose from, the options of a request. */
	result?: unknown;
	/** The items of each output, as n8n has them. */
	outputs: INodeExecutionData[][];
	hints: string[];
	data?: IRunExecutionData;
	arrived: Arrived[];
	strayed: string[];
	/** CPU time, in ms, that the longest turn of the event loop took. */
	blocked: number;
	/** In ms of the time that the node sees. */
	waited: number;
}

/** In ms of real time. */
const longest = 20_000;

let runs = 0;

/** What no one caught. */
let astray: unknown;
process.on('unhandledRejection', (reason) => (astray = reason));
process.on('uncaughtException', (error) => (astray = error));

/** Plays a case. @throws Violation */
export async function playAndJudge(one: History, service: Service, log: Log): Promise<void> {
	let outcome: Outcome | undefined;
	let end = 'violation';
	try {
		outcome = await playOnce(one, service);
		// What was slow counts if it is slow again, alone.
		if (outcome.blocked > longestTurn) outcome = await playOnce(one, service);
		for (const line of toldBy(outcome)) log.tell(() => line);
		end = judge(one, outcome, logged());
	} finally {
		count(one, outcome, end, service, log);
	}
}

async function playOnce(one: History, service: Service): Promise<Outcome> {
	forgetLogged();
	astray = undefined;
	const outcome = await play(one, service);
	if (astray !== undefined) {
		const { stack } = astray as Error;
		throw new Violation('every error is one of n8n’s', `nobody caught ${stack ?? String(astray)}`);
	}
	return outcome;
}

function count(
	one: History,
	outcome: Outcome | undefined,
	end: string,
	service: Service,
	log: Log,
): void {
	const { kind, onError, rows } = one;
	log.count(`${kind}: ${end}`);
	log.count(`on error: ${onError}`);
	log.count('requests', outcome?.arrived.length ?? 0);
	const overrides = rows.reduce((sum, row) => sum + row.overrides.length, 0);
	log.count('parameters with a hostile value', overrides);
	log.count(
		'variables and columns',
		rows.reduce((sum, { named }) => sum + named.length, 0),
	);
	log.count('hints', outcome?.hints.length ?? 0);
	log.count(`longest turn of the event loop: ${turn(outcome?.blocked ?? 0)}`);
	for (const [what, times] of service.answers) log.count(`answers: ${what}`, times);
}

function turn(ms: number): string {
	const step = [10, 50, 100, 250, 500, 1_000].find((step) => ms <= step);
	return step ? `up to ${step} ms` : 'more than 1000 ms';
}

async function play(one: History, service: Service): Promise<Outcome> {
	// Far enough that no run keeps to the pace of another.
	forgetWaits();
	skip(30 * minute);
	const key = keyOf(++runs, one.credential.prefix, one.credential.suffix);
	const given = one.rows.map((row, index) => givenIn(one, row, index));
	const contacts = contactsOf(one);
	service.begin({ answers: one.answers, key, right: (request) => right(request, contacts) });
	const credential = credentialOf(one.credential, key, service.port);
	const outcome: Outcome = {
		key,
		service: typeof credential.baseUrl === 'string' ? credential.baseUrl : 'http://127.0.0.1/',
		given,
		outputs: [],
		hints: [],
		arrived: service.arrived,
		strayed: service.strayed,
		blocked: 0,
		waited: 0,
	};
	const begun = currentTime();
	const watched = async <T,>(work: () => Promise<T>) => {
		const { longest, result } = await watchEventLoop(async () => {
			try {
				return { done: await work() };
			} catch (error) {
				return { error };
			}
		});
		outcome.blocked = Math.max(outcome.blocked, longest);
		if ('error' in result) {
			outcome.thrown = result.error;
			throw result.error;
		}
		outcome.result = result.done;
		return result.done as T;
	};
	const ending = ways[one.kind](one, { credential, given, watched, outcome, service }).catch(
		(error: unknown) => {
			if (error !== outcome.thrown) throw error;
		},
	);
	await inTime(ending);
	outcome.waited = currentTime() - begun;
	return outcome;
}

interface Scene {
	credential: ICredentialDataDecryptedObject;
	given: Array<Record<string, unknown>>;
	watched: <T>(work: () => Promise<T>) => Promise<T>;
	outcome: Outcome;
	service: Service;
}

const ways: Record<History['kind'], (one: History, scene: Scene) => Promise<unknown>> = {
	send: runNode,
	update: runNode,
	list: runNode,
	async search(one, { credential, given, watched }) {
		const workflow = instanceOf(workflowOf(nodeOf(one, {})), () => crmWorkspace);
		const context = new LoadOptionsContext(
			workflow,
			workflow.nodes[subject],
			surroundings(credential),
			'contact',
		);
		const { filter, paginationToken } = given[0];
		const { searchContacts } = crmWorkspace.methods!.listSearch!;
		return await watched(
			async () => await searchContacts.call(context, filter as string, paginationToken as string),
		);
	},
	async 'credential test'(_one, { credential, watched }) {
		const context = new CredentialTestContext(surroundings(credential));
		const { testCredential } = crmWorkspace.methods!.credentialTest!;
		const tested = { id: '1', name: 'CRM', type: 'crmWorkspaceApi', data: credential };
		return await watched(async () => await testCredential.call(context, tested));
	},
	async authenticate(one, { credential, watched, service, outcome }) {
		const authenticate = crmWorkspaceApi.authenticate as (
			credential: ICredentialDataDecryptedObject,
			options: object,
		) => Promise<object>;
		const options = requestOf(one, outcome.service, service.stranger);
		const mark = one.request.isOwn && { [Symbol.for('n8n-nodes-crm-workspace.own')]: true };
		return await watched(async () => await authenticate({ ...credential, ...mark }, options));
	},
};

function requestOf({ request }: History, baseUrl: string, stranger: string): object {
	const base = baseUrl.replace(/\/+$/, '');
	const origin = /^\w+:\/\/[^/]*/.exec(base)?.[0] ?? base;
	const fill = (value: unknown): unknown => {
		if (typeof value !== 'string') return value;
		return value.replace('SERVICE', base).replace('ORIGIN', origin).replace('STRANGER', stranger);
	};
	const options = Object.entries(addresses[request.address]);
	const filled = Object.fromEntries(options.map(([name, value]) => [name, fill(value)]));
	return { url: `${base}/contacts`, method: 'GET', ...filled };
}

const source = 'Source';
const subject = 'CRM Workspace';

const passOn = {
	description: { ...crmWorkspace.description, name: 'pass', properties: [], credentials: [] },
	async execute(this: IExecuteFunctions) {
		return [this.getInputData()];
	},
} as unknown as INodeType;

async function runNode(
	one: History,
	{ credential, given, watched, outcome }: Scene,
): Promise<void> {
	const node = nodeOf(one, parametersOf(one, given));
	const items = one.rows.map((row, index) => ({
		json: { ...columnsOf(row), p: given[index] } as IDataObject,
		pairedItem: { item: index },
	}));
	const type: INodeType = {
		...crmWorkspace,
		methods: crmWorkspace.methods,
		description: crmWorkspace.description,
		async execute() {
			return await watched(
				async () => (await crmWorkspace.execute!.call(this)) as INodeExecutionData[][],
			);
		},
	};
	const { done } = execute({
		id: String(runs),
		mode: 'webhook',
		workflow: workflowOf(node),
		data: begunWith(node, items),
		typeOf: (name) => (name === 'crmWorkspace' ? type : passOn),
		credential: () => credential,
	});
	const { data } = await done;
	const task = data.resultData.runData[subject]?.at(-1);
	outcome.data = data;
	outcome.outputs = (task?.data?.main ?? []).map((items) => items ?? []);
	outcome.hints = (task?.hints ?? []).map(({ message }) => message);
}

async function inTime(ending: Promise<unknown>): Promise<void> {
	// No one answers any more: the node's own timeout is what ends it.
	const patience = setInterval(endGuards, 3_000);
	try {
		await inRealTime(ending, longest, () => {
			return new Violation('it ends', `it was still running after ${longest / 1000} s`);
		});
	} finally {
		clearInterval(patience);
	}
}

function nodeOf(one: History, parameters: INodeParameters): INode {
	return {
		id: '11111111-1111-4111-8111-111111111111',
		name: subject,
		type: 'crmWorkspace',
		typeVersion: 1,
		position: [0, 0],
		parameters,
		credentials: { crmWorkspaceApi: { id: '1', name: 'CRM Workspace' } },
		onError: one.onError,
	};
}

function workflowOf(node: INode): StoredWorkflow {
	return {
		id: 'workflow',
		name: 'Workflow',
		nodes: [
			{ ...node, id: 'source', name: source, type: 'pass', parameters: {}, credentials: {} },
			node,
		],
		connections: { [source]: { main: [[{ node: subject, type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1', timezone: 'UTC' },
		active: false,
	};
}

function begunWith(node: INode, items: INodeExecutionData[]): IRunExecutionData {
	return createRunExecutionData({
		resultData: {
			runData: {
				[source]: [
					{
						startTime: 0,
						executionTime: 0,
						executionIndex: 0,
						executionStatus: 'success',
						source: [],
						data: { main: [items] },
					},
				],
			},
		},
		executionData: {
			nodeExecutionStack: [
				{ node, data: { main: [items] }, source: { main: [{ previousNode: source }] } },
			],
		},
	});
}

function surroundings(credential: ICredentialDataDecryptedObject): IWorkflowExecuteAdditionalData {
	return {
		...engineSurroundings(),
		credentialsHelper: credentialsHelper(ICredentialsHelper, crmWorkspaceApi, () => credential),
	};
}

function credentialOf(
	{ baseUrl, mode, authHeader, requestsPerMinute }: Credential,
	key: string,
	port: number,
): ICredentialDataDecryptedObject {
	return {
		baseUrl: typeof baseUrl === 'string' ? baseUrl.replace('PORT', String(port)) : made(baseUrl),
		mode,
		apiKey: key,
		authHeader,
		requestsPerMinute:
			typeof requestsPerMinute === 'number' ? requestsPerMinute : made(requestsPerMinute),
	} as ICredentialDataDecryptedObject;
}

/** What each parameter of a row is, by its path; parameters that no row changes are not in it. */
function givenIn(one: History, row: Row, index: number): Record<string, unknown> {
	const changed = one.rows.flatMap(({ overrides }) => overrides.map(({ at }) => at));
	const given: Record<string, unknown> = {};
	const usual = usualOf(one, index);
	for (const at of changed) given[at] = usual[at];
	Object.assign(given, usualOfRow(one, row, index));
	for (const { at, value } of row.overrides) given[at] = made(value);
	return given;
}

/** What differs from row to row if nothing is hostile. */
function usualOfRow(one: History, row: Row, index: number): Record<string, unknown> {
	if (one.kind === 'send') {
		const variables =
			one.choices.variablesInput === 'json'
				? { variablesJson: variablesText(row) }
				: Object.fromEntries(
						row.named.flatMap(({ name, value }, place) => [
							[`name ${place}`, made(name)],
							[`value ${place}`, made(value)],
						]),
					);
		return {
			to: address(index),
			idempotencyKey: `order-${index}`,
			...variables,
		};
	}
	if (one.kind === 'update') {
		const { reference } = one.choices;
		return {
			'contact.value': reference === 'email' ? address(index) : idOf(index),
			'fields.value.notes': `Note ${index}`,
		};
	}
	return {};
}

function usualOf(one: History, index: number): Record<string, unknown> {
	const { choices } = one;
	const of: Record<string, unknown> = {
		operation: operations[one.kind],
		content: choices.content,
		templateSlug: 'welcome',
		subject: 'Subject',
		html: '<p>Hello {{name|there}}</p>',
		variablesInput: choices.variablesInput,
		variablesJson: '{}',
		variables: {},
		idempotency: choices.idempotency,
		idempotencyKey: `order-${index}`,
		simplify: choices.simplify,
		additionalFields: {},
		options: {},
		'options.concurrency': choices.concurrency,
		'options.timeout': timeoutSeconds,
		contact: { __rl: true, mode: choices.reference, value: idOf(index) },
		'contact.mode': choices.reference,
		'fields.mappingMode': choices.mapping,
		'fields.value': { notes: `Note ${index}` },
		fields: { mappingMode: 'autoMapInputData', value: null },
		collection: choices.collection,
		returnAll: choices.returnAll,
		limit: 50,
		search: '',
		searchTerm: 'refund',
		'options.searchParameter': 'q',
	};
	return of;
}

function variablesText(row: Row): string {
	const names = row.named.map(
		({ name, value }) => `${JSON.stringify(textOf(name))}:${JSON.stringify(textOf(value))}`,
	);
	return `{${names.join(',')}}`;
}

/** The columns of a row, as own properties whatever their names. */
function columnsOf(row: Row): object {
	const columns = {};
	for (const { name, value } of row.named) {
		// Thousands of columns.
		if ('wide' in value) Object.assign(columns, made(value));
		const property = { value: made(value), enumerable: true, configurable: true, writable: true };
		Object.defineProperty(columns, textOf(name), property);
	}
	return columns;
}

const operations: Partial<Record<History['kind'], string>> = {
	send: 'sendTransactionalEmail',
	update: 'updateContact',
	list: 'list',
};

/** The node's parameters: constants, and expressions where a row has a value of its own. */
function parametersOf(one: History, given: Array<Record<string, unknown>>): INodeParameters {
	const { choices } = one;
	const named = Math.max(...one.rows.map(({ named }) => named.length));
	const options = { concurrency: choices.concurrency, timeout: timeoutSeconds };
	const send = {
		content: choices.content,
		templateSlug: 'welcome',
		subject: 'Subject',
		html: '<p>Hello {{name|there}}</p>',
		variablesInput: choices.variablesInput,
		variables:
			choices.variablesInput === 'fields' && named > 0
				? {
						variable: Array.from({ length: named }, (_, place) => ({
							name: expression(`name ${place}`),
							value: expression(`value ${place}`),
						})),
					}
				: {},
		variablesJson: '{}',
		idempotency: choices.idempotency,
		additionalFields: {},
		simplify: choices.simplify,
		options: { ...options, onRejected: choices.onRejected },
	};
	const update = {
		contact: { __rl: true, mode: choices.reference },
		fields: {
			mappingMode: choices.mapping,
			value: choices.mapping === 'defineBelow' ? {} : null,
			matchingColumns: [],
			schema: contactFields.map((id) => ({
				id,
				displayName: id,
				required: false,
				defaultMatch: false,
				display: true,
				type: 'string',
			})),
		},
		simplify: choices.simplify,
		options: {
			...options,
			skipUnchanged: choices.skipUnchanged,
			unmappedFields: choices.unmappedFields,
			tagMode: choices.tags,
			dryRun: choices.dryRun,
		},
	};
	const list = {
		collection: choices.collection,
		returnAll: choices.returnAll,
		limit: 50,
		search: '',
		searchTerm: 'refund',
		simplify: choices.simplify,
		options,
	};
	const parameters: any = {
		operation: operations[one.kind],
		...(one.kind === 'send' ? send : one.kind === 'update' ? update : list),
	};
	const paths = [...new Set(given.flatMap((row) => Object.keys(row)))];
	// What is replaced as a whole comes last.
	for (const path of paths.sort((a, b) => b.split('.').length - a.split('.').length)) {
		const parts = path.split('.');
		const last = parts.pop()!;
		let target = parameters;
		for (const part of parts) target = target[part] = target[part] ?? {};
		if (!/^(name|value) \d/.test(path)) target[last] = expression(path);
	}
	return parameters;
}

function expression(path: string): string {
	return `={{ $json.p[${JSON.stringify(path)}] }}`;
}

function contactsOf(one: History): Contact[] {
	return Array.from({ length: 5 }, (_, index) => ({
		id: idOf(index),
		companyId: '99999999-0000-4000-8000-000000000000',
		firstName: `First ${index}`,
		lastName: `Last ${one.number % 10}`,
		email: address(index),
		phone: null,
		tags: ['a'],
		createdAt: '2024-01-01T00:00:00.000Z',
		updatedAt: '2024-01-01T00:00:00.000Z',
	}));
}

/** What the interface has the service answer. */
function right({ method, target, body }: Arrived, contacts: Contact[]): unknown {
	const url = new URL(target, 'http://127.0.0.1');
	if (method === 'POST' || method === 'PUT') {
		const sent = parsed(body);
		const id = url.pathname.split('/').at(-1);
		const contact = contacts.find((contact) => contact.id === id);
		if (method === 'PUT') return { data: { ...contact, ...sent } };
		return {
			data: {
				id: '77777777-0000-4000-8000-000000000000',
				status: 'sent',
				to: sent.to,
				subject: sent.subject ?? 'Subject of the template',
				idempotencyKey: sent.idempotencyKey,
				source: 'api',
				createdAt: '2024-01-01T00:00:00.000Z',
			},
		};
	}
	if (url.pathname.endsWith('/articles/search')) {
		return { data: { articles: [{ id: 'a1', title: 'One' }], totalCount: 1 } };
	}
	if (!url.pathname.endsWith('/contacts')) return { data: [{ id: 'x1', name: 'One' }] };
	const page = Number(url.searchParams.get('page')) || 1;
	const limit = Number(url.searchParams.get('limit')) || 20;
	const found = contacts.slice((page - 1) * limit, page * limit);
	return {
		data: found,
		meta: {
			pagination: {
				page,
				limit,
				totalCount: contacts.length,
				totalPages: Math.ceil(contacts.length / limit),
			},
		},
	};
}

function parsed(body: string): Record<string, unknown> {
	try {
		return JSON.parse(body);
	} catch {
		return {};
	}
}
