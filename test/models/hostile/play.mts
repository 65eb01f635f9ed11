import '../../support/keys/everythingOf.mts';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	INodeType,
} from 'n8n-workflow';
import { watchEventLoop } from '../../support/engine/eventLoop.mts';
import { forgetLogged, logged } from '../../support/keys/everythingOf.mts';
import { built } from '../harness/built.mts';
import { passUntilDone } from '../harness/clock.mts';
import { execute } from '../harness/engine.mts';
import { createRunExecutionData, crmWorkspace, crmWorkspaceApi } from '../harness/n8n.mts';
import { beginAnew } from '../harness/random.mts';
import { baseUrl, operations, type History } from './history.mts';
import { addressOf, answerTo, idOf, type Asked } from './service.mts';
import { key } from './values.mts';

/** What came of a history. */
export interface Outcome {
	/** What was thrown, as n8n gets it. */
	thrown?: unknown;
	items: INodeExecutionData[];
	hints: string[];
	/** What the credential's test says. */
	tested?: string;
	/** What n8n stores for the node. */
	stored: unknown;
	asked: Asked[];
	logged: string;
	/** CPU time of the longest turn of the event loop, in ms. */
	blockedMs: number;
}

const { CrmWorkspaceTrigger } = built<{ CrmWorkspaceTrigger: new () => INodeType }>(
	'nodes/CrmWorkspace/CrmWorkspaceTrigger.node.js',
);
const trigger = new CrmWorkspaceTrigger();
const authenticate = crmWorkspaceApi.authenticate as (
	credential: ICredentialDataDecryptedObject,
	options: Asked,
) => Promise<Asked>;
const credentials = { crmWorkspaceApi: { id: '1', name: 'CRM' } };
const node = {
	id: '1',
	name: 'CRM',
	typeVersion: 1,
	position: [0, 0] as [number, number],
	credentials,
};
const source: INode = { ...node, id: 'source', name: 'Source', type: 'source', parameters: {} };

/** Plays a history with what is built. */
export async function play(history: History): Promise<Outcome> {
	beginAnew(1);
	forgetLogged();
	const outcome: Outcome = {
		items: [],
		hints: [],
		stored: {},
		asked: [],
		logged: '',
		blockedMs: 0,
	};
	const run = operations.some((one) => one === history.kind) ? execution : calls[history.kind];
	await passUntilDone(run(history, outcome));
	return { ...outcome, logged: logged() };
}

/** Calls what n8n calls, and notes what it throws and for how long it blocks. */
async function watch<T>(outcome: Outcome, work: () => Promise<T>): Promise<T> {
	const { longest, result } = await watchEventLoop(
		async () =>
			await work().then(
				(done) => ({ done }),
				(error: unknown) => ({ error }),
			),
	);
	outcome.blockedMs = Math.max(outcome.blockedMs, longest);
	if ('done' in result) return result.done;
	outcome.thrown = result.error;
	throw result.error;
}

function credentialOf({ credential }: History): ICredentialDataDecryptedObject {
	const usual = { baseUrl, mode: 'test', apiKey: key, authHeader: 'authorization' };
	const rest = {
		requestsPerMinute: 100_000,
		...(credential && { [credential.at]: credential.value }),
	};
	return { ...usual, ...rest } as ICredentialDataDecryptedObject;
}

/** n8n's HTTP client: it has the credential add the key, and asks the service. */
function clientOf({ answers }: History, { asked }: Outcome) {
	const ask = async (request: Asked) => await answerTo(request, answers[asked.push(request) - 1]);
	return {
		request: async ({ uri, ...options }: any) => await ask({ ...options, url: uri }),
		async httpRequestWithAuthentication(_type: string, options: Asked, more: any) {
			const { data } = more.credentialsDecrypted;
			return await ask(await authenticate(data, options));
		},
	};
}

/** What the editor and n8n's scheduler call. */
const calls: Record<string, (history: History, outcome: Outcome) => Promise<void>> = {
	async search(history, outcome) {
		const [[filter, token] = []] = history.columns;
		const { searchContacts } = crmWorkspace.methods!.listSearch!;
		const context = contextOf(history, outcome);
		const page = typeof token === 'string' ? token : undefined;
		await ignoring(watch(outcome, async () => await searchContacts.call(context, filter, page)));
	},

	async 'credential test'(history, outcome) {
		const { testCredential } = crmWorkspace.methods!.credentialTest!;
		const [context, data] = [contextOf(history, outcome), credentialOf(history)];
		const tested = { id: '1', name: 'CRM', type: 'crmWorkspaceApi', data };
		const test = async () =>
			void (outcome.tested = (await testCredential.call(context, tested)).message);
		await ignoring(watch(outcome, test));
	},

	/** The first poll notes what is there. */
	async poll(history, outcome) {
		for (const context of [contextOf(history, outcome), contextOf(history, outcome)]) {
			const poll = async () =>
				void outcome.items.push(...((await trigger.poll!.call(context))?.[0] ?? []));
			await ignoring(watch(outcome, poll));
		}
	},
};

/** `watch` has noted what was thrown. */
async function ignoring(work: Promise<unknown>): Promise<void> {
	await work.catch(() => undefined);
}

function contextOf(history: History, outcome: Outcome): any {
	const events = ['contactCreated', 'contactUpdated', 'activityAdded', 'taskOverdue'];
	const parameters: IDataObject = { events, maxEvents: 50, simplify: true, options: {} };
	return {
		helpers: clientOf(history, outcome),
		getNode: () => ({ ...node, type: 'crm', parameters }),
		getCredentials: async () => credentialOf(history),
		getNodeParameter: (name: string, fallback?: unknown) => parameters[name] ?? fallback,
		getInstanceId: () => 'instance',
		getWorkflow: () => ({ id: 'workflow' }),
		getWorkflowStaticData: () => outcome.stored,
		getMode: () => 'trigger',
		getTimezone: () => 'UTC',
		logger: console,
	};
}

/** Runs the node in n8n's engine, on items that another node has put out. */
async function execution(history: History, outcome: Outcome): Promise<void> {
	const { parameters, items } = givenTo(history);
	const subject = { ...node, type: 'crm', onError: history.onError, parameters };
	const type: INodeType = {
		description: crmWorkspace.description,
		methods: crmWorkspace.methods,
		async execute(this: IExecuteFunctions) {
			Object.assign(this.helpers, clientOf(history, outcome));
			const work = async () => await crmWorkspace.execute!.call(this);
			return (await watch(outcome, work)) as INodeExecutionData[][];
		},
	};
	const toSubject = [{ node: subject.name, type: 'main' as const, index: 0 }];
	const noted = { startTime: 0, executionTime: 0, executionIndex: 0, source: [] };
	const { data } = await execute({
		id: '1',
		mode: 'webhook',
		workflow: {
			id: 'workflow',
			name: 'Workflow',
			nodes: [source, subject],
			connections: { [source.name]: { main: [toSubject] } },
			settings: { executionOrder: 'v1', timezone: 'UTC' },
			active: false,
		},
		data: createRunExecutionData({
			resultData: {
				runData: {
					[source.name]: [{ ...noted, executionStatus: 'success', data: { main: [items] } }],
				},
			},
			executionData: {
				nodeExecutionStack: [
					{
						node: subject,
						data: { main: [items] },
						source: { main: [{ previousNode: source.name }] },
					},
				],
			},
		}),
		typeOf: () => type,
		credential: () => credentialOf(history),
	}).done;
	const task = data.resultData.runData[subject.name]?.at(-1);
	outcome.items = (task?.data?.main ?? []).flatMap((items) => items ?? []);
	outcome.hints = (task?.hints ?? []).map(({ message }) => message);
	outcome.stored = data.executionData?.contextData;
}

/** The node's parameters, in which an expression stands for what differs by item, and the items. */
function givenTo(history: History) {
	const { kind, overrides } = history;
	const parameters = structuredClone({ ...history.parameters, operation: kind }) as IDataObject;
	const values = Array.from({ length: history.items }, (_, item) => usualOf(history, item));
	const paths = [...Object.keys(values[0]), ...overrides.map(({ at }) => at)];
	for (const row of values) for (const path of paths) row[path] ??= valueAt(parameters, path);
	for (const { at, item, value } of overrides) values[item % values.length][at] = value;
	// What is replaced as a whole comes last.
	const depth = (path: string) => path.split('.').length;
	for (const path of paths.toSorted((a, b) => depth(b) - depth(a))) {
		put(parameters, path.split('.'), `={{ $json.given[${JSON.stringify(path)}] }}`);
	}
	const items = values.map((given, item) => {
		// As own properties, whatever their names.
		const columns = history.columns.map(([name, value]) => [String(name), value]);
		return { json: { ...Object.fromEntries(columns), given } as IDataObject, pairedItem: { item } };
	});
	return { parameters: parameters as INode['parameters'], items };
}

/** What an item has of its own if nobody means harm. */
function usualOf({ kind, parameters }: History, item: number): Record<string, unknown> {
	if (kind === 'sendTransactionalEmail') {
		return { to: addressOf(item), idempotencyKey: `order-${item}` };
	}
	if (kind !== 'updateContact') return {};
	const { mode } = (parameters as { contact: { mode: string } }).contact;
	return { 'contact.value': mode === 'email' ? addressOf(item) : idOf(item) };
}

const valueAt = (owner: any, path: string) =>
	path.split('.').reduce((value, name) => value?.[name], owner) as unknown;

function put(owner: any, [name, ...rest]: string[], value: unknown): void {
	if (rest.length === 0) owner[name] = value;
	else put((owner[name] = Object(owner[name] ?? {})), rest, value);
}
