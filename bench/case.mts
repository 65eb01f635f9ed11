/** Something measured of this node, beside the same of what a user would pick instead. */
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

/** What further is shown of a case, below its figures. */
export interface FurtherTable {
	title: string;
	head: string[];
	/** Numbers stand to the right. */
	rows: Array<Array<string | number>>;
}

/** A picture of a case. */
export type Plot = Bars | Lines;

interface PlotOf {
	/** What its file is called, in lower case with hyphens. */
	name: string;
	title: string;
	/** Of the values, with their unit: `seconds`. */
	values: string;
	isLogarithmic?: boolean;
}

/** For each group a bar of each series, and a line where the bound is. */
export interface Bars extends PlotOf {
	kind: 'bars';
	bars: Array<{ group: string; series: string; value: number; bound?: number }>;
}

/** For each series a line over a quantity; both axes are logarithmic, or none. */
export interface Lines extends PlotOf {
	kind: 'lines';
	/** Of the quantity: `contacts`. */
	along: string;
	points: Array<{ series: string; at: number; value: number }>;
}

/** What came of a case. */
export interface Measured {
	figures: Figure[];
	tables?: FurtherTable[];
	plots?: Plot[];
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
	/** What its part of the document is called. */
	title: string;
	/** Markdown: what is measured and how, and, where the other is ahead, why. */
	about: string;
	/** Left out of a quick run, as it takes minutes of real time. */
	isLong?: boolean;
	/** @throws an Error when not all was done that was to be done */
	run(circumstances: Circumstances): Promise<Measured>;
}

/** The names of the series, in every table and picture. */
export const contestants = {
	ours: 'CRM Workspace',
	other: 'HTTP Request',
} as const;
