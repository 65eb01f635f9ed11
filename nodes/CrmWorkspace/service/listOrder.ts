import type { IDataObject } from 'n8n-workflow';

/**
 * Fields of which it is known what an update does: it keeps the first two and changes the third.
 */
const knownFields = ['id', 'createdAt', 'updatedAt'];

/** After so many steps in one direction, the order of a field is taken to be no coincidence. */
export const convincingSteps = 12;

/**
 * What the pages of a list show of its order. A page shows the list at one moment, so the values of
 * the field that orders the list rise, or fall, all through each page.
 */
export class ListOrder {
	private readonly fields = new Map<string, FieldOrder>();

	private readonly updates = new FieldOrder();

	constructor() {
		this.fields.set('updatedAt', this.updates);
	}

	/** Takes the records of one page. */
	observe(records: IDataObject[]): void {
		const names = new Set(records.flatMap((record) => Object.keys(record)));
		for (const name of names) {
			const field = this.fields.get(name) ?? new FieldOrder();
			this.fields.set(name, field);
			if (!field.isRuledOut) field.observe(records.map((record) => record[name]));
		}
	}

	/** Whether an update may move a record to the beginning of the list. */
	get mayMoveToFront(): boolean {
		return this.updates.mayFall;
	}

	/** Whether an update may move a record to the end of the list. */
	get mayMoveToEnd(): boolean {
		return this.updates.mayRise;
	}

	/**
	 * Whether an update may move a record to any place: in a list that is ordered by name, say, or
	 * by something that it does not show.
	 */
	get mayMoveAnywhere(): boolean {
		const fields = [...this.fields];
		const isKnown = fields.some(
			([name, { isIt, steps }]) => knownFields.includes(name) && isIt && steps >= convincingSteps,
		);
		return (
			!isKnown ||
			!this.updates.isShown ||
			fields.some(([name, { isIt }]) => !knownFields.includes(name) && isIt)
		);
	}
}

/** What is known of the order in which the values of one field come. */
class FieldOrder {
	private readonly rising = comparisons.map(() => true);

	private readonly falling = comparisons.map(() => true);

	/** Whether any record has a value. */
	isShown = false;

	/** How many neighbours had different values. */
	steps = 0;

	observe(values: unknown[]): void {
		this.isShown ||= values.some((value) => value !== null && value !== undefined);
		let before: Comparable;
		for (const [index, value] of values.entries()) {
			if (!this.mayRise && !this.mayFall) return;
			const current = comparable(value);
			if (index > 0) this.compare(before, current);
			before = current;
		}
	}

	get mayRise(): boolean {
		return this.isShown && this.rising.includes(true);
	}

	get mayFall(): boolean {
		return this.isShown && this.falling.includes(true);
	}

	/** Whether the list is not ordered by it, whatever further pages show. */
	get isRuledOut(): boolean {
		return this.isShown && !this.mayRise && !this.mayFall;
	}

	/** Whether the list may be ordered by it. */
	get isIt(): boolean {
		return this.steps > 0 && (this.mayRise || this.mayFall);
	}

	private compare(one: Comparable, other: Comparable): void {
		if (one === other) return;
		this.steps++;
		for (const [index, compare] of comparisons.entries()) {
			const direction = compare(one, other);
			if (direction > 0) this.rising[index] = false;
			if (direction < 0) this.falling[index] = false;
		}
	}
}

type Comparable = string | number | undefined;

/** Moments by their time, whatever their notation. */
function comparable(value: unknown): Comparable {
	if (value === null || value === undefined) return undefined;
	if (typeof value === 'number') return value;
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	return /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : text;
}

const alphabet = new Intl.Collator('en', { sensitivity: 'base', ignorePunctuation: true });

/**
 * The ways in which databases are known to order values: by code or by alphabet, nulls at either
 * end.
 */
const comparisons = [-1, 1].flatMap((nullsAt) => [
	(one: Comparable, other: Comparable) => nulls(one, other, nullsAt) ?? byCode(one, other),
	(one: Comparable, other: Comparable) => nulls(one, other, nullsAt) ?? byAlphabet(one, other),
]);

function nulls(one: Comparable, other: Comparable, at: number): number | undefined {
	if (one !== undefined && other !== undefined) return undefined;
	return one === undefined ? at : -at;
}

function byCode(one: Comparable, other: Comparable): number {
	if (typeof one !== typeof other) return byCode(String(one), String(other));
	return one! < other! ? -1 : Number(one! > other!);
}

function byAlphabet(one: Comparable, other: Comparable): number {
	return typeof one === 'number' && typeof other === 'number'
		? one - other
		: alphabet.compare(String(one), String(other));
}
