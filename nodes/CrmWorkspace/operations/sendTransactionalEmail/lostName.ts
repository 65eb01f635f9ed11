import { fingerprint } from '../../service/idempotencyKey';
import { asJson } from '../asJson';

/** Fingerprints of a value: of the whole, and of what an expression keeps of it. */
interface Marks {
	whole: string;
	kept: string;
}

/**
 * Finds a property that got lost because an expression handed on a part of the item: n8n's
 * expression engine drops names that every object inherits, such as `constructor`.
 * @param item the json of the input item
 * @param given the result of the expression, as JSON
 * @returns the property's name; undefined if nothing was lost
 */
export function lostName(item: object, given: unknown): string | undefined {
	const result = asJson(item);
	if (!('json' in result) || !hasEndangered(result.json)) return undefined;

	const wholes = new Set<string>();
	const endangered = new Map<string, string>();
	mark(result.json, (object, { whole, kept }) => {
		const name = Object.keys(object).find(isEndangered);
		if (name === undefined) return;
		wholes.add(whole);
		endangered.set(kept, name);
	});
	const lost: string[] = [];
	mark(given, (_copy, { whole, kept }) => {
		const name = endangered.get(kept);
		if (name !== undefined && !wholes.has(whole)) lost.push(name);
	});
	return lost[0];
}

/** Whether every object has something of this name. */
function isEndangered(name: string): boolean {
	return name in Object.prototype;
}

function hasEndangered(value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return false;
	const isIts = !Array.isArray(value) && Object.keys(value).some(isEndangered);
	return isIts || Object.values(value).some(hasEndangered);
}

/** Marks a value, and all objects in it on the way. */
function mark(value: unknown, onObject: (object: object, marks: Marks) => void): Marks {
	if (typeof value !== 'object' || value === null) {
		const whole = fingerprint(value);
		return { whole, kept: whole };
	}
	const parts = Object.entries(value).map(([name, part]) => ({ name, ...mark(part, onObject) }));
	const isList = Array.isArray(value);
	const keptParts = isList ? parts : parts.filter(({ name }) => !isEndangered(name));
	const marks = {
		whole: fingerprint([isList, ...parts.map(({ name, whole }) => [name, whole])]),
		kept: fingerprint([isList, ...keptParts.map(({ name, kept }) => [name, kept])]),
	};
	if (!isList) onObject(value, marks);
	return marks;
}
