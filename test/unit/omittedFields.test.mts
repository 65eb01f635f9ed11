import { expect, test } from '@jest/globals';
import {
	findingIn,
	OmittedFields,
	type Finding,
} from '../../nodes/CrmWorkspace/operations/updateContact/omittedFields';

const others = { email: 'ada@example.com', notes: 'x', tags: ['a', 'b'] };

// Interface: OPEN-9.
test.each<[string, Finding, Record<string, unknown>]>([
	['a value that came back', 'kept', { notes: 'x' }],
	['another value, which somebody else has written', 'kept', { notes: 'y' }],
	['one value that is there and one that is empty', 'kept', { notes: '', tags: ['a'] }],
	['nothing', 'open', {}],
	['nothing of them', 'open', { jobTitle: 'Countess' }],
	['the address alone', 'open', { email: 'ada@example.com' }],
	['an empty value', 'lost', { notes: null }],
	['no value at all', 'lost', { email: null, notes: '', tags: [] }],
	['empty values, and the address', 'lost', { email: 'ada@example.com', notes: null }],
])('a record that shows %s: %s', (_what, finding, shown) => {
	expect(findingIn(others, shown)).toBe(finding);
});

test('an address alone is all that there is to see of some', () => {
	const email = 'ada@example.com';
	expect(findingIn({ email }, { email })).toBe('kept');
	expect(findingIn({ email }, { email: null })).toBe('lost');
	expect(findingIn({ email }, {})).toBe('open');
});

test('until there is a finding, updates are done one at a time', async () => {
	const omitted = new OmittedFields();
	const ends: Array<() => void> = [];
	const begun: string[] = [];
	const update = async (name: string) =>
		await omitted.tryOut(async () => {
			begun.push(name);
			await new Promise<void>((resolve) => ends.push(resolve));
		});
	const all = ['a', 'b', 'c', 'd'].map(update);
	const turn = () => new Promise((resolve) => setImmediate(resolve));
	await turn();
	expect(begun).toEqual(['a']);
	ends[0]();
	await turn();
	expect(begun).toEqual(['a', 'b']);
	omitted.finding = 'kept';
	ends[1]();
	await turn();
	expect(begun).toEqual(['a', 'b', 'c', 'd']);
	ends[2]();
	ends[3]();
	await Promise.all(all);
});
