import { join } from 'node:path';
import { execaNode, type Message } from 'execa';
import type { Contestant } from '../case.mts';
import type { Batch } from '../httpRequest.mts';

/** Requests per minute that the service allows its one key. */
export const allowance = 60;

/** The same work for one or more n8n processes that don't know of each other. */
export interface Scenario {
	contestant: Contestant;
	/** Sends messages, or updates contacts by email from rows of all contacts. */
	work: 'send' | 'sync';
	/** Items of each process. */
	items: number;
	/** How many items of a sync change something. */
	changes?: number;
	/** When each process begins, in ms. */
	beginsAt: number[];
	/** How HTTP Request spaces its requests. */
	batch: Batch;
	/** Of random numbers. */
	seed: number;
}

/** The outcome of a scenario. */
export interface Outcome {
	/** From the beginning to the end of the last execution, in s. */
	seconds: number;
	/** All that reached the service. */
	requests: number;
	messages: number;
	updated: number;
	/** Of executions that failed. */
	errors: string[];
}

/** Plays a scenario in a process of its own, as time is simulated for a whole process. */
export async function play(scenario: Scenario): Promise<Outcome> {
	const { ipcOutput } = await execaNode(join(import.meta.dirname, 'player.mts'), {
		ipcInput: scenario as unknown as Message,
		stdin: 'ignore',
		stdout: 'inherit',
		stderr: 'inherit',
	});
	return ipcOutput[0] as unknown as Outcome;
}
