import { describe, expect, test } from '@jest/globals';
import { validateValue } from '../../nodes/CrmWorkspace/api/formats';
import { contactFieldNames } from '../../nodes/CrmWorkspace/api/records';

const uuid = '7c9a1d52-6b1f-4f0e-9b1d-0c2f5a7e4d33';

describe('a value that the service takes', () => {
	const formats = ['email', 'accountId', 'source', 'tags'];
	test.each(contactFieldNames.filter((name) => !formats.includes(name)))('any text: %s', (name) => {
		expect(validateValue(name, 'anything')).toBeUndefined();
		expect(validateValue(name, '')).toBeUndefined();
	});

	test('an address, a UUID, and lists of texts', () => {
		expect(validateValue('email', 'ada@example.com')).toBeUndefined();
		expect(validateValue('accountId', uuid)).toBeUndefined();
		expect(validateValue('tags', ['a', 'b'])).toBeUndefined();
		expect(validateValue('tags', [])).toBeUndefined();
	});
});

describe('a value that it does not take, in words', () => {
	test.each([
		['email', 'ada', "isn't an email address"],
		['email', 'a@example.com,b@example.com', 'is more than one address'],
		['accountId', 'x', "isn't a UUID"],
		['source', 'email', "is “email”, which the service doesn't know"],
	] as const)('%s %j %s', (name, value, problem) => {
		expect(validateValue(name, value)).toMatch(problem);
	});

	test('a long one is shown shortened', () => {
		const problem = validateValue('source', 'x'.repeat(1000));
		expect(problem).toMatch(/^is “x{20,}.*which the service doesn't know$/);
		expect(problem!.length).toBeLessThan(120);
	});
});
