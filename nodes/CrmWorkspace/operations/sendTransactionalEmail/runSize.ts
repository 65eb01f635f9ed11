import type { IExecuteFunctions } from 'n8n-workflow';
import type { SendRequest } from '../../service/records';
import { throwParameterError } from '../../parameters/parameter';

/**
 * How many characters the messages of a run may have together. Each takes a byte of n8n's memory,
 * or two where its text goes beyond Latin-1.
 */
export const maxRunCharacters = 250_000_000;

/** How much text the messages of a run have: all of them are there before the first one is sent. */
export class RunSize {
	private messages = 0;

	private characters = 0;

	private last: Record<string, unknown> = {};

	/** Adds a message. A text that the message before has, too, is kept and counted once. */
	add(message: SendRequest): void {
		const fields = message as unknown as Record<string, unknown>;
		for (const [name, value] of Object.entries(fields)) {
			if (value === this.last[name]) fields[name] = this.last[name];
			else this.characters += (typeof value === 'string' ? value : JSON.stringify(value)).length;
		}
		this.last = fields;
		this.messages++;
	}

	/** @throws NodeOperationError if the messages are too much: then none of the run is sent */
	refuseTooMuch(context: IExecuteFunctions, itemIndex: number): void {
		if (this.characters <= maxRunCharacters) return;
		throwParameterError(
			context,
			itemIndex,
			`${this.messages} messages have ${Math.ceil(this.characters / 1e6)} MB of text together, and a run holds ${maxRunCharacters / 1e6} MB at most`,
			'None of them was sent. Put Loop Over Items before this node, with a Batch Size such as 500. Or set HTML to Fixed, with tokens for what differs and a variable for each: it is then held once.',
		);
	}
}
