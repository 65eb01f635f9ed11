import { convincingSteps } from '../../service/listOrder';

/** What n8n stores of it. */
export interface StoredOrder {
	rises: boolean;
	falls: boolean;
	steps: number;
	last: number | null;
}

/** Whether the records of a list stand in the order of a date, as far as they have been seen. */
export class DateOrder {
	private readonly state: StoredOrder;

	constructor(stored?: StoredOrder) {
		this.state = { rises: true, falls: true, steps: 0, last: null, ...stored };
	}

	/** Takes the date of the next record, in ms since 1970; NaN where it has none. */
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

	/** Which way the dates go all along; undefined when they do not, or when too few tell. */
	get direction(): 'rising' | 'falling' | undefined {
		if (this.state.steps < convincingSteps) return undefined;
		if (this.state.rises) return 'rising';
		return this.state.falls ? 'falling' : undefined;
	}

	stored(): StoredOrder {
		return { ...this.state };
	}
}
