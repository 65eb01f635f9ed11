import { expect, test } from '@jest/globals';
import { toText } from '../../nodes/CrmWorkspace/parameters/value';

test("numbers, dates and booleans become text, objects don't", () => {
	const texts = ['a', 1, 1n, true, null, undefined, new Date(0)].map(toText);
	expect(texts).toEqual(['a', '1', '1', 'true', '', '', '1970-01-01T00:00:00.000Z']);
	for (const value of [{}, [], NaN, new Date(NaN), Symbol('a'), () => 1]) {
		expect(toText(value)).toBeUndefined();
	}
});
