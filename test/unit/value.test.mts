import { expect, test } from '@jest/globals';
import { asJson } from '../../nodes/CrmWorkspace/operations/sendTransactionalEmail/asJson';
import { toText } from '../../nodes/CrmWorkspace/parameters/value';

test('text is made of what has one', () => {
	const texts = ['a', 1, 1n, true, null, undefined, new Date(0)].map(toText);
	expect(texts).toEqual(['a', '1', '1', 'true', '', '', '1970-01-01T00:00:00.000Z']);
	for (const value of [{}, [], NaN, new Date(NaN), Symbol('a'), () => 1, 'Invalid DateTime']) {
		expect(toText(value)).toBeUndefined();
	}
});

test('JSON carries what it can, and the rest is refused with the name of its field', () => {
	expect(asJson({ a: 1n, b: new Date(0), c: [null], d: undefined })).toEqual({
		json: { a: '1', b: '1970-01-01T00:00:00.000Z', c: [null] },
	});
	const holdsItself: unknown[] = [];
	holdsItself.push(holdsItself);
	for (const lost of [NaN, new Date(NaN), [undefined], holdsItself]) {
		expect(asJson({ lost })).toHaveProperty('problem');
	}
	expect(asJson({ total: NaN })).toEqual({
		problem: 'cannot be written as JSON: “total” is NaN',
	});
});
