import type { NodeExecutionHint } from 'n8n-workflow';
import { listed } from '../../text/plainText';
import { hint } from '../../text/hint';

/** How many messages went out at another time than one would think, or nobody knows how. */
export interface Counts {
	sentAgain: number;
	sentBefore: number;
	/** Sent before with other content. */
	changed: number;
	/** The service said nothing of them but that it took them. */
	unanswered: number;
}

/** What a run has to tell of its messages. */
interface RunSummary extends Counts {
	all: number;
	isInDoubt: boolean;
	tokens: string[];
}

/** Hints of what a run has done with its messages, for the editor's output panel. */
export function hintsOf(figures: RunSummary): NodeExecutionHint[] {
	const { sentAgain, sentBefore, changed, unanswered, all, isInDoubt, tokens } = figures;
	const messages = [
		tokens.length > 0 &&
			`The service puts the variables in for ${listed(tokens)}: what the editor shows instead of these tokens is not what is sent`,
		unanswered > 0 &&
			`The service said nothing of ${counted(unanswered)} but that the request succeeded: what became of ${unanswered === 1 ? 'it' : 'them'} is not known. If it keeps no such message, Base URL in the credential leads to another site`,
		sentAgain > 0 &&
			`An earlier try had failed at the service for ${counted(sentAgain)}: sent again, under the next idempotency key`,
		sentBefore > 0 &&
			`${all === 1 ? 'The message' : `${sentBefore} of ${all} messages`} had been sent before under the same idempotency key, and not again now`,
		changed > 0 &&
			`An earlier try had sent ${counted(changed)} with other content: that counts as done, and nothing was sent now`,
		isInDoubt &&
			'n8n kept nothing of what may have been sent before in the execution that this one retries, or in another retry of it: if n8n was killed meanwhile, these messages may have gone out a second time. Should this execution fail, retry it and no other. n8n 2.14 or newer, or a custom key from the beginning, makes sure of that',
	].filter((message) => message !== false);
	return messages.map((message) => hint(message));
}

function counted(messages: number): string {
	return messages === 1 ? 'a message' : `${messages} messages`;
}
