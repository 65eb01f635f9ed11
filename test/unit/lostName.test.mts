import { expect, test } from '@jest/globals';
import { lostName } from '../../nodes/CrmWorkspace/operations/sendTransactionalEmail/lostName';

const item =
	'{ "id": 1, "team": { "constructor": "a", "at": [{ "__proto__": { "b": 1 }, "c": 2 }] } }';

test.each([
	['{ "id": 1, "team": { "at": [{ "c": 2 }] } }', '__proto__'],
	['{ "at": [{ "__proto__": { "b": 1 }, "c": 2 }] }', 'constructor'],
	['{ "constructor": {}, "at": [{ "__proto__": { "b": 1 }, "c": 2 }] }', 'constructor'],
	['{ "team": { "constructor": "a", "at": [{ "c": 2 }] } }', '__proto__'],
	['{ "list": [{ "__proto__": {}, "c": 2 }] }', '__proto__'],
	[item, undefined],
	['{ "team": { "constructor": "a" } }', undefined],
	['{ "__proto__": { "b": 1 }, "c": 2 }', undefined],
	['{ "id": 1 }', undefined],
	['{}', undefined],
])('on the way to %s: %s', (given, lost) => {
	expect(lostName(JSON.parse(item) as object, JSON.parse(given))).toBe(lost);
});

test('objects that differ in nothing else are told apart', () => {
	const two = JSON.parse('{ "a": { "toString": 1 }, "b": { "toString": 2 } }') as object;
	expect(lostName(two, two)).toBeUndefined();
	expect(lostName(two, { a: {} })).toBe('toString');
});

test('an object that looks like what is left of another one is no proof', () => {
	const item = JSON.parse('{ "params": {}, "inner": { "__proto__": 1 } }') as object;
	expect(lostName(item, {})).toBe('__proto__');
	expect(lostName(item, JSON.parse('{ "__proto__": 1 }'))).toBeUndefined();
});

test('nothing is known of an item that no JSON can carry', () => {
	expect(lostName({ constructor: 'a', b: NaN }, {})).toBeUndefined();
});
