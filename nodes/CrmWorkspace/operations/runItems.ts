import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	NodeExecutionHint,
} from 'n8n-workflow';
import type { Connection } from '../transport/connection';
import { yieldToEventLoop } from '../transport/clock';
import { Cancelled } from '../transport/failure';
import { toNodeError, formatError } from '../transport/nodeError';
import { ItemReader, type SplitTexts } from './itemReader';
import { runPool, type ItemOutcome } from './pool';
import { readRequestOptions } from './requestOptions';

/** What an operation returns, and `runOperation` hands to n8n. */
export interface Output {
	items: INodeExecutionData[];
	/** What the user should know of the run, for the editor's output panel. */
	hints: NodeExecutionHint[];
}

/** One entry of the node's Operation parameter. */
export interface Operation {
	properties: INodeProperties[];
	/** Does the operation for all input items, with a connection that is open until it is done. */
	execute(context: IExecuteFunctions, connection: Connection): Promise<Output>;
}

/** What an operation does with each item. */
interface ItemWork<Prepared> {
	/** Reads the item's parameters; throws for what can't be right. Makes no request. */
	prepare(item: ItemReader): Prepared;
	/** The same value for items that are performed one after another. Called once all are prepared. */
	laneOf?(prepared: Prepared): unknown;
	/** Sends requests; returns what becomes of the item, or a list of records that take its place. */
	perform(item: PreparedItem<Prepared>): Promise<Performed>;
	/** Whether the item is certain to take at least one request, which the rate limiter counts on. */
	takesRequest(prepared: Prepared): boolean;
	/** What the error of an item that ends the run adds to the number of items that were done. */
	noteOnStop?(error: unknown, itemIndex: number): string;
}

interface PreparedItem<Prepared> {
	prepared: Prepared;
	itemIndex: number;
}

type Performed = IDataObject | IDataObject[];

type Outcomes = Array<ItemOutcome<Performed> | undefined>;

/**
 * Runs an operation over all input items: first every item is prepared, then as many at a time as
 * the option 'Max Concurrent Requests' says are performed. The output is in input order, each record linked to its
 * input. An item that fails becomes an error item when the node continues on errors; otherwise no
 * further request begins, those under way finish, and the run ends with the item's error, which says
 * how many items were done.
 */
export async function runItems<Prepared>(
	context: IExecuteFunctions,
	connection: Connection,
	work: ItemWork<Prepared>,
): Promise<Output> {
	const { concurrency } = readRequestOptions(context);
	const count = context.getInputData().length;

	const { lanes, failed } = await prepareAll(context, connection, work);
	throwFirstError(context, failed, work);

	const stop = context.continueOnFail() ? undefined : () => connection.close();
	const options = { concurrency, stop };
	const performed = await runPool(count, lanes, options, async (item) => await work.perform(item));
	throwFirstError(context, performed, work);

	const outcomes = performed.map((outcome, itemIndex) => outcome ?? failed[itemIndex]);
	return { items: await buildItems(context, outcomes), hints: connection.hints() };
}

/**
 * Prepares every item, and announces the requests that they are certain to take. When the node does
 * not continue on errors, the first item that can't be right is the last one.
 * @returns those that can begin, in lanes, and the errors of the others by their index
 */
async function prepareAll<Prepared>(
	context: IExecuteFunctions,
	connection: Connection,
	work: ItemWork<Prepared>,
): Promise<{ lanes: Array<Array<PreparedItem<Prepared>>>; failed: Outcomes }> {
	const ready: Array<PreparedItem<Prepared>> = [];
	const failed: Outcomes = [];
	const splitTexts: SplitTexts = new Map();
	for (const itemIndex of context.getInputData().keys()) {
		try {
			const prepared = work.prepare(new ItemReader(context, itemIndex, splitTexts));
			ready.push({ prepared, itemIndex });
		} catch (error) {
			failed[itemIndex] = { error };
			if (!context.continueOnFail()) break;
		}
		await yieldToEventLoop();
	}
	connection.announce(ready.filter(({ prepared }) => work.takesRequest(prepared)).length);
	const lanes = new Map<unknown, typeof ready>();
	for (const item of ready) {
		const lane = work.laneOf?.(item.prepared) ?? item;
		lanes.set(lane, lanes.get(lane) ?? []);
		lanes.get(lane)!.push(item);
	}
	return { lanes: [...lanes.values()], failed };
}

/**
 * Makes an error item of each input item, for an error that all share. When a node that continues
 * on errors throws, n8n hands on its input as if it were done.
 */
export async function failAll(
	context: IExecuteFunctions,
	error: unknown,
): Promise<INodeExecutionData[]> {
	const outcomes = context.getInputData().map(() => ({ error }));
	return await buildItems(context, outcomes);
}

async function buildItems(
	context: IExecuteFunctions,
	outcomes: Outcomes,
): Promise<INodeExecutionData[]> {
	const items: INodeExecutionData[] = [];
	for (const [item, outcome] of outcomes.entries()) {
		const isDone = outcome && 'result' in outcome;
		const result = isDone ? outcome.result : toErrorJson(context, outcome?.error, item);
		const pairedItem = { item };
		if (Array.isArray(result)) for (const json of result) items.push({ json, pairedItem });
		else items.push({ json: result, binary: context.getInputData()[item].binary, pairedItem });
		await yieldToEventLoop();
	}
	return items;
}

/** An error item: its input's fields, and in `error` what happened and what to do next. */
function toErrorJson(context: IExecuteFunctions, reason: unknown, itemIndex: number): IDataObject {
	const text = formatError(toNodeError(context.getNode(), reason, itemIndex));
	// An alert that shows it would take code in braces for a token.
	const error = text.replaceAll('{{', '{ {').replaceAll('}}', '} }');
	// n8n sends an item to the error output if its json has nothing but `error`, and then adds the
	// input's fields itself. If the item had an error object, n8n would drop these fields on either
	// output.
	if (context.getNode().onError === 'continueErrorOutput') return { error };
	return { ...context.getInputData()[itemIndex].json, error };
}

/** Throws the error that ended the run, not the `Cancelled` of items that were given up for it. */
function throwFirstError<Prepared>(
	context: IExecuteFunctions,
	outcomes: Outcomes,
	{ noteOnStop }: ItemWork<Prepared>,
): void {
	if (context.continueOnFail()) return;
	const errors = outcomes.flatMap((outcome, itemIndex) =>
		outcome && 'error' in outcome ? [{ error: outcome.error, itemIndex }] : [],
	);
	const reason = errors.find(({ error }) => !(error instanceof Cancelled)) ?? errors[0];
	if (!reason) return;

	const error = toNodeError(context.getNode(), reason.error, reason.itemIndex);
	const count = context.getInputData().length;
	const done = outcomes.filter((outcome) => outcome && 'result' in outcome).length;
	const note = noteOnStop?.(reason.error, reason.itemIndex);
	const progress = count > 1 ? [`${done} of ${count} items were done.`, note] : [];
	error.description = [error.description, ...progress].filter(Boolean).join(' ') || undefined;
	throw error;
}
