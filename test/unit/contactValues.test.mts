import { describe, expect, test } from '@jest/globals';
import { valueProblem } from '../../nodes/CrmWorkspace/service/contactValues';
import { contactFieldNames, contactSources } from '../../nodes/CrmWorkspace/service/records';

const uuid = '7c9a1d52-6b1f-4f0e-9b1d-0c2f5a7e4d33';

describe('a value that the service takes', () => {
	const formats = ['email', 'accountId', 'source', 'tags'];
	test.each(contactFieldNames.filter((name) => !formats.includes(name)))('any text: %s', (name) => {
		expect(valueProblem(name, 'anything')).toBeUndefined();
		expect(valueProblem(name, '')).toBeUndefined();
	});

	test.each(contactSources)('source %s', (source) => {
		expect(valueProblem('source', source)).toBeUndefined();
	});

	test('an address, a UUID, and lists of texts', () => {
		expect(valueProblem('email', 'ada@example.com')).toBeUndefined();
		expect(valueProblem('accountId', uuid)).toBeUndefined();
		expect(valueProblem('tags', ['a', 'b'])).toBeUndefined();
		expect(valueProblem('tags', [])).toBeUndefined();
	});
});

describe('a value that it does not take, in words', () => {
	test.each([
		['email', 'ada', 'is not an email address'],
		['email', 'a@example.com,b@example.com', 'is more than one address'],
		['email', 5, 'is not text'],
		['accountId', 'x', 'is not a UUID'],
		['notes', 5, 'is not text'],
		['notes', null, 'is not text'],
		['phone', ['1'], 'is not text'],
		['tags', 'a', 'is not a list of texts'],
		['tags', ['a', 1], 'is not a list of texts'],
		['tags', { every: 1 }, 'is not a list of texts'],
		['source', 'email', 'is “email”, which the service does not know'],
	] as const)('%s %j %s', (name, value, problem) => {
		expect(valueProblem(name, value)).toBe(problem);
	});

	test('a long one is shown shortened', () => {
		const problem = valueProblem('source', 'x'.repeat(1000));
		expect(problem).toMatch(/^is “x{20,}.*which the service does not know$/);
		expect(problem!.length).toBeLessThan(120);
	});
});
