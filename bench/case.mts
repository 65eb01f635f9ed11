/** Something measured of this node, and the same of HTTP Request. */
export interface Figure {
	/** In words that tell it from all others of its case: `10,000 contacts, 50 ms: time`. */
	name: string;
	ours: number;
	/** The same with n8n's HTTP Request node; null where that has nothing to compare. */
	other: number | null;
	/** The least that rate limit or network allow; null where neither does. */
	bound: number | null;
	/** `s`, `ms`, `MB`, `requests`, … */
	unit: string;
	/** What has to hold, or the run fails. What is not named is only shown. */
	atMost?: {
		ours?: number;
		/** As a part of the other's. */
		ofOther?: number;
		/** As a part of the bound. */
		ofBound?: number;
	};
}

/** Details of a case, below its figures. */
export interface FurtherTable {
	title: string;
	head: string[];
	/** Numbers stand to the right. */
	rows: Array<Array<string | number>>;
}

/** What came of a case. */
export interface Measured {
	figures: Figure[];
	tables?: FurtherTable[];
}

/** How a case is run. */
export interface Circumstances {
	/** Whether all cases together have five minutes. */
	isQuick: boolean;
	/** Shows what is being done: `10,000 contacts, HTTP Request`. */
	progress(doing: string): void;
}

/** Something to measure. */
export interface Case {
	/** For the command line. */
	title: string;
	/** Left out of a quick run, as it takes minutes of real time. */
	isLong?: boolean;
	/** @throws an Error when not all was done that was to be done */
	run(circumstances: Circumstances): Promise<Measured>;
}

/** Their names in tables and charts. */
export const contestants = {
	ours: 'CRM Workspace',
	other: 'HTTP Request',
} as const;
