import { asText, invalidDateTime } from '../parameters/asText';

export const maxDepth = 100;

/** Lists and objects count, too. */
export const maxValues = 100_000;

/** Those of all names and texts together. */
export const maxCharacters = 5_000_000;

/** A value as plain JSON data, or the part of it that JSON cannot carry. */
type JsonResult = { json: unknown } | JsonProblem;

/** A part of a value that JSON cannot carry. */
interface JsonProblem {
	/** Where that part is: names of properties, and indexes from 0; empty for the whole value. */
	path: Array<string | number>;
	/** What is wrong with it, in words that finish "<Name of the value> …". */
	problem: string;
}

/**
 * Copies a value from JSON or an expression as plain JSON data: own properties whatever their names
 * are, dates and bigints as text. A property that is undefined is left out, as `JSON.stringify`
 * does.
 */
export function asJson(value: unknown): JsonResult {
	const copier = new JsonCopier();
	try {
		return { json: copier.copy(value) };
	} catch (error) {
		const isOfWhole = error instanceof NotJson && error.isOfAll;
		const problem = error instanceof NotJson ? error.message : 'cannot be read';
		return { path: isOfWhole ? [] : copier.path, problem };
	}
}

class NotJson extends Error {
	constructor(
		problem: string,
		readonly isOfAll = false,
	) {
		super(problem);
	}
}

class JsonCopier {
	readonly path: JsonProblem['path'] = [];

	/** The lists and objects that contain it: to meet one of them again is a cycle. */
	private readonly around: object[] = [];

	private values = 0;

	private length = 0;

	copy(value: unknown): unknown {
		if (++this.values > maxValues) throw new NotJson(`has more than ${maxValues} values`, true);
		if (value === invalidDateTime) throw new NotJson('is not a valid date');
		if (typeof value === 'string') this.addText(value);
		if (typeof value === 'object' && value !== null) return this.copyObject(value);
		if (typeof value === 'bigint') return String(value);
		const isNotFinite = typeof value === 'number' && !Number.isFinite(value);
		if (isNotFinite || typeof value === 'function' || typeof value === 'symbol') {
			throw new NotJson(`is ${isNotFinite ? value : `a ${typeof value}`}, ${notInJson}`);
		}
		return value;
	}

	private copyObject(value: object): unknown {
		if (this.around.includes(value)) throw new NotJson('holds itself');
		if (this.around.length === maxDepth) {
			throw new NotJson(`is nested more than ${maxDepth} levels deep`, true);
		}
		this.around.push(value);
		const copy = this.copyWithin(value);
		this.around.pop();
		return copy;
	}

	private copyWithin(value: object): unknown {
		if (Array.isArray(value)) return this.copyList(value);
		const result = asText(value);
		if ('text' in result) return this.copy(result.text);
		if (result.is === 'not a valid date') throw new NotJson('is not a valid date');
		const { toJSON } = value as { toJSON?: unknown };
		if (typeof toJSON === 'function') return this.copy(toJSON.call(value));

		const kind = Object.prototype.toString.call(value).slice('[object '.length, -1);
		if (kind !== 'Object') throw new NotJson(`is an object of the kind ${kind}, ${notInJson}`);
		const names = Object.keys(value);
		return Object.fromEntries(names.map((name) => [name, this.copyField(value, name)]));
	}

	private copyList(list: unknown[]): unknown[] {
		const copy: unknown[] = [];
		for (let index = 0; index < list.length; index++) {
			this.path.push(index);
			if (list[index] === undefined) throw new NotJson(`is undefined, ${notInJson} in a list`);
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
		if (this.length > maxCharacters)
			throw new NotJson(`has more than ${maxCharacters} characters`, true);
	}
}

const notInJson = 'which JSON cannot carry';
