import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { compileFunction } from 'node:vm';
import type { IDataObject, INodeType, IPollFunctions } from 'n8n-workflow';
import { builtFile, credential, helpersThatAsk, root, type Ask } from '../harness/built.mts';
import type { Settings } from './history.mts';
import type { Credential } from './service.mts';

const file = builtFile('nodes/CrmWorkspace/CrmWorkspaceTrigger.node.js');

type Run = (
	exports: object,
	require: (name: string) => unknown,
	module: object,
	...place: [folder: string, file: string]
) => void;

const compiled = new Map<string, Run>();

/** The modules of one n8n process: what they remember ends with it. */
function loadIn(modules: Map<string, { exports: object }>, path: string): object {
	const known = modules.get(path);
	if (known) return known.exports;
	const module = { exports: {} };
	modules.set(path, module);
	const fromHere = createRequire(path);
	// What is not built here is n8n's own, and the same in every process.
	const outside = createRequire(join(root, 'package.json'));
	const require = (name: string) =>
		name.startsWith('.') ? loadIn(modules, fromHere.resolve(name)) : outside(name);
	if (path.endsWith('.json')) {
		module.exports = JSON.parse(readFileSync(path, 'utf8')) as object;
		return module.exports;
	}
	let run = compiled.get(path);
	if (!run) {
		const parameters = ['exports', 'require', 'module', '__dirname', '__filename'];
		run = compileFunction(readFileSync(path, 'utf8'), parameters, { filename: path }) as Run;
		compiled.set(path, run);
	}
	run.call(module, module.exports, require, module, dirname(path), path);
	return module.exports;
}

/** An n8n process, as far as the trigger can tell. */
export class NodeProcess {
	readonly #node: INodeType;
	isDead = false;

	constructor() {
		const { CrmWorkspaceTrigger } = loadIn(new Map(), file) as {
			CrmWorkspaceTrigger: new () => INodeType;
		};
		this.#node = new CrmWorkspaceTrigger();
	}

	async poll(context: IPollFunctions): Promise<unknown> {
		return await this.#node.poll!.call(context);
	}
}

/** What a poll finds in n8n; read again whenever the node asks. */
export interface Around {
	process: NodeProcess;
	workflow: string;
	settings: () => Settings;
	credential: () => Credential;
	requestsPerMinute: number;
	state: () => object;
	isManual: () => boolean;
	isActivation: () => boolean;
	/** In ms; undefined where n8n has none. */
	budget: () => number | undefined;
	ask: Ask;
}

/** No more of n8n than it takes: n8n has one context for as long as a workflow is active. */
export function contextOf(around: Around): IPollFunctions {
	const { process, workflow, requestsPerMinute } = around;
	const context = {
		getNode: () => ({
			id: 'node1',
			name: 'CRM Workspace Trigger',
			type: 'n8n-nodes-crm-workspace.crmWorkspaceTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: parametersOf(around.settings()),
			credentials: { crmWorkspaceApi: { id: around.credential().id, name: 'CRM' } },
		}),
		getWorkflow: () => ({ id: workflow, name: 'Workflow', active: true }),
		getWorkflowStaticData: (kind: string) => {
			if (kind !== 'node') throw new Error(`The node asked for the static data of ${kind}`);
			return around.state();
		},
		getNodeParameter: (name: string, otherwise?: unknown) => {
			const parameters = parametersOf(around.settings());
			const [first, second] = name.split('.');
			const value = second ? (parameters[first] as IDataObject)[second] : parameters[first];
			return value ?? otherwise;
		},
		getCredentials: async () => {
			const { id: _, ...held } = around.credential();
			return { ...credential, ...held, requestsPerMinute };
		},
		getMode: () => (around.isManual() ? 'manual' : 'trigger'),
		getActivationMode: () => (around.isActivation() ? 'init' : 'trigger'),
		getInstanceId: () => 'instance1',
		getTimezone: () => 'UTC',
		logger: { debug() {}, info() {}, warn() {}, error() {} },
		get getPollBudgetMs() {
			const budget = around.budget();
			return budget === undefined ? undefined : () => budget;
		},
		helpers: helpersThatAsk(async (url, query) => {
			// Nothing of a process that was killed goes on.
			if (process.isDead) return await new Promise<never>(() => {});
			return await around.ask(url, query);
		}),
	};
	return context as unknown as IPollFunctions;
}

function parametersOf({ events, limit, search, fields, simplify }: Settings): IDataObject {
	const options: IDataObject = {};
	if (search) options.search = search;
	if (fields.length > 0) options.fields = fields;
	if (limit !== undefined) options.maxEvents = limit;
	return { events, simplify, options };
}
