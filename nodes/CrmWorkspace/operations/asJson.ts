import { asText, noMoment } from '../parameters/asText';

/** The most lists and objects that may stand in one another. */
export const maxDepth = 100;

/** The most values, lists and objects among them. */
export const maxValues = 100_000;

/** The most characters of all names and texts. */
export const maxLength = 5_000_000;

/** A value as JSON can carry it, or what of it JSON cannot carry. */
export type JsonReading = { json: unknown } | JsonProblem;

/** What JSON cannot carry. */
export interface JsonProblem {
	/** The way there: names of objects, numbers of entries from 0; empty for the value as a whole. */
	path: Array<string | number>;
	/** In words that finish "<What> …". */
	problem: string;
}

/**
 * Copies what comes from JSON or an expression: the own names of objects, whatever they are, and
 * moments and large integers as text. What is undefined in an object is left out, as JSON does.
 */
export function asJson(value: unknown): JsonReading {
	const walk = new Walk();
	try {
		return { json: walk.copy(value) };
	} catch (error) {
		const isOfWhole = error instanceof Unfit && error.isOfWhole;
		const problem = error instanceof Unfit ? error.message : 'cannot be read';
		return { path: isOfWhole ? [] : walk.path, problem };
	}
}

class Unfit extends Error {
	constructor(
		problem: string,
		readonly isOfWhole = false,
	) {
		super(problem);
	}
}

class Walk {
	/** The way to what is being copied. */
	readonly path: JsonProblem['path'] = [];

	/** The lists and objects around it. */
	private readonly around: object[] = [];

	private values = 0;

	private length = 0;

	copy(value: unknown): unknown {
		if (++this.values > maxValues) throw new Unfit(`has more than ${maxValues} values`, true);
		if (value === noMoment) throw new Unfit('is not a valid date');
		if (typeof value === 'string') this.addText(value);
		if (typeof value === 'object' && value !== null) return this.copyObject(value);
		if (typeof value === 'bigint') return String(value);
		const isUnfitNumber = typeof value === 'number' && !Number.isFinite(value);
		if (isUnfitNumber || typeof value === 'function' || typeof value === 'symbol') {
			throw new Unfit(`is ${isUnfitNumber ? value : `a ${typeof value}`}, ${notInJson}`);
		}
		return value;
	}

	private copyObject(value: object): unknown {
		if (this.around.includes(value)) throw new Unfit('holds itself');
		if (this.around.length === maxDepth) {
			throw new Unfit(`is nested more than ${maxDepth} levels deep`, true);
		}
		this.around.push(value);
		const copy = this.copyWithin(value);
		this.around.pop();
		return copy;
	}

	private copyWithin(value: object): unknown {
		if (Array.isArray(value)) return this.copyList(value);
		const reading = asText(value);
		if ('text' in reading) return this.copy(reading.text);
		if (reading.is === 'not a valid date') throw new Unfit('is not a valid date');
		const { toJSON } = value as { toJSON?: unknown };
		if (typeof toJSON === 'function') return this.copy(toJSON.call(value));

		const kind = Object.prototype.toString.call(value).slice('[object '.length, -1);
		if (kind !== 'Object') throw new Unfit(`is an object of the kind ${kind}, ${notInJson}`);
		const names = Object.keys(value);
		return Object.fromEntries(names.map((name) => [name, this.copyField(value, name)]));
	}

	private copyList(list: unknown[]): unknown[] {
		const copy: unknown[] = [];
		for (let index = 0; index < list.length; index++) {
			this.path.push(index);
			if (list[index] === undefined) throw new Unfit(`is undefined, ${notInJson} in a list`);
			copy.push(this.copy(list[index]));
			this.path.pop();
		}
		return copy;
	}

	private copyField(object: object, name: string): unknown {
		this.path.push(name);
		this.addText(name);
		const copy = this.copy((object as Record<string, unknown>)[name]);
		this.path.pop();
		return copy;
	}

	private addText(text: string): void {
		this.length += text.length;
		if (this.length > maxLength) throw new Unfit(`has more than ${maxLength} characters`, true);
	}
}

const notInJson = 'which JSON cannot carry';
