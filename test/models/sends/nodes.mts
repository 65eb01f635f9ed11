import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import {
	NodeOperationError,
	type EngineRequest,
	type EngineResponse,
	type IDataObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type INodeExecutionData,
	type INodeProperties,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { CrmWorkspace } from '../../../nodes/CrmWorkspace/CrmWorkspace.node';
import { endPlay } from '../harness/clock.mts';
import { helpersThatAsk } from '../harness/node.mts';
import { Violation } from '../harness/violation.mts';
import type { Options } from './history.mts';
import type { Life } from './life.mts';

const crmWorkspace: INodeType = new CrmWorkspace();

const inN8n = createRequire(resolve('.playground/n8n/package.json'));
const { SplitInBatchesV3 } = inN8n(
	'n8n-nodes-base/dist/nodes/SplitInBatches/v3/SplitInBatchesV3.node.js',
) as { SplitInBatchesV3: new () => INodeType };
const loopOverItems = new SplitInBatchesV3();

/** A message as a send node is given it. */
export interface Given {
	/** The row, or the call of an agent, that it comes from. */
	row: string;
	to: string;
	content: string;
	/** The words of its subject. */
	words: string;
	/** The run of an agent that makes the call. */
	agentRun?: number;
}

/** What the user sees of an item: what it brings, or its error. */
export type Result = { json: IDataObject } | { error: string };

/** One try of one run of a send node. */
export interface Attempt {
	execution: string;
	options: Options;
	given: Given[];
	/** By item; undefined for those that the run did not come to, or did not end with. */
	results: Array<Result | undefined>;
	/** In ms since 1970. */
	began: number;
}

type Execute = (
	context: IExecuteFunctions,
	response?: EngineResponse<AgentRun>,
) => Promise<INodeExecutionData[][] | EngineRequest<AgentRun>>;

/** The node types of a history, by name. */
export function nodeTypes(life: Life): (name: string) => INodeType {
	const { description } = crmWorkspace;
	const tool = { ...description, name: 'sendTool', inputs: [], outputs: ['ai_tool' as const] };
	const types: Record<string, INodeType> = {
		loop: loopOverItems,
		send: watched(description, life),
		sendTool: watched(tool, life),
		agent: simple(agent(life), ['main', 'ai_tool']),
		agent3: simple(agent3(life), ['main', 'ai_tool']),
		start: simple(async (context) => passOn(context)),
		rows: simple(async () => [life.rows().map((given) => ({ json: jsonOf(given) }))]),
		other: simple(async (context) => {
			failIfDue(context, life);
			return passOn(context);
		}),
		// The way back that docs/send-email.md describes, for each item twice at most.
		back: simple(async (context) => {
			const items = context.getInputData().filter(({ json }) => json.back !== 2);
			if (life.settings.errorPath === 'reorderedBack') items.reverse();
			return [
				items.map(({ json }) => {
					const given = givenIn(json);
					if (life.settings.errorPath === 'rewordedBack') given.words += 'b';
					return { json: { ...json, ...jsonOf(given), back: json.back ? 2 : 1 } };
				}),
			];
		}),
		toFallback: simple(async (context) => [
			context.getInputData().map(({ json }) => {
				const given = givenIn(json);
				const other = { ...given, row: `${given.row}f`, content: `f${given.content}` };
				// Some by the same message, for which it has another channel.
				return { json: jsonOf(given.content === 'c0' ? given : other) };
			}),
		]),
		call: simple(async (context) => {
			await life.callSubWorkflow(context.getInputData(), context.getExecutionId());
			return passOn(context);
		}),
	};
	return (name) => types[name];
}

/** A message as items and calls of tools have it. */
const jsonOf = (given: Given) => ({ given: JSON.stringify(given) });

const givenIn = (json: IDataObject) => JSON.parse(String(json.given)) as Given;

function simple(execute: Execute, inputs = ['main']): INodeType {
	const description = {
		...{ displayName: '', name: '', group: [], version: 1, description: '', defaults: {} },
		...{ inputs, outputs: ['main'], properties: [] },
	} as INodeTypeDescription;
	return {
		description,
		execute(this: IExecuteFunctions, response?: EngineResponse) {
			return execute(this, response as EngineResponse<AgentRun>);
		},
	};
}

function passOn(context: IExecuteFunctions): INodeExecutionData[][] {
	return [context.getInputData().map(({ json }, item) => ({ json, pairedItem: { item } }))];
}

function failIfDue(context: IExecuteFunctions, life: Life): void {
	if (life.failsAfter()) throw new NodeOperationError(context.getNode(), 'It failed');
}

/** The node, with the simulated service. It notes what it is given and makes of it. */
function watched(shown: INodeTypeDescription, life: Life): INodeType {
	const own = ['corrections', 'call'].map(
		(name) => ({ displayName: name, name, type: 'string', default: '' }) as INodeProperties,
	);
	return {
		...crmWorkspace,
		methods: crmWorkspace.methods,
		description: { ...shown, properties: [...shown.properties, ...own] },
		async execute() {
			const attempt = attemptOf(this);
			const { request, end } = life.begin(attempt);
			const ask = async (asked: IHttpRequestOptions) => {
				nothingForeign(attempt, String(asked.body));
				return await request(asked);
			};
			Object.assign(this.helpers, helpersThatAsk(ask));
			try {
				const outputs = (await crmWorkspace.execute!.call(this)) as INodeExecutionData[][];
				for (const item of outputs.flat()) {
					const index = (item.pairedItem as { item: number }).item;
					attempt.results[index] = resultOf(item);
					item.json = { ...item.json, given: this.getInputData()[index].json.given };
				}
				return outputs;
			} catch (error) {
				const { itemIndex = 0 } = (error as { context: { itemIndex?: number } }).context;
				attempt.results[itemIndex] = { error: wordsOf(error) };
				throw error;
			} finally {
				end();
			}
		},
	};
}

/** Each message is one of those that the run was given. */
function nothingForeign(attempt: Attempt, body: string): void {
	const { to, subject, html } = JSON.parse(body) as Record<string, string>;
	const isOwn = attempt.given.some(
		(given) =>
			given.to === to && subject === `News ${given.words}` && html === `[[${given.content}]]`,
	);
	const rule = 'a run sends nothing but its items';
	if (!isOwn) endPlay(new Violation(rule, `${subject}, ${html} to ${to}`));
}

/** What a send node is given. Its parameters get their values here: expressions take too long. */
function attemptOf(context: IExecuteFunctions): Attempt {
	const { corrections, options } = context.getNode().parameters;
	const corrected = JSON.parse(String(corrections)) as Record<string, Partial<Given>>;
	const items = context.getInputData();
	const given = items.map(({ json }) => {
		const one = givenIn(json);
		return { ...one, ...corrected[one.row] };
	});
	const parameters: IDataObject[] = given.map(({ to, words, content }, index) => ({
		...{ to, subject: `News ${words}`, html: `[[${content}]]` },
		...{ variablesJson: items[index].json, idempotencyKey: customKeyOf(given[index]) },
	}));
	const original = context.getNodeParameter.bind(context) as (...asked: unknown[]) => unknown;
	const replaced = (name: string, item: number, ...rest: unknown[]) =>
		parameters[item]?.[name] ?? original(name, item, ...rest);
	context.getNodeParameter = replaced as typeof context.getNodeParameter;
	return {
		...{ execution: context.getExecutionId(), options: options as unknown as Options },
		...{ given, results: given.map(() => undefined), began: Date.now() },
	};
}

/** One for each row and recipient. */
export const customKeyOf = ({ row, to }: Given) => `${row} to ${to} `.padEnd(253, '-');

function resultOf({ json, error }: INodeExecutionData): Result {
	if (error) return { error: wordsOf(error) };
	return json.error === undefined ? { json } : { error: JSON.stringify(json.error) };
}

function wordsOf(error: unknown): string {
	const { message, description } = error as { message: string; description?: string | null };
	return [message, description].filter(Boolean).join(' | ');
}

let agentRuns = 0;

/** What an agent asks for on account of its input, as its model puts it in this run. */
function callsOf(life: Life, { json }: INodeExecutionData, run: number): Given[] {
	return life.callsFor(givenIn(json).row).map((given) => {
		if (!life.settings.rewords && life.settings.repeats !== 'reworded') return given;
		const words = life.settings.rewords ? `${given.words}${run}` : given.words;
		return { ...given, words, content: `${given.content}${given.row.replaceAll('.', '_')}` };
	});
}

/** A failed call as the model makes it once more. */
function repeated({ settings }: Life, given: Given): Given {
	return settings.repeats === 'same' ? given : { ...given, words: `${given.words}r` };
}

/** An agent that calls its tools itself, as up to version 2.2. */
function agent(life: Life): Execute {
	return async (context) => {
		const agentRun = ++agentRuns;
		for (const [index, item] of context.getInputData().entries()) {
			const connected = await context.getInputConnectionData('ai_tool', index);
			const [tool] = [connected].flat() as Array<{ invoke(input: object): Promise<unknown> }>;
			// It continues after a failed call.
			const invoke = async (given: Given) =>
				await tool.invoke(jsonOf({ ...given, agentRun })).then(
					() => true,
					() => false,
				);
			const call = async (given: Given) => {
				if ((await invoke(given)) || life.settings.repeats === 'no') return;
				await invoke(repeated(life, given));
			};
			const calls = callsOf(life, item, agentRun);
			if (life.settings.isParallel) await Promise.all(calls.map(call));
			else for (const one of calls) await call(one);
		}
		failIfDue(context, life);
		return passOn(context);
	};
}

interface AgentRun {
	agentRun: number;
	isRepeating: boolean;
}

/** An agent that has n8n call its tools, as from version 3 on. */
function agent3(life: Life): Execute {
	return async (context, response) => {
		const { agentRun = ++agentRuns, isRepeating = false } = response?.metadata ?? {};
		const [nodeName] = context
			.getParentNodes(context.getNode().name, { connectionType: 'ai_tool', depth: 1 })
			.map(({ name }) => name);
		const request = (calls: Given[], metadata: AgentRun): EngineRequest<AgentRun> => ({
			actions: calls.map((given, index) => ({
				actionType: 'ExecutionNodeAction',
				...{ nodeName, type: 'ai_tool', id: `call-${index}`, metadata },
				input: jsonOf({ ...given, agentRun }),
			})),
			metadata,
		});
		const responses = response?.actionResponses ?? [];
		if (responses.length === 0) {
			const calls = context.getInputData().flatMap((item) => callsOf(life, item, agentRun));
			return request(calls, { agentRun, isRepeating: false });
		}
		const failed = responses.filter(({ data }) => data.data?.ai_tool?.[0]?.[0].json.error);
		if (failed.length > 0 && life.settings.repeats !== 'no' && !isRepeating) {
			const calls = failed.map(({ action }) => givenIn(action.input));
			const again = calls.map((given) => repeated(life, given));
			return request(again, { agentRun, isRepeating: true });
		}
		failIfDue(context, life);
		return passOn(context);
	};
}
