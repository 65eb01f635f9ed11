import { createHash, randomUUID } from 'crypto';

/** What makes one send of one workflow unlike every other. */
export interface SendOrigin {
	/** The n8n instance: two instances both count their executions from 1. */
	instanceId: string;
	workflowId: string;
	/** What n8n calls the execution in which this item was first tried. */
	execution: string;
	nodeId: string;
	/** Which turn of the node in the execution it is: a loop reuses item numbers. */
	turn: number | string;
	itemIndex: number;
}

/** How many keys one message may use up, the first one included. */
export const maxLinks = 5;

/** The longest key, in characters. */
export const maxKeyLength = 255;

/**
 * The idempotency key of a send (interface, Idempotency rules): the same origin gives the same
 * key, and another origin another one. Always 36 characters, however long the parts are.
 */
export function keyFromOrigin(origin: SendOrigin): string {
	const { instanceId, workflowId, execution, nodeId, turn, itemIndex } = origin;
	return digest([instanceId, workflowId, execution, nodeId, turn, itemIndex]);
}

/** A key for a send whose origin is unknown: never the same twice. */
export function randomKey(): string {
	return digest([randomUUID()]);
}

/**
 * The key after `link - 1` sends of a message have failed at the service. All links of a family
 * follow from its first key alone, so a later retry walks the same chain.
 * @param family the first key
 * @param link from 1 to `maxLinks`
 */
export function nextKey(family: string, link: number): string {
	if (link === 1) return family;
	const key = `${family}:retry-${link}`;
	return key.length <= maxKeyLength ? key : digest([family, link]);
}

/** Tells messages with different content apart, in 36 characters. */
export function contentHash(message: object): string {
	return digest([message]);
}

function digest(parts: unknown[]): string {
	return `n8n-${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)}`;
}
