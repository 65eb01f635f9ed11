import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { IDataObject } from 'n8n-workflow';
import type { Workflow } from '../../playground/client.mts';

/** Where the simulated service is, and the IDs of both nodes' credentials for it. */
export const service = {
	baseUrl: 'https://crm.example.com/api/v1',
	credential: 'crmWorkspaceApi',
	headerAuth: 'httpHeaderAuth',
};

/** A run of a node with items, in a workspace that has a contact for each item. */
export interface Run {
	node: Workflow['nodes'][number];
	items: IDataObject[];
}

/** What a run took. */
export interface Outcome {
	seconds: number;
	/** All that reached the service. */
	requests: number;
	/** How many messages and contacts were written. */
	written: number;
}

/**
 * Plays a run in simulated time, which is that of a whole thread.
 * @param writes how many messages or contacts have to be written
 * @throws an Error if the run fails, or if others are written
 */
export async function play(run: Run, writes: number): Promise<Outcome> {
	const worker = new Worker(new URL('player.mts', import.meta.url), { workerData: run });
	const [outcome]: Outcome[] = await once(worker, 'message');
	await worker.terminate();
	if (outcome.written === writes) return outcome;
	throw new Error(`${run.node.name}: ${outcome.written} of ${writes} written`);
}
