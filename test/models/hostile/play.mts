// Before n8n, of which it keeps the log.
import { forgetLogged, logged } from '../../support/keys/everythingOf.mts';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeParameters,
	INodeType,
} from 'n8n-workflow';
import { CrmWorkspaceApi } from '../../../credentials/CrmWorkspaceApi.credentials';
import { CrmWorkspace } from '../../../nodes/CrmWorkspace/CrmWorkspace.node';
import { CrmWorkspaceTrigger } from '../../../nodes/CrmWorkspace/CrmWorkspaceTrigger.node';
import { watchEventLoop } from '../../support/engine/eventLoop.mts';
import { runNode } from '../../support/engine/runNode.mts';
import { streamed } from '../../support/simulated/streamed.mts';
import { passUntilDone } from '../harness/clock.mts';
import { beginAnew } from '../harness/random.mts';
import { baseUrl, operations, type History } from './history.mts';
import { addressOf, answerTo, idOf, valuesIn, type Asked } from './service.mts';
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

const crmWorkspace: INodeType = new CrmWorkspace();
const trigger = new CrmWorkspaceTrigger();
const authenticate = new CrmWorkspaceApi().authenticate as (
	credential: ICredentialDataDecryptedObject,
	options: Asked,
) => Promise<Asked>;

/** Plays a history. */
export async function play(history: History): Promise<Outcome> {
	beginAnew(1);
	forgetLogged();
	const outcome: Outcome = {
		...{ items: [], hints: [], stored: {}, asked: [] },
		...{ logged: '', blockedMs: 0 },
	};
	const isOperation = operations.some((one) => one === history.kind);
	await passUntilDone((isOperation ? execute : calls[history.kind])(history, outcome));
	return { ...outcome, logged: logged() };
}

/** Calls what n8n calls, and notes what it throws and for how long it blocks. */
async function watch<T>(outcome: Outcome, work: () => Promise<T>): Promise<T | undefined> {
	const { longest, result } = await watchEventLoop(
		async () => await work().catch((error: unknown) => void (outcome.thrown = error)),
	);
	outcome.blockedMs = Math.max(outcome.blockedMs, longest);
	return result as T | undefined;
}

function credentialOf({ credential }: History) {
	const usual = { baseUrl, mode: 'test', apiKey: key, authHeader: 'authorization' };
	const other = credential && { [credential.at]: credential.value };
	return { ...usual, requestsPerMinute: 100_000, ...other } as ICredentialDataDecryptedObject;
}

/** n8n's HTTP client: it has the credential add the key, and asks the service. */
function clientOf({ answers }: History, { asked }: Outcome) {
	const ask = async (request: Asked) => await answerTo(request, answers[asked.push(request) - 1]);
	return {
		request: async ({ uri, ...options }: any) => {
			const { body, ...response } = await ask({ ...options, url: uri });
			return { ...response, body: Buffer.from(body) };
		},
		httpRequestWithAuthentication: async (_type: string, options: Asked, more: any) =>
			streamed(await ask(await authenticate(more.credentialsDecrypted.data, options))),
	};
}

/** What the editor and n8n's scheduler call. */
const calls: Record<string, (history: History, outcome: Outcome) => Promise<void>> = {
	async 'credential test'(history, outcome) {
		const { testCredential } = crmWorkspace.methods!.credentialTest!;
		const credential = { id: '1', name: 'CRM', type: 'crm', data: credentialOf(history) };
		const context = contextOf(history, outcome);
		const result = await watch(outcome, async () => await testCredential.call(context, credential));
		outcome.tested = result?.message;
	},

	/** The first poll notes what is there. */
	async poll(history, outcome) {
		for (let poll = 0; poll < 2; poll++) {
			const context = contextOf(history, outcome);
			const output = await watch(outcome, async () => await trigger.poll!.call(context));
			outcome.items.push(...(output?.[0] ?? []));
		}
	},
};

function contextOf(history: History, outcome: Outcome): any {
	const events = ['contactCreated', 'contactUpdated', 'activityAdded', 'taskOverdue'];
	const parameters: IDataObject = { events, maxEvents: 50, simplify: true, options: {} };
	return {
		helpers: clientOf(history, outcome),
		getNode: () => ({ name: 'CRM', type: 'crm', parameters }),
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

/** Runs the node in n8n's engine. */
async function execute(history: History, outcome: Outcome): Promise<void> {
	const type: INodeType = {
		description: crmWorkspace.description,
		async execute(this: IExecuteFunctions) {
			Object.assign(this.helpers, clientOf(history, outcome));
			const output = await watch(outcome, async () => await crmWorkspace.execute!.call(this));
			if (outcome.thrown !== undefined) throw outcome.thrown;
			return output as INodeExecutionData[][];
		},
	};
	const settings = { onError: history.onError };
	const run = { ...inputOf(history), credential: credentialOf(history), type, settings };
	const { outputs, hints, data } = await runNode(run);
	outcome.items = outputs.flat();
	outcome.hints = hints.map(({ message }) => message);
	outcome.stored = data.executionData?.contextData;
}

/** Parameters that take no expression, because others depend on them, and what n8n's editor writes. */
const fixed =
	/^(?:operation|collection|content|variablesInput|idempotency|fields\.(?:mapping|schema).*)$/;

/** The node's parameters, in which an expression stands for what differs by item, and the items. */
function inputOf(history: History) {
	const { kind, overrides } = history;
	const parameters = structuredClone({ ...history.parameters, operation: kind }) as IDataObject;
	const places = valuesIn({ ...parameters, ...ownOf(history, 0) }).map(({ path }) => path);
	const open = places.filter((path) => !fixed.test(path));
	const given = Array.from({ length: history.items }, (_, item) => ownOf(history, item));
	for (const { place, item, value } of overrides) {
		const path = open[place % open.length];
		for (const row of given) row[path] ??= at(parameters, path);
		given[item % given.length][path] = value;
	}
	// What is replaced as a whole comes last.
	const depth = (path: string) => path.split('.').length;
	for (const path of Object.keys(given[0]).toSorted((a, b) => depth(b) - depth(a))) {
		put(parameters, path.split('.'), `={{ $json.given[${JSON.stringify(path)}] }}`);
	}
	// As own properties, whatever their names.
	const columns = Object.fromEntries(history.columns);
	const items = given.map((row) => ({ firstName: 'Ada', ...columns, given: row }) as IDataObject);
	return { parameters: parameters as INodeParameters, items };
}

/** What an item has of its own if it isn't hostile, by the paths of parameters. */
function ownOf({ kind, parameters }: History, item: number): Record<string, unknown> {
	if (kind === 'sendTransactionalEmail')
		return { to: addressOf(item), idempotencyKey: `order-${item}` };
	if (kind !== 'updateContact') return {};
	const mode = at(parameters, 'contact.mode');
	return { 'contact.value': mode === 'email' ? addressOf(item) : idOf(item) };
}

const at = (owner: any, path: string) =>
	path.split('.').reduce((value, name) => value?.[name], owner) as unknown;

function put(owner: any, [name, ...rest]: string[], value: unknown): void {
	if (rest.length === 0) owner[name] = value;
	else put(owner[name], rest, value);
}
