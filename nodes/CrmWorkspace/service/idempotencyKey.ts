import { createHash } from 'crypto';

/**
 * What makes one message of a workflow's execution unlike every other: why it is this and nothing
 * else stands in docs/design/deduplication.md.
 */
export interface MessageOrigin {
	/** The n8n instance: two instances both count their executions from 1. */
	instanceId: string;
	workflowId: string;
	/** What identifies the execution in which it all began. */
	execution: string;
	/** The credential: another one may be for a workspace that knows nothing of the message. */
	credential: string;
	/** The address of the recipient; upper and lower case are the same. */
	recipient: string;
	/** The sequence number of the message among those to this recipient in that execution, from 0. */
	number: number;
}

/** The first one included. */
export const maxKeysPerMessage = 5;

/** In characters. */
export const maxKeyLength = 255;

/**
 * The idempotency key of a send: the same origin gives the same key, and another origin another one.
 * Always 36 characters, however long the parts are. Interface: KEY-1, KEY-2, KEY-5.
 */
export function computeKey(origin: MessageOrigin): string {
	const { instanceId, workflowId, execution, credential, recipient, number } = origin;
	return digest([instanceId, workflowId, execution, credential, recipient.toLowerCase(), number]);
}

/**
 * The key that follows a key of the user's after `nth - 1` sends have failed at the service. All of
 * them follow from the first one only, so a later try has the same.
 * @param first the user's key
 * @param nth from 1 to `maxKeysPerMessage`
 */
export function computeNextKey(first: string, nth: number): string {
	if (nth === 1) return first;
	const key = `${first}:retry-${nth}`;
	return key.length <= maxKeyLength ? key : digest([first, nth]);
}

/** Tells values apart, and does not show them: 16 characters. */
export function computeFingerprint(value: unknown): string {
	return hash([value]).slice(0, 16);
}

function digest(parts: unknown[]): string {
	return `n8n-${hash(parts).slice(0, 32)}`;
}

function hash(parts: unknown[]): string {
	return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
