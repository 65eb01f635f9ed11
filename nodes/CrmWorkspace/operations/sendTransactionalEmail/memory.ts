import { fingerprint } from '../../service/idempotencyKey';
import type { MemoryLoss } from './memoryLoss';

/**
 * What is known of a place:
 * - open: any of those that claim it may be there, or none
 * - sent: the message went out
 * - doubtful: the message is there, and whether it was delivered is not known: the service told of an
 *   error, or only that nothing else can be there
 * - rejected: the service took the message and did not deliver it
 * - failed: the send failed at the service, so nothing was delivered and the key is used up
 */
export type Fate = 'open' | 'sent' | 'doubtful' | 'rejected' | 'failed';

/** A message that was tried at a place. */
export interface Claim {
	turn: string;
	/** Which message of the turn it is: see `Intent.name`. */
	name: string;
	/** In which of `Memory.executions` it was tried first, or was sent. */
	execution: number;
	/** The last one in which it may have been sent, where that is another one. */
	until?: number;
}

/**
 * One of the numbered places that the messages to a recipient take, each with an idempotency key of
 * its own: see docs/what-a-message-is-known-by.md. n8n stores these objects with the execution, so
 * their property names must not change.
 */
export interface Place {
	fate: Fate;
	/** All that may be there as long as it is open; after that, the one that is. */
	claims: Claim[];
	/** Set if the message went out, and its item ended in an error later: it may be led back to the node. */
	mayComeBack?: true;
}

/**
 * What is remembered of a recipient, or of an idempotency key of the user's: the places from 0 on,
 * null for one of which nothing is known.
 */
export type Places = Array<Place | null>;

/** What an execution remembers of its messages, and hands on to those that retry it. */
export interface Memory {
	/** What identifies the execution in which it all began. */
	origin: string;
	/** The executions that sent so far, and when each began to, in ms since 1970. */
	executions: Array<{ id: string; at: number }>;
	/** What is remembered of each recipient, and of each key of the user's, by its fingerprint. */
	places: Record<string, Places>;
	/**
	 * What each node, by the fingerprint of its name, knew at its first run of the execution that is
	 * retried, null where nothing can be lost; absent where n8n handed on what was remembered, or a
	 * token.
	 */
	losses?: Record<string, MemoryLoss | null>;
}

export function newMemory(origin: string): Memory {
	return { origin, executions: [], places: {} };
}

/** The index in `memory.executions` of the execution that sends now; adds it if it is new. */
export function executionIndex(memory: Memory, id: string, now: number): number {
	const known = memory.executions.findIndex((execution) => execution.id === id);
	return known === -1 ? memory.executions.push({ id, at: now }) - 1 : known;
}

/** What is remembered of a recipient, or of a key of the user's, to be read and changed. */
export function placesOf(memory: Memory, whose: string): Places {
	return (memory.places[fingerprint(whose)] ??= []);
}
