/** What the errors of Send Transactional Email say, apart from those of its parameters. */
import { maxKeysPerMessage } from '../../service/idempotencyKey';
import { shorten } from '../../text/plainText';
import type { Explanation } from '../../transport/failure';

/** What depends on where a message's idempotency key comes from. */
export interface KeyTexts {
	/** How a message is retried of which it isn't known whether it was sent. */
	retrying: string;
	/** For a message under whose key the service has, or may have, other content. */
	conflict: Explanation;
}

export const retryingWithoutKey =
	'Check in the service whether the recipient got it: another attempt would send it again.';

/** How a message is retried safely, by where n8n runs the node. */
const retryingSafely = {
	execution:
		'To retry safely, use Retry in the Executions tab. A new execution would send it again.',
	subWorkflow:
		"To retry safely, use Retry for this sub-workflow's own execution in the Executions tab. A new execution, also by the workflow that calls it, would send it again.",
	continuing: 'To retry safely, loop the item back. A new execution would send it again.',
	outside: retryingWithoutKey,
};

export const createRecipientTexts = (to: string, place: keyof typeof retryingSafely): KeyTexts => ({
	retrying: retryingSafely[place],
	conflict: {
		message: `Nothing was sent to ${to}: a message with different content was sent or tried earlier`,
		advice:
			'The earlier message may be this one before its content changed. Retry that one with the same content, or check the messages in the service and send missing ones in a new execution.',
	},
});

export const createCustomKeyTexts = (key: string): KeyTexts => ({
	retrying: 'Running the item again with the same key is safe.',
	conflict: {
		message: `Nothing was sent: the idempotency key “${key}” was used earlier with different content`,
		advice:
			'For the same event, there is nothing to do; keep values that change with each attempt, such as {{ $now }}, out of the content. For another event, use another key.',
	},
});

/** The title says what isn't known, because agents and error workflows read nothing else. */
export const outcomeUnknown = (to: string, reason: string): string =>
	`The message to ${to} may already have been sent: ${reason.replace(/^(The|No) /, (word) => word.toLowerCase())}`;

export const failedNow: Explanation = {
	message: 'The service failed to send this message',
	advice: 'Nothing was delivered under its idempotency key: a retry sends it under the next one.',
};

export const tooManyFailures: Explanation = {
	message: `${maxKeysPerMessage} sends of this message have failed`,
	advice:
		'Nothing was delivered, and retries of this execution send nothing more. Check the recipient and the content, and start a new execution; with a custom key, change the key.',
};

export const alreadySent: Explanation = {
	message: 'This message was already sent with different content',
	advice:
		"The new content wasn't sent. To treat such items as sent, set the option 'If Already Sent With Different Content' to Treat as Sent. To send the new content as well, run only this item in a new execution, or with another custom key.",
};

export const tooEarly = (to: string): Explanation => ({
	message: `Nothing was sent to ${to}: earlier messages have to be retried first`,
	advice:
		"An earlier message may be this one with other content, and may already have been sent. Retry the earlier ones with the same content first. If that's impossible, check whether the recipient got them, then run this item alone in a new execution.",
});

/** @param reason without the API key */
export const rejected = (to: string, reason: string, isFinal: boolean): Explanation => ({
	message: `The message to ${to} ${isFinal ? 'was not' : 'may not have been'} delivered: ${shorten(reason)}`,
	advice: `${isFinal ? 'Check the address.' : 'It may still be delivered: look it up in the service first.'} To send only this message again, run its item in a new execution, or with another custom key. To continue despite rejected messages, set the option 'If Message Is Rejected' to Output Message.`,
});

export const customKeyAdvice =
	"Enter a text that identifies this message, such as order-1042-shipped, or set 'Idempotency Key' to From Execution.";

export const logsLost: Explanation = {
	message: "n8n crashed during the original execution, so it's unknown which messages were sent",
	advice:
		'This retry sent nothing, to avoid duplicates, but the original execution may have sent some messages. Check in the service who got one, then run the workflow for the others only. With n8n 2.14 and later, or with a custom key, a retry sends only missing messages.',
};
