import { describe, expect, test } from '@jest/globals';
import { momentIn } from '../../nodes/CrmWorkspace/service/moment';
import { identityOf, RecordSet, setOf } from '../../nodes/CrmWorkspace/service/recordSet';

const early = '2026-01-01T00:00:00Z';
const late = '2026-01-02T00:00:00Z';
const before = { id: 'a', updatedAt: early };
const after = { id: 'a', updatedAt: late };
const other = { id: 'b', updatedAt: early };

function setOfAnswers(...answers: Array<Array<Record<string, string>>>): RecordSet {
	const set = new RecordSet();
	for (const answer of answers) set.add(answer);
	return set;
}

describe('records of several answers', () => {
	test('are each there once, in the order in which they were met', () => {
		const set = setOfAnswers([before, other], [other, { id: 'c' }]);
		expect(set.records()).toEqual([before, other, { id: 'c' }]);
		expect(set.size).toBe(3);
	});

	test('are there as they were last, and not as they were before', () => {
		expect(setOfAnswers([before, other], [after]).records()).toEqual([after, other]);
		expect(setOfAnswers([after, other], [before]).records()).toEqual([after, other]);
	});

	test('that do not tell when they changed are there as they were read last', () => {
		const set = setOfAnswers([{ id: 'a', name: 'x' }], [{ id: 'a', name: 'y' }]);
		expect(set.records()).toEqual([{ id: 'a', name: 'y' }]);
		const same = setOfAnswers([{ ...before, name: 'x' }], [{ ...before, name: 'y' }]);
		expect(same.records()).toEqual([{ ...before, name: 'y' }]);
		const again = { ...before, updatedAt: early.replace('Z', '.000Z') };
		expect(setOfAnswers([before], [again]).records()).toEqual([again]);
	});

	test('that share an id in one answer are all kept, also when fewer come later', () => {
		const twins = [before, { ...before, name: 'twin' }];
		const set = setOfAnswers(twins, [after]);
		expect(set.records()).toEqual(twins);
		expect(set.size).toBe(2);
		expect(setOfAnswers([after], [{ ...after, name: 'x' }, after]).size).toBe(2);
	});

	test('without an id are told by their content', () => {
		expect(setOfAnswers([{ value: '1' }, { value: '2' }], [{ value: '1' }]).size).toBe(2);
	});
});

describe('whether a record was there', () => {
	test('in whatever state', () => {
		expect(setOf([before]).has(after)).toBe(true);
		expect(setOf([before]).has(other)).toBe(false);
	});

	test('in just this state, now or before', () => {
		const set = setOfAnswers([before, other], [after]);
		expect(set.sharesOneOf([after])).toBe(true);
		expect(set.sharesOneOf([before])).toBe(true);
		expect(set.sharesOneOf([{ id: 'a', updatedAt: '2026-01-03T00:00:00Z' }])).toBe(false);
		expect(set.sharesOneOf([{ id: 'x' }, other])).toBe(true);
		expect(set.sharesOneOf([{ id: 'x' }])).toBe(false);
		expect(set.sharesOneOf([])).toBe(false);
	});

	test('in a state that was met after a later one', () => {
		expect(setOfAnswers([after], [before]).sharesOneOf([before])).toBe(true);
	});

	test('in one of several states, met over time', () => {
		const third = { id: 'a', updatedAt: '2026-01-03T00:00:00Z' };
		const set = setOfAnswers([before], [after], [third]);
		for (const version of [before, after, third]) expect(set.sharesOneOf([version])).toBe(true);
	});

	test('in the state of a twin', () => {
		const set = setOfAnswers([before, after]);
		expect(set.sharesOneOf([before])).toBe(true);
		expect(set.sharesOneOf([after])).toBe(true);
	});

	test('in no state of its own, where it does not tell when it changed', () => {
		expect(setOf([{ id: 'a' }]).sharesOneOf([{ id: 'a', name: 'x' }])).toBe(true);
		expect(setOf([{ id: 'a' }]).sharesOneOf([before])).toBe(false);
	});
});

describe('two sets as one', () => {
	test('what is missing comes in, and what is here stays as it is', async () => {
		const set = setOf([before]);
		await set.addMissing(setOf([after, other]));
		expect(set.records()).toEqual([before, other]);
		expect(set.size).toBe(2);
	});

	test('all states that either has met are known', async () => {
		const third = { id: 'a', updatedAt: '2026-01-03T00:00:00Z' };
		const set = setOf([before]);
		await set.addMissing(setOfAnswers([after], [third]));
		for (const version of [before, after, third]) expect(set.sharesOneOf([version])).toBe(true);
	});
});

test('those that fulfil a condition', async () => {
	const twins = [before, { ...before, name: 'twin' }];
	const wanted = await setOf([...twins, other]).filter(({ name }) => name !== 'twin');
	expect(wanted.records()).toEqual([before, other]);
	expect((await setOf(twins).filter(() => false)).size).toBe(0);
});

describe('what tells a record from all others', () => {
	test.each([
		[{ id: 'a', x: 1 }, 'a'],
		[{ id: 7 }, '7'],
		[{ x: 1 }, 'content {"x":1}'],
		[{ id: 'content {"x":1}' }, 'id content {"x":1}'],
		[{ id: 'id a' }, 'id id a'],
		[{ id: 'my id a' }, 'my id a'],
		[{ id: 'a content ' }, 'a content '],
	])('%j: %s', (record, expected) => {
		expect(identityOf(record)).toBe(expected);
	});
});

test.each([
	['2026-01-01T00:00:00Z', Date.UTC(2026, 0, 1)],
	[2026, Date.UTC(2026, 0, 1)],
	['soon', NaN],
	[null, NaN],
	[undefined, NaN],
	[['2026-01-01T00:00:00Z'], NaN],
])('the moment that %j tells', (value, moment) => {
	expect(momentIn(value)).toBe(moment);
});
