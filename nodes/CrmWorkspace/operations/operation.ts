/** What an operation is: its parameters, and what one run does with its items. */
import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { Client } from '../client/request';
import type { Hint } from '../common/text';
import type { ItemReader } from '../parameters/itemReader';

/** One entry of the node's Operation parameter. */
export interface Operation {
	properties: INodeProperties[];
	begin(run: Run): ItemWork<unknown>;
}

export interface Run {
	context: IExecuteFunctions;
	client: Client;
	/** Number of requests that may be under way at the same time. */
	concurrency: number;
	/** Whether the error of an item becomes an error item, or ends the run. */
	continuesOnFail: boolean;
}

/** What an operation does with the items of one run. */
export interface ItemWork<Prepared> {
	/** Reads the item's parameters; throws for what can't be right. Makes no request. */
	prepare(item: ItemReader): Prepared;
	/** The same value for items that are performed one after another. Called once all are prepared. */
	laneOf?(prepared: Prepared): unknown;
	/** Sends requests; returns what becomes of the item, or a list of records that take its place. */
	perform(item: PreparedItem<Prepared>): Promise<Performed>;
	/** Whether the item is certain to take at least one request, which the rate limiter counts on. */
	takesRequest(prepared: Prepared): boolean;
	/**
	 * Called when the error of an item ends the run: no other item begins, and no request of those
	 * under way after it has resolved.
	 */
	stop?(): Promise<void>;
	/**
	 * How the description of the error ends that ends the run.
	 * @param progress how many items were done; empty if there is only one
	 * @param description what it says before
	 */
	describeEnd?(progress: string, description: string): string;
	/** What the user should know of a run that has ended without an error. */
	hints(): Hint[];
	/** Called when the run has ended, however it did. */
	close?(): void;
}

export interface PreparedItem<Prepared> {
	prepared: Prepared;
	itemIndex: number;
}

export type Performed = IDataObject | IDataObject[];
