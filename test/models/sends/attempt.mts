import type { IDataObject } from 'n8n-workflow';

/** One message as the send node was given it. */
export interface Given {
	/** The row, or the request of an agent, that it comes from; the same in every try. */
	row: string;
	content: string;
	to: string;
	/** The words of its subject. */
	words: string;
}

/** What the send node made of an item. */
export type Sent = { json: IDataObject } | { error: string };

/** One try of one run of the send node. */
export interface Attempt {
	/** Which of the send nodes, whatever it is called by now. */
	node: string;
	execution: string;
	given: Given[];
	/** By item; undefined for those that the run did not come to, or did not end with. */
	results: Array<Sent | undefined>;
	/** The words with which the run ended. */
	error?: string;
	/** The item that they are about. */
	failedItem?: number;
}

/** What an agent asks its tool for: the tool's arguments. */
export interface Ask extends IDataObject {
	row: string;
	to: string;
	content: string;
	words: string;
}
