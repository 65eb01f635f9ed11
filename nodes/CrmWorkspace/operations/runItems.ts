import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';
import type { Connection } from '../transport/connection';
import type { WithoutKey } from '../transport/credential/withoutKey';
import { yieldToEventLoop } from '../transport/eventLoop';
import { Cancelled, RequestFailure } from '../transport/errors/failure';
import { inOneText, toNodeApiError } from '../transport/errors/nodeError';
import { ItemProblem } from './itemProblem';
import type { Output } from './operation';
import { notYet, runPool, type ItemOutcome } from './pool';
import { readRequestOptions } from './requestOptions';

/** What an operation does with each item. */
export interface ItemWork<Prepared> {
	/** Reads the item's parameters; throws for what cannot be right. Makes no request. */
	prepare(itemIndex: number): Prepared;
	/**
	 * Asks the service; gives the records that come out for this item, or `notYet` when other items
	 * have to be done first.
	 */
	perform(prepared: Prepared, itemIndex: number): Promise<IDataObject[] | typeof notYet>;
	/**
	 * Whether the item is certain to take at least one request, so that the pacer can count on it.
	 */
	takesRequest(prepared: Prepared): boolean;
	/** What to add where an error that ends the run says how many items were done; empty for nothing. */
	noteOnDone?(): string;
}

type ItemError = NodeApiError | NodeOperationError;

/**
 * Runs an operation over all input items: first every item is prepared, then as many at a time as
 * the Concurrency option says are performed. The output is in input order, each record linked to
 * its input. An item that fails becomes an error item when the node continues on errors; otherwise
 * no further request begins, those under way finish, and the run ends with the item's error, which
 * says how many items were done.
 */
export async function runItems<Prepared>(
	context: IExecuteFunctions,
	connection: Connection,
	work: ItemWork<Prepared>,
): Promise<Output> {
	const { concurrency } = readRequestOptions(context);
	const goesOn = context.continueOnFail();
	const count = context.getInputData().length;

	const prepared = await runPool(count, { concurrency: 1, stopOnError: !goesOn }, async (index) =>
		work.prepare(index),
	);
	if (!goesOn) throwFirstError(context, prepared, progressOf(0, count));

	const takesRequest = (one: ItemOutcome<Prepared>) =>
		one && 'result' in one && work.takesRequest(one.result);
	connection.announce(prepared.filter(takesRequest).length);

	const close = () => connection.close();
	const untilEnd = { concurrency, stopOnError: !goesOn, onStop: close };
	const performed = await runPool(count, untilEnd, async (index) => {
		const preparation = prepared[index];
		if (!preparation || 'error' in preparation) throw preparation?.error;
		const records = await work.perform(preparation.result, index);
		// A run may last for hours: what is done is not held any longer.
		if (records !== notYet) prepared[index] = undefined;
		return records;
	});
	const done = performed.filter((outcome) => outcome && 'result' in outcome).length;
	if (!goesOn) throwFirstError(context, performed, progressOf(done, count, work.noteOnDone?.()));

	const items = await itemsOf(context, performed, connection.withoutKey);
	return { items, hints: connection.hints() };
}

/**
 * Makes an error item of each input item, for an error that all share. When a node that continues
 * on errors throws, n8n hands on its input as if it were done.
 */
export async function failAll(
	context: IExecuteFunctions,
	error: unknown,
	withoutKey: WithoutKey,
): Promise<INodeExecutionData[]> {
	const outcomes = context.getInputData().map(() => ({ error }));
	return await itemsOf(context, outcomes, withoutKey);
}

async function itemsOf(
	context: IExecuteFunctions,
	outcomes: Array<ItemOutcome<IDataObject[]>>,
	withoutKey: WithoutKey,
): Promise<INodeExecutionData[]> {
	const items: INodeExecutionData[] = [];
	for (const [item, outcome] of outcomes.entries()) {
		const isDone = outcome && 'result' in outcome;
		if (isDone) for (const json of outcome.result) items.push({ json, pairedItem: { item } });
		else {
			const error = inOneText(itemError(context, outcome?.error, item), withoutKey);
			items.push({ json: errorJson(context, error, item), pairedItem: { item } });
		}
		await yieldToEventLoop();
	}
	return items;
}

/**
 * What an error item holds: its input's fields, and in `error` what happened and what to do next.
 */
function errorJson(context: IExecuteFunctions, error: string, itemIndex: number): IDataObject {
	// n8n sends an item to the error output if its json has nothing but `error`, and then adds the
	// input's fields itself. If the item had an error object, n8n would drop these fields on either
	// output.
	if (context.getNode().onError === 'continueErrorOutput') return { error };
	return { ...context.getInputData()[itemIndex].json, error };
}

function progressOf(done: number, count: number, note = ''): string {
	if (count === 1) return '';
	return `${done} of ${count} items were done${done > 0 && note ? `: ${note}` : ''}.`;
}

/**
 * Throws the error that ended the run, not the `Cancelled` of items that were given up for it; before
 * any other, one that alone tells values which a contact has lost.
 */
function throwFirstError(
	context: IExecuteFunctions,
	outcomes: Array<ItemOutcome<unknown>>,
	progress: string,
): void {
	const errors = outcomes.flatMap((outcome, itemIndex) =>
		outcome && 'error' in outcome ? [{ error: outcome.error, itemIndex }] : [],
	);
	const reason =
		errors.find(({ error }) => (error as Partial<ItemProblem> | undefined)?.hasLostValues) ??
		errors.find(({ error }) => !(error instanceof Cancelled)) ??
		errors[0];
	if (!reason) return;

	const error = itemError(context, reason.error, reason.itemIndex);
	error.description = [error.description, progress].filter(Boolean).join(' ') || undefined;
	throw error;
}

function itemError(context: IExecuteFunctions, error: unknown, itemIndex: number): ItemError {
	if (error instanceof RequestFailure) return toNodeApiError(context.getNode(), error, itemIndex);
	if (error instanceof NodeOperationError || error instanceof NodeApiError) {
		error.context.itemIndex ??= itemIndex;
		return error;
	}
	const description = error instanceof ItemProblem ? error.advice : undefined;
	return new NodeOperationError(context.getNode(), error as Error, { itemIndex, description });
}
