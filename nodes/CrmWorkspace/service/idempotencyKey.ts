import { createHash, randomUUID } from 'crypto';

/** What makes one send of one workflow unlike every other. */
export interface SendOrigin {
	/** The n8n instance: two instances both count their executions from 1. */
	instanceId: string;
	workflowId: string;
	/** The execution in which this item was first tried: a retried execution has a new ID. */
	executionId: string;
	nodeId: string;
	/** How often the node ran before in the execution: a loop reuses item numbers. */
	runIndex: number;
	itemIndex: number;
}

/**
 * The idempotency key of a send (interface, Idempotency rules): the same origin gives the same
 * key, and another origin another one. Always 40 characters, however long the parts are.
 */
export function keyFromOrigin(origin: SendOrigin): string {
	const { instanceId, workflowId, executionId, nodeId, runIndex, itemIndex } = origin;
	const parts = [instanceId, workflowId, executionId, nodeId, runIndex, itemIndex];
	const digest = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
	return `n8n-${digest.slice(0, 36)}`;
}

/** A key for a send whose origin is unknown: never the same twice. */
export function randomKey(): string {
	return `n8n-${randomUUID()}`;
}
