/** Something measured, and what it has to be. What has no bound is only shown. */
export interface Figure {
	value: number;
	atMost?: number;
	atLeast?: number;
	/** With which it was measured. */
	seed?: number;
}

/** What was measured, by its name. */
export type Figures = Record<string, Figure>;

/** One line of a table. */
export interface Cell {
	/** Words that tell it from all others. */
	name: string;
	/** Plays it in faked time. Whatever is left to chance comes from `Math.random`. */
	play(): Promise<Figures>;
}

/** Whether a figure is within its bounds. */
export function holds({ value, atMost = Infinity, atLeast = -Infinity }: Figure): boolean {
	return value <= atMost && value >= atLeast;
}

/** The one of two measurements that says less for the node. */
export function worse(one: Figure | undefined, other: Figure): Figure {
	if (!one) return other;
	const unmeasured = [one, other].find(({ value }) => Number.isNaN(value));
	if (unmeasured) return unmeasured;
	const isLess = other.value < one.value;
	return isLess === (other.atLeast !== undefined) ? other : one;
}
