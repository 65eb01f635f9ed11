import type { IExecuteFunctions } from 'n8n-workflow';

/** How a message is tried again, in words for its errors. */
export interface Again {
	/** What sends it again under its key, e.g. `a retry of the execution`. */
	again: string;
	/** What to tell the user when it is not known whether it went out. */
	doubt: string;
	/** What sends it when it was given up, e.g. `A new execution`; begins a sentence. */
	anew: string;
}

/** What sends a message anew where its key is made from the execution, or where it has none. */
export const newExecution = 'A new execution';

/**
 * The way for a key that this execution has made. n8n retries no execution in which the node went
 * on after the error; there the item itself can lead back to the node, in the same execution.
 */
export function againWithin(context: IExecuteFunctions): Again {
	const { type, onError } = context.getNode();
	// A model calls the node and reads its error.
	if (type.endsWith('Tool')) return by('another call with the same message');
	if (context.continueOnFail()) {
		const way = onError === 'continueErrorOutput' ? 'the Error output' : 'items with an error';
		return by(
			`leading ${way} back to this node`,
			' A new execution, or other content, would send it again.',
		);
	}
	if (context.getMode() !== 'integrated') return by('a retry of the execution');
	const inner = `a retry of this execution, ${context.getExecutionId()},`;
	return by(inner, ' A retry of the one that called it begins anew.');
}

/** The way for a key of the user. */
export const againUnderKey = { ...by('any execution with the same key'), anew: 'Another key' };

/** There is no way where n8n runs the node outside of any execution. */
export const againOutside: Again = {
	again: 'another call',
	anew: 'Another call',
	doubt:
		'The message may or may not have been sent: n8n runs the node outside of an execution here, so another call would send it again.',
};

function by(again: string, otherwise = ''): Again {
	return {
		again,
		anew: newExecution,
		doubt: `The message may have been sent: ${again} sends nothing twice.${otherwise}`,
	};
}
