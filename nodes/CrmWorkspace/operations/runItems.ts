/** Runs an operation over all input items: prepares, performs several at a time, and outputs them. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { HttpClient } from '../client/client';
import { Cancelled } from '../client/failure';
import { yieldToEventLoop } from '../common/tasks';
import { toDisplayText } from '../common/text';
import { formatError, toNodeError } from '../n8n/errors';
import { getCallArguments, isTool } from '../n8n/execution';
import { ItemReader } from '../parameters/itemReader';
import { texts } from '../parameters/texts';
import type { ItemWork, Performed, PreparedItem, Run } from './operation';

type ItemOutcome<Result> = { result: Result } | { error: unknown };

type Outcomes = Array<ItemOutcome<Performed> | undefined>;

/**
 * First every item is prepared, then as many at a time as the option 'Max Concurrent Requests' says
 * are performed. The output is in input order, each record linked to its input. An item that fails
 * becomes an error item when the node continues on errors; otherwise no further request begins, those
 * under way finish, and the run ends with the item's error, which says how many items were done.
 */
export async function runItems<Prepared>(
	run: Run & { client: HttpClient },
	work: ItemWork<Prepared>,
): Promise<INodeExecutionData[]> {
	const { context, client, concurrency, continuesOnFail } = run;
	const count = context.getInputData().length;
	const { lanes, failed } = await prepareAll(run, work);
	if (!continuesOnFail) throwFirstError(context, failed, work);

	const stop = async () => {
		await work.stop?.();
		client.close();
	};
	const options = { concurrency, stop: continuesOnFail ? undefined : stop };
	const performed = await runPool(count, lanes, options, async (item) => await work.perform(item));
	if (!continuesOnFail) throwFirstError(context, performed, work);

	return await buildItems(
		context,
		performed.map((outcome, itemIndex) => outcome ?? failed[itemIndex]),
	);
}

/**
 * Prepares every item, and announces the requests that they are certain to take. When the node does
 * not continue on errors, the first item that can't be right is the last one.
 * @returns those that can begin, in lanes, and the errors of the others by their index
 */
async function prepareAll<Prepared>(
	{ context, client, continuesOnFail }: Run,
	work: ItemWork<Prepared>,
): Promise<{ lanes: Array<Set<PreparedItem<Prepared>>>; failed: Outcomes }> {
	const ready: Array<PreparedItem<Prepared>> = [];
	const failed: Outcomes = [];
	for (const itemIndex of context.getInputData().keys()) {
		try {
			const prepared = work.prepare(new ItemReader(context, itemIndex));
			ready.push({ prepared, itemIndex });
		} catch (error) {
			failed[itemIndex] = { error };
			if (!continuesOnFail) break;
		}
		await yieldToEventLoop();
	}
	client.announce(ready.filter(({ prepared }) => work.takesRequest(prepared)).length);
	const lanes = new Map<unknown, Set<PreparedItem<Prepared>>>();
	for (const item of ready) {
		const lane = work.laneOf?.(item.prepared) ?? item;
		lanes.set(lane, (lanes.get(lane) ?? new Set()).add(item));
	}
	return { lanes: [...lanes.values()], failed };
}

interface PoolOptions {
	/** Number of lanes that are worked on at the same time. */
	concurrency: number;
	/** Called when an item fails: those under way finish, and no further one begins. */
	stop?: () => Promise<void>;
}

/**
 * Performs items, begun in order. The items of a lane are performed one after another by one worker,
 * so that none of them waits for another while it takes up concurrency. Even if no item waits for
 * anything, they don't block the event loop.
 * @param lanes emptied, so that what an item has prepared is released once it is done
 * @returns how each of `count` items ended, in their order; undefined for one that never began
 */
async function runPool<Item extends { itemIndex: number }, Result>(
	count: number,
	lanes: Array<Set<Item>>,
	{ concurrency, stop }: PoolOptions,
	perform: (item: Item) => Promise<Result>,
): Promise<Array<ItemOutcome<Result> | undefined>> {
	const outcomes = new Array<ItemOutcome<Result> | undefined>(count).fill(undefined);
	let isStopped = false;
	const performOne = async (item: Item) => {
		try {
			outcomes[item.itemIndex] = { result: await perform(item) };
		} catch (error) {
			outcomes[item.itemIndex] = { error };
			isStopped = stop !== undefined;
			await stop?.();
		}
		// n8n stores a stopped execution soon: the run has to have failed by then.
		if (!isStopped) await yieldToEventLoop();
	};
	// All workers take from the same iterator.
	const queue = lanes.values();
	const work = async () => {
		for (const lane of queue) {
			for (const item of lane) {
				if (isStopped) return;
				lane.delete(item);
				await performOne(item);
			}
		}
	};
	await Promise.all(Array.from({ length: concurrency }, work));
	return outcomes;
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

/**
 * An error item: its input's fields, or what a model gave a tool, and in `error` what happened and what
 * to do next.
 */
function toErrorJson(context: IExecuteFunctions, reason: unknown, itemIndex: number): IDataObject {
	const text = formatError(toNodeError(context.getNode(), reason, itemIndex));
	const { json } = context.getInputData()[itemIndex];
	if (isTool(context.getNode())) return { ...getCallArguments(context, json), error: text };
	// An alert that shows it would take code in braces for a token.
	const error = text.replaceAll('{{', '{ {').replaceAll('}}', '} }');
	// n8n sends an item to the error output if its json has nothing but `error`, and then adds the
	// input's fields itself. If the item had an error object, n8n would drop these fields on either
	// output.
	if (context.getNode().onError === 'continueErrorOutput') return { error };
	return { ...json, error };
}

/** Throws the error that ended the run, not the `Cancelled` of items that were given up for it. */
function throwFirstError<Prepared>(
	context: IExecuteFunctions,
	outcomes: Outcomes,
	work: ItemWork<Prepared>,
): void {
	const errors = outcomes.flatMap((outcome, itemIndex) =>
		outcome && 'error' in outcome ? [{ error: outcome.error, itemIndex }] : [],
	);
	const reason = errors.find(({ error }) => !(error instanceof Cancelled)) ?? errors[0];
	if (!reason) return;

	const error = toNodeError(context.getNode(), reason.error, reason.itemIndex);
	const count = context.getInputData().length;
	const done = outcomes.filter((outcome) => outcome && 'result' in outcome).length;
	const progress = count > 1 ? texts.progress(done, count) : '';
	const end = work.describeEnd?.(progress, error.description ?? '') ?? progress;
	const description = [error.description, end].filter(Boolean).join(' ');
	error.description = toDisplayText(description) || undefined;
	throw error;
}
