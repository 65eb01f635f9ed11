import type { IExecuteFunctions } from 'n8n-workflow';

/** How a message can be sent again, in words for its errors. */
export interface ResendWords {
	/** Under its key, e.g. `a retry of the execution`. */
	resentBy: string;
	/** For when it is not known whether it went out. */
	doubt: string;
	/** Under another key, e.g. `A new execution`; begins a sentence. */
	sentAnewBy: string;
}

/** `sentAnewBy` where the key is made from the execution, or where there is none. */
export const newExecution = 'A new execution';

/**
 * For a key that this execution has made. n8n retries no execution in which the node went
 * on after the error; there the item itself can lead back to the node, in the same execution.
 */
export function wordsWithinExecution(context: IExecuteFunctions): ResendWords {
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

/** For a key of the user's. */
export const wordsUnderKey: ResendWords = {
	...by('any execution with the same key'),
	sentAnewBy: 'Another key',
};

/** For where n8n runs the node outside of any execution. */
export const wordsOutsideExecutions: ResendWords = {
	resentBy: 'another call',
	sentAnewBy: 'Another call',
	doubt:
		'The message may or may not have been sent: n8n runs the node outside of an execution here, so another call would send it again.',
};

function by(resentBy: string, otherwise = ''): ResendWords {
	return {
		resentBy,
		sentAnewBy: newExecution,
		doubt: `The message may have been sent: ${resentBy} sends nothing twice.${otherwise}`,
	};
}
