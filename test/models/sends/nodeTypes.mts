import type {
	EngineRequest,
	EngineResponse,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodeType,
	INodeTypeDescription,
	NodeOperationError as NodeError,
} from 'n8n-workflow';
import { crmWorkspace, loopOverItems, NodeOperationError } from '../harness/n8n.mts';
import type { Ask, Attempt, Sent } from './attempt.mts';

/** What the nodes of a workflow ask of the history that they are in. */
export interface Scene {
	/** What the node that reads the rows finds now. */
	rowsNow(): IDataObject[];
	/** Whether the other node fails in this turn. */
	otherFails(): boolean;
	/** Whether the agent fails in this turn, at this point. */
	agentFails(point: 'before' | 'after'): boolean;
	/** What the agent asks for on account of a row, one after another or side by side. */
	asksFor(row: string): Ask[];
	readonly inParallel: boolean;
	readonly agentFailsWithTool: boolean;
	/** So many items are looped back to a send node. */
	leadsBack(items: number): void;
	callSubWorkflow(items: INodeExecutionData[], executionId: string): Promise<void>;
	/** A run of a send node begins, and ends. */
	begins(attempt: Attempt): void;
	ends(attempt: Attempt): void;
}

const description = (part: Partial<INodeTypeDescription>): INodeTypeDescription =>
	({
		displayName: part.name,
		group: [],
		version: 1,
		description: '',
		defaults: {},
		inputs: ['main'],
		outputs: ['main'],
		properties: [],
		...part,
	}) as INodeTypeDescription;

/**
 * Parameters that only the log reads: row, content, recipient and words of an item,
 * and which of the send nodes it is.
 */
const marks = ['historyItem', 'historyNode'].map(
	(name) => ({ displayName: name, name, type: 'string', default: '' }) as INodeProperties,
);

/** The node types of a history, by name. */
export function nodeTypes(scene: Scene): (name: string) => INodeType {
	const types: Record<string, INodeType> = {
		start: { description: description({ name: 'start', inputs: [] }), execute: passOn },
		pass: { description: description({ name: 'pass' }), execute: passOn },
		rows: {
			description: description({ name: 'rows' }),
			async execute() {
				return [scene.rowsNow().map((json) => ({ json, pairedItem: { item: 0 } }))];
			},
		},
		other: {
			description: description({ name: 'other' }),
			async execute() {
				if (scene.otherFails())
					throw new NodeOperationError(this.getNode(), 'The other node failed');
				return passOn.call(this);
			},
		},
		back: {
			description: description({
				name: 'back',
				properties: [{ displayName: 'Goes', name: 'goesBack', type: 'boolean', default: false }],
			}),
			async execute() {
				if (!this.getNodeParameter('goesBack', 0)) return [[]];
				scene.leadsBack(this.getInputData().length);
				return passOn.call(this);
			},
		},
		call: {
			description: description({
				name: 'call',
				properties: [{ displayName: 'Each', name: 'each', type: 'boolean', default: false }],
			}),
			async execute() {
				const items = this.getInputData();
				const calls = this.getNodeParameter('each', 0) ? items.map((item) => [item]) : [items];
				for (const call of calls) await scene.callSubWorkflow(call, this.getExecutionId());
				return passOn.call(this);
			},
		},
		agent2: { description: agent('agent2'), execute: agentWithTools(scene) },
		agent3: { description: agent('agent3'), execute: agentWithEngine(scene) },
		loop: loopOverItems,
		send: watched(crmWorkspace, crmWorkspace.description, scene),
		sendTool: watched(crmWorkspace, asTool(crmWorkspace.description), scene),
	};
	return (name) => types[name];
}

async function passOn(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	return [this.getInputData().map(({ json }, item) => ({ json, pairedItem: { item } }))];
}

/** What n8n makes of a node that is usable as a tool. */
function asTool(original: INodeTypeDescription): INodeTypeDescription {
	const tool = structuredClone(original);
	delete tool.usableAsTool;
	return {
		...tool,
		name: `${tool.name}Tool`,
		displayName: `${tool.displayName} Tool`,
		inputs: [],
		outputs: ['ai_tool'],
		properties: [
			{
				displayName: 'Tool Description',
				name: 'descriptionType',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Set Automatically', value: 'auto' },
					{ name: 'Set Manually', value: 'manual' },
				],
				default: 'auto',
			},
			{
				displayName: 'Description',
				name: 'toolDescription',
				type: 'string',
				default: tool.description,
				required: true,
				displayOptions: { show: { descriptionType: ['manual'] } },
			},
			...tool.properties,
		],
	};
}

/** The node as it is built, with a log of what it was given and what it made of it. */
function watched(node: INodeType, shown: INodeTypeDescription, scene: Scene): INodeType {
	return {
		...node,
		methods: node.methods,
		description: { ...shown, properties: [...shown.properties, ...marks] },
		async execute() {
			const items = this.getInputData();
			const given = items.map((_, index) => {
				const mark = String(this.getNodeParameter('historyItem', index));
				const [row, content, to, words] = mark.split('|');
				return { row, content, to, words };
			});
			const attempt: Attempt = {
				node: String(this.getNodeParameter('historyNode', 0)),
				execution: this.getExecutionId(),
				given,
				results: given.map(() => undefined),
			};
			scene.begins(attempt);
			try {
				const outputs = (await node.execute!.call(this)) as INodeExecutionData[][];
				for (const item of outputs.flat()) {
					const { pairedItem } = item;
					const index =
						typeof pairedItem === 'object' && 'item' in pairedItem ? pairedItem.item : 0;
					attempt.results[index] = resultOf(item);
				}
				return outputs;
			} catch (error) {
				attempt.error = wordsOf(error);
				attempt.failedItem = (error as { context?: { itemIndex?: number } }).context?.itemIndex;
				throw error;
			} finally {
				scene.ends(attempt);
			}
		},
	};
}

function resultOf({ json, error }: INodeExecutionData): Sent {
	const isError = error !== undefined || json.error !== undefined;
	if (isError) return { error: error ? wordsOf(error) : String(json.error) };
	return { json };
}

function wordsOf(error: unknown): string {
	const { message, description } = error as { message: string; description?: string | null };
	return [message, description].filter(Boolean).join(' | ');
}

function agent(name: string): INodeTypeDescription {
	return description({
		name,
		inputs: ['main', { type: 'ai_tool', displayName: 'Tool' }] as INodeTypeDescription['inputs'],
	});
}

interface Tool {
	invoke(input: IDataObject): Promise<unknown>;
}

/** An agent that calls its tools itself, as version 2.2 does. */
function agentWithTools(scene: Scene): INodeType['execute'] {
	return async function (this: IExecuteFunctions) {
		if (scene.agentFails('before')) throw modelFailed(this);
		const output: INodeExecutionData[] = [];
		for (const [item, { json }] of this.getInputData().entries()) {
			const connected = (await this.getInputConnectionData('ai_tool', item)) as Tool | Tool[];
			const [tool] = [connected].flat();
			const told: string[] = [];
			const call = async (ask: Ask) => {
				try {
					told.push(String(await tool.invoke({ ...ask })));
				} catch (error) {
					if (scene.agentFailsWithTool) throw error;
					told.push(`Error: ${(error as Error).message}`);
				}
			};
			const asks = scene.asksFor(String(json.row));
			if (scene.inParallel) {
				const ends = await Promise.allSettled(asks.map(call));
				const failed = ends.find((end) => end.status === 'rejected');
				if (failed) throw new NodeOperationError(this.getNode(), failed.reason as Error);
			} else {
				for (const ask of asks) await call(ask);
			}
			output.push({ json: { row: json.row, told }, pairedItem: { item } });
		}
		if (scene.agentFails('after')) throw modelFailed(this);
		return [output];
	};
}

/** An agent that lets the engine call its tools, as version 3 does. */
function agentWithEngine(scene: Scene) {
	return async function (
		this: IExecuteFunctions,
		response?: EngineResponse,
	): Promise<INodeExecutionData[][] | EngineRequest> {
		const items = this.getInputData();
		const step = Number((response?.metadata as IDataObject | undefined)?.step ?? 0);
		if (step === 0 && scene.agentFails('before')) throw modelFailed(this);

		const asks = items.flatMap(({ json }, itemIndex) =>
			scene.asksFor(String(json.row)).map((ask) => ({ ask, itemIndex })),
		);
		const next = scene.inParallel ? (step === 0 ? asks : []) : asks.slice(step, step + 1);
		if (next.length > 0) {
			const [tool] = this.getParentNodes(this.getNode().name, { connectionType: 'ai_tool' });
			return {
				actions: next.map(({ ask, itemIndex }, index) => ({
					actionType: 'ExecutionNodeAction',
					nodeName: tool.name,
					input: { ...ask },
					type: 'ai_tool',
					id: `call-${step}-${index}`,
					metadata: { itemIndex },
				})),
				metadata: { step: step + 1 },
			} as unknown as EngineRequest;
		}
		if (scene.agentFails('after')) throw modelFailed(this);
		return [items.map(({ json }, item) => ({ json: { row: json.row }, pairedItem: { item } }))];
	};
}

function modelFailed(context: IExecuteFunctions): NodeError {
	return new NodeOperationError(context.getNode(), 'The model did not answer');
}
