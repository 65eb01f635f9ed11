import type { Batch } from '../httpRequest.mts';
import type { Limiter } from '../../test/models/harness/limiters.mts';

/** One execution, of a workflow that does this and nothing else. */
export interface Job {
	/** Sends, updates of contacts by ID, or the nightly sync by email of rows that mostly say nothing new. */
	kind: 'send' | 'update' | 'sync';
	items: number;
	/** How many items of a sync change something; all others say what is so already. */
	changes?: number;
	/** When it begins, in ms from the beginning. */
	at: number;
	/** How n8n's HTTP Request node is set; nothing for items that go all at once. */
	batch?: Batch;
}

/** Something to be played in simulated time. */
export interface Scenario {
	contestant: 'ours' | 'other';
	limiter: Limiter;
	/** Of all that is left to chance. */
	seed: number;
	/** The jobs of each n8n process. All processes use one key. */
	processes: Job[][];
	/** *Number of n8n Processes* in this node's credential: 1 by default. */
	declared?: number;
}

/** What came of a job; moments in ms from the beginning. */
export interface JobCame {
	process: number;
	kind: Job['kind'];
	beganAt: number;
	endedAt: number;
	/** The first words of the error that it ended with. */
	error?: string;
}

/** What came of a scenario. */
export interface Came {
	/** From the beginning to the end of the last job, in ms. */
	took: number;
	/** Requests that reached the service, refused ones included. */
	requests: number;
	refused: number;
	/** Messages sent, and contacts updated, each counted once. */
	messages: number;
	updated: number;
	jobs: JobCame[];
	/** When each process had something done for the first time, in ms from the beginning. */
	done: number[][];
	/** CPU time that it took to play, in ms. */
	cpu: number;
}

/** The longest latency, in ms. */
export const latency = 100;
