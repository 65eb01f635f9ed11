/**
 * What n8n's execution shows a node beyond n8n's documented interface, and where the node stores
 * what has to survive in it. Names under which something is stored must not change.
 *
 * Of what this folder relies on, `test/e2e/canaries.test.mts` has tests that use n8n alone, but for
 * n8n's agents module.
 */
import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	IPollFunctions,
	IRunExecutionData,
} from 'n8n-workflow';

/** The name under which this package stores data in n8n's execution. */
const storageName = 'n8n-nodes-crm-workspace';

/**
 * Where the nodes of an execution store what they have in common; undefined if there is no execution.
 * Relies on: the context `flow` is stored with the execution, and passed on to every retry of it;
 * n8n's MCP Server Trigger and its agents module give no execution ID, and may have no context. Seen
 * in 1.85.4 (which has neither of them), 1.123.81, 2.41.1.
 */
export function getExecutionStorage<Stored>(
	context: IExecuteFunctions,
	create: () => Stored,
): Stored | undefined {
	const stored = context.getExecutionId() ? findContext<Stored>(context, 'flow') : undefined;
	return stored && (stored[storageName] ??= create());
}

function findContext<Stored>(
	context: IExecuteFunctions,
	type: 'flow' | 'node',
): Record<string, Stored> | undefined {
	try {
		return context.getContext(type) as Record<string, Stored>;
	} catch {
		return undefined;
	}
}

/**
 * A list that outlives the tries of Retry On Fail. Relies on: the context `node`, as above.
 * @returns an empty one where n8n stores nothing
 */
export function getNodeStorage(context: IExecuteFunctions, name: string): string[] {
	const stored = findContext<string[]>(context, 'node') ?? {};
	return (stored[name] ??= []);
}

/**
 * The random part of the URL at which n8n resumes the execution: who knows it can resume it. Relies
 * on: it is stored before the first node runs, and retries keep it even if n8n was killed and all
 * other data is lost. Seen in 2.14.2 and 2.41.1; undefined in 2.11.4 and before.
 */
export function getResumeToken(context: IExecuteFunctions): string | undefined {
	const { resumeUrl = '' } = (context.getWorkflowDataProxy(0).$execution ?? {}) as {
		resumeUrl?: string;
	};
	if (!URL.canParse(resumeUrl)) return undefined;
	return new URL(resumeUrl).searchParams.get('signature') ?? undefined;
}

/**
 * Stands in for the token of a retry before n8n 2.14: when the retried execution began, which all its
 * retries have in common. Relies on: private fields of the context, with the data of the retried
 * execution's runs, before those of this one. Seen in 1.85.4, 1.123.81, 2.11.4.
 * @returns undefined if n8n has lost it, because it was killed
 */
export function findOriginBeforeToken(context: IExecuteFunctions): string | undefined {
	const { runExecutionData, additionalData } = context as unknown as {
		runExecutionData?: IRunExecutionData;
		additionalData?: { currentNodeExecutionIndex?: number };
	};
	const runs = Object.values(runExecutionData?.resultData.runData ?? {}).flat();
	if (runs.length === 0) return undefined;
	const first = runs.reduce((one, other) => (other.startTime < one.startTime ? other : one));
	const index = additionalData?.currentNodeExecutionIndex;
	// n8n counts the runs of each execution from 0, with the one that has begun. Before 1.87 it doesn't
	// count them, and only runs of this execution have a `metadata` that is undefined.
	const isEarlier = index === undefined ? !('metadata' in first) : runs.length > index - 1;
	// What n8n finds of an execution that crashed, it notes in seconds.
	const isInMs = first.startTime > 100_000_000_000;
	return isEarlier && isInMs ? `began ${first.startTime}` : undefined;
}

/**
 * What this package has written on the entry of n8n's stack that has the node run. Relies on: n8n
 * keeps pending work on a stack and puts a failed entry back unchanged, `metadata` included, so it
 * identifies what is retried. Seen in 1.85.4, 1.123.81, 2.41.1.
 */
export function getEntryMark<Mark>(context: IExecuteFunctions, create: () => Mark): Mark {
	const metadata = (context.getExecuteData().metadata ??= {}) as Record<string, Mark>;
	return (metadata[storageName] ??= create());
}

/**
 * Whether an agent up to 2.2 calls the node, within its own run. Relies on: the entry on the stack is
 * the agent's then. Seen in 1.85.4, 1.123.81 and 2.41.1.
 */
export function isWithinAgent(context: IExecuteFunctions): boolean {
	return context.getExecuteData().node.name !== context.getNode().name;
}

/**
 * The run of the agent, from version 3 on, that has n8n call the node. Relies on: the entry's source,
 * in which the first run may be undefined. Seen in 1.123.81 and 2.41.1.
 */
export function getCallingRun(context: IExecuteFunctions): string | undefined {
	if (!isTool(context.getNode())) return undefined;
	const [caller] = context.getExecuteData().source?.main ?? [];
	return caller ? `${caller.previousNode} ${caller.previousNodeRun}` : undefined;
}

/**
 * What all calls of one attempt of an agent up to 2.2 have in common. Relies on: n8n gives them the
 * same list of functions, in a private field. Seen in 1.85.4, 1.123.81 and 2.41.1.
 */
export function getAgentAttempt(context: IExecuteFunctions): object {
	const { closeFunctions = {} } = context as unknown as { closeFunctions?: object };
	return closeFunctions;
}

/**
 * Has `$fromAI` give a tool what the model asks for in this call. Agents of old versions of n8n, such
 * as 1.85, count their calls from 0 whenever they begin, and `$fromAI` reads the call of that number
 * in the whole execution: one item of the agent would get what the model asked for with another.
 * Relies on: private fields of the context. Seen in 1.85.4; later versions give the right number.
 */
export function useOwnCall(context: IExecuteFunctions): void {
	const node = context.getNode();
	if (!isTool(node)) return;
	const { runExecutionData, runIndex } = context as unknown as {
		runExecutionData?: IRunExecutionData;
		runIndex?: number;
	};
	const calls = runExecutionData?.resultData.runData[node.name] ?? [];
	const input = context.getInputData();
	const own = calls.findLastIndex(({ inputOverride }) => inputOverride?.ai_tool?.[0] === input);
	if (own >= 0 && own !== runIndex) Object.assign(context, { runIndex: own });
}

/**
 * Whether an agent calls the node. Relies on: n8n adds `Tool` to its type. Seen in 1.85.4, 1.123.81
 * and 2.41.1.
 */
export function isTool({ type }: INode): boolean {
	return type.endsWith('Tool');
}

/**
 * What all tries of Retry On Fail have in common for which there is no execution. Relies on: n8n gives
 * a tool of its MCP Server Trigger the same object of arguments in each try. Seen in 2.41.1.
 */
export function getCall(context: IExecuteFunctions): object {
	return context.getInputData()[0]?.json ?? {};
}

/**
 * Whether n8n hides what the node throws, so that it has to put out its errors. Relies on: an agent up
 * to 2.2 shows its model nothing of an error that its tool throws, even after Retry On Fail. n8n's MCP
 * Server Trigger, which has no execution, shows it. Seen in 2.41.1.
 */
export function hidesErrors(context: IExecuteFunctions): boolean {
	const isCalled = isTool(context.getNode()) && context.getExecutionId() !== undefined;
	return isCalled && isWithinAgent(context);
}

/**
 * What the call of a tool gives, without what its agent was given. Relies on: the item of a tool has
 * both from version 3 of the agent on. Seen in 2.41.1.
 */
export function getCallArguments(context: IExecuteFunctions, json: IDataObject): IDataObject {
	const parameters = JSON.stringify(context.getNode().parameters);
	const names = [...parameters.matchAll(/\$fromai\(\s*\\?["'`]([\w-]+)/gi)].map(([, name]) => name);
	return Object.fromEntries(Object.entries(json).filter(([name]) => names.includes(name)));
}

/** How long a poll may take if n8n doesn't limit it. */
const usualBudgetMs = 5 * 60_000;

/** For how long requests of the poll begin with which n8n activates a workflow: the user waits. */
const activationBudgetMs = 10_000;

const longestRequestMs = 30_000;

const activeContexts = new WeakSet<object>();

/**
 * How long one request of a poll may take, and for how long requests may begin. Relies on: n8n has
 * one context for as long as a workflow is active, or a context and a budget for each poll. Seen in
 * 1.85.4 and 1.123.81 (which have no budget) and 2.41.1.
 */
export function getPollBudget(context: IPollFunctions): { timeoutMs: number; patienceMs: number } {
	const budgetMs = (context as Partial<IPollFunctions>).getPollBudgetMs?.() ?? usualBudgetMs;
	const timeoutMs = Math.min(longestRequestMs, budgetMs / 3);
	const isActivation = budgetMs >= usualBudgetMs && !activeContexts.has(context);
	activeContexts.add(context);
	const limitMs = isActivation ? activationBudgetMs : Infinity;
	return { timeoutMs, patienceMs: Math.min(budgetMs - timeoutMs, limitMs) };
}
