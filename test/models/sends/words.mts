/** What is known, when the node gives an item up, about the message and the person it is for. */
export interface Facts {
	/** How often this very message reached the person. */
	delivered: number;
	/** How many such messages were meant so far. */
	meant: number;
	/** How many messages with any content reached the person. */
	deliveredToPerson: number;
	/** How many messages for the person the service knows: delivered, failed or rejected. */
	knownForPerson: number;
	/** How many of them failed or were rejected. */
	failedForPerson: number;
	/** How many requests to send one to the person the service rejected. */
	turnedDownForPerson: number;
}

/** A kind of words that the node gives an item up with, and when they are true. */
export interface Words {
	kind: string;
	pattern: RegExp;
	isTrue(facts: Facts): boolean;
}

const always = () => true;

/**
 * What the node's words claim. The first pattern that fits counts for each item; words that fit
 * none are counted as 'other words' and shown, so that nothing goes unread for long.
 */
export const words: Words[] = [
	{
		kind: 'n8n crashed, and forgot',
		pattern: /n8n crashed/,
		isTrue: always,
	},
	{
		kind: 'sent or tried earlier, with other content',
		pattern: /sent,? or (was )?tried|tried or sent|may (already )?have been sent before/i,
		isTrue: ({ knownForPerson }) => knownForPerson > 0,
	},
	{
		kind: 'in doubt whether it was sent',
		pattern:
			/may already have been sent|may have been sent|not known whether|knows? the idempotency key/i,
		isTrue: always,
	},
	{
		kind: 'was already sent',
		pattern: /(was |were )?already (been )?sent|sent before/i,
		isTrue: ({ deliveredToPerson }) => deliveredToPerson > 0,
	},
	{
		kind: 'the originals failed',
		pattern: /\d+ sends to this recipient have failed/i,
		isTrue: ({ failedForPerson, turnedDownForPerson }) =>
			failedForPerson + turnedDownForPerson >= 5,
	},
	{
		kind: 'request refused',
		pattern: /the service rejected|refused/i,
		isTrue: always,
	},
	{
		kind: 'message rejected',
		pattern: /rejected/i,
		isTrue: ({ failedForPerson, delivered, meant }) => failedForPerson > 0 && delivered < meant,
	},
	{
		kind: 'nothing was delivered under this key',
		pattern: /nothing was delivered under its (idempotency )?key/i,
		isTrue: ({ failedForPerson, turnedDownForPerson }) => failedForPerson + turnedDownForPerson > 0,
	},
	{
		kind: 'nothing was delivered',
		pattern: /nothing was delivered|was not (sent|delivered)\b/i,
		isTrue: ({ delivered, meant }) => delivered < meant,
	},
	{
		kind: 'no answer, or none that can be read',
		pattern: /connection|failed to process|web page|JSON|no response|no more requests/i,
		isTrue: always,
	},
];
