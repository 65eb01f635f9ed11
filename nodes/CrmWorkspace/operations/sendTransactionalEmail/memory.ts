import { fingerprint } from '../../service/idempotencyKey';
import type { Loss } from './loss';

/**
 * What became of a place, as far as it is known: a message that went out; one that the service
 * took and did not deliver; a send that failed, so that the key is used up; tries that were all
 * turned down, so that nothing went out; or a try whose answer never came.
 */
export type PlaceState = 'sent' | 'rejected' | 'failed' | 'refused' | 'unknown';

/** One place among the messages to a recipient: the message that was last sent or tried there. */
export interface Place {
	state: PlaceState;
	/** The turn that the message belongs to. */
	turn: string;
	/** Which message of the turn it is: see `Letter`. */
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

/** What is remembered of a recipient. */
export interface Remembered {
	/** One of which nothing is known is null. */
	places: Array<Place | null>;
	/** The places at which several messages were tried in doubt: any of them may be there. */
	contested: number[];
	/** Turn and name of messages that were asked for and have no place: they are still to be sent. */
	owed: string[];
}

/** A memory of nothing yet. */
export function newMemory(origin: string): Memory {
	return { origin, executions: [], records: {} };
}

/** The index in `memory.executions` of an execution that sends now. */
export function enter(memory: Memory, id: string, now: number): number {
	const known = memory.executions.findIndex((execution) => execution.id === id);
	return known === -1 ? memory.executions.push({ id, at: now }) - 1 : known;
}

/** What is remembered of a recipient, or of a key of the user's, to be read and changed. */
export function recordOf(memory: Memory, name: string): Remembered {
	return (memory.records[fingerprint(name)] ??= nothing());
}

/** A record of which nothing is remembered yet. */
export function nothing(): Remembered {
	return { places: [], contested: [], owed: [] };
}
