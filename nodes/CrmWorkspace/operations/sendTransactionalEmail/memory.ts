import { fingerprint } from '../../service/idempotencyKey';
import type { Loss } from './loss';

/**
 * What is known of a place in a sequence:
 * - sent: the message went out
 * - rejected: the service took the message and did not deliver it
 * - doubtful: the service took the message and told of an error; it may be delivered all the same
 * - failed: the send failed at the service, so its idempotency key is used up
 * - refused: the service turned down every request, so nothing went out and the key is free
 * - unknown: a request may have arrived, and no answer came
 */
export type PlaceState = 'sent' | 'rejected' | 'doubtful' | 'failed' | 'refused' | 'unknown';

/**
 * One place in the sequence of messages to a recipient: what was last sent or tried there. n8n
 * stores these objects with the execution, so their property names must not change.
 */
export interface Place {
	state: PlaceState;
	/** The turn that the message belongs to. */
	turn: string;
	/** Which message of the turn it is: see `SendIntent.name`. */
	name: string;
	/** In which of `Memory.executions` it was sent, or first tried. */
	execution: number;
	/** The last one in which it may have been sent, where that is another one. */
	until?: number;
}

/** What an execution remembers of its messages, and hands on to those that retry it. */
export interface Memory {
	/** What identifies the execution in which it all began. */
	origin: string;
	/** The executions that sent so far, and when each began to, in ms since 1970. */
	executions: Array<{ id: string; at: number }>;
	/** What is remembered of each recipient, and of each key of the user's, by its fingerprint. */
	records: Record<string, Remembered>;
	/**
	 * What each node, by the fingerprint of its name, knew at its first run of the execution that is
	 * retried, null where nothing can be lost; absent where n8n handed on what was remembered, or a
	 * token.
	 */
	losses?: Record<string, Loss | null>;
}

/** What is remembered of one sequence of messages. */
export interface Remembered {
	/** The places from 0 on; null for one of which nothing is known. */
	places: Array<Place | null>;
	/** Places at which several messages were tried without an answer: any of them may be there. */
	contested: number[];
	/**
	 * Turn and name of messages that were tried and have lost their place to another one, or never
	 * had one: they are still to be sent.
	 */
	owed: string[];
}

/** A memory of nothing yet. */
export function newMemory(origin: string): Memory {
	return { origin, executions: [], records: {} };
}

/** The index in `memory.executions` of the execution that sends now; adds it if it is new. */
export function executionIndex(memory: Memory, id: string, now: number): number {
	const known = memory.executions.findIndex((execution) => execution.id === id);
	return known === -1 ? memory.executions.push({ id, at: now }) - 1 : known;
}

/** What is remembered of a recipient, or of a key of the user's, to be read and changed. */
export function rememberedOf(memory: Memory, name: string): Remembered {
	return (memory.records[fingerprint(name)] ??= nothingRemembered());
}

/** A record of which nothing is remembered yet. */
export function nothingRemembered(): Remembered {
	return { places: [], contested: [], owed: [] };
}
