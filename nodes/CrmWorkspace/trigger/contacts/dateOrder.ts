/** After so many steps in one direction, the order of a date is taken to be no coincidence. */
const convincingSteps = 12;

/** What n8n stores of a `DateOrder`. */
export interface StoredOrder {
	rises: boolean;
	falls: boolean;
	steps: number;
	last: number | null;
}

/** Finds out whether the records of a list are in the order of a date. */
export class DateOrder {
	private readonly state: StoredOrder;

	constructor(stored?: StoredOrder) {
		this.state = { rises: true, falls: true, steps: 0, last: null, ...stored };
	}

	/** Takes the date of the next record, in ms since 1970; NaN if it has none. */
	observe(date: number): void {
		const { state } = this;
		if (Number.isNaN(date)) state.rises = state.falls = false;
		if (state.last !== null && date !== state.last) {
			state.steps++;
			if (date < state.last) state.rises = false;
			else state.falls = false;
		}
		state.last = date;
	}

	/** The direction of all dates so far; undefined if they have none, or if there were too few. */
	get direction(): 'rising' | 'falling' | undefined {
		if (this.state.steps < convincingSteps) return undefined;
		if (this.state.rises) return 'rising';
		return this.state.falls ? 'falling' : undefined;
	}

	stored(): StoredOrder {
		return { ...this.state };
	}
}
