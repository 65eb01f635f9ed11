/** A row of the table: what was done, and what it took with each of the two nodes. */
export interface Row {
	name: string;
	figures: Figure[];
}

/** One measure of this node, and the same of n8n's HTTP Request node. */
export interface Figure {
	ours: number;
	other: number;
	/** `s`, `MB` or `requests`. */
	unit: string;
	/** The most that this node may take, or the run fails. */
	atMost: number;
}

/** This node, or HTTP Request. */
export type Contestant = 'ours' | 'other';

export const contestants: Contestant[] = ['ours', 'other'];

/**
 * Something to measure, in a tenth of its usual size if it's quick. The README shows its first row.
 * @throws an Error if not all was done that had to be done
 */
export type Case = (isQuick: boolean) => Promise<Row[]>;

/** Requests per minute that the service allows, where it has a limit. */
export const allowance = 60;
