import { describe, expect, test } from '@jest/globals';
import {
	OmittedFields,
	fieldsShownIn,
	type Finding,
} from '../../nodes/CrmWorkspace/operations/updateContact/omittedFields';

const others = { email: 'ada@example.com', notes: 'x', tags: ['a', 'b'] };

// Interface: OPEN-9.
test('each field that was left out is kept, empty or missing in a record', () => {
	const record = { email: 'ada@example.com', tags: [], jobTitle: null };
	expect(fieldsShownIn(others, record)).toEqual({
		kept: ['email'],
		empty: ['tags'],
		missing: ['notes'],
	});
});

// Interface: OPEN-9.
test.each<[string, Finding | undefined, Record<string, unknown>]>([
	['all values', undefined, others],
	['another value, which somebody else has written', undefined, { ...others, notes: 'y' }],
	['nothing', 'open', {}],
	['nothing of them', 'open', { jobTitle: 'Countess' }],
	['one of them', 'open', { notes: 'x' }],
	['one that is empty', 'lost', { notes: null }],
	['one that is there and one that is empty', 'lost', { notes: '', tags: ['a'] }],
	['the address, and all else empty', 'lost', { email: 'ada@example.com', notes: '', tags: [] }],
])('a record that shows %s: %s', (_what, finding, shown) => {
	expect(new OmittedFields().findingOf(others, shown)).toBe(finding);
});

describe('a run', () => {
	test('tries out each field of which nothing is seen yet, and no other', () => {
		const omitted = new OmittedFields();
		expect(omitted.isTrial({})).toBe(false);
		expect(omitted.isTrial({ email: 'ada@example.com' })).toBe(true);
		omitted.findingOf(others, { email: 'ada@example.com', notes: 'x' });
		expect(omitted.isTrial({ email: 'grace@example.com', notes: 'z' })).toBe(false);
		expect(omitted.isTrial({ notes: 'z', tags: ['c'] })).toBe(true);
	});

	test('takes an answer that shows nothing of fields that were seen kept for all kept', () => {
		const omitted = new OmittedFields();
		omitted.findingOf(others, others);
		expect(omitted.findingOf(others, {})).toBeUndefined();
		expect(omitted.findingOf(others, { notes: null })).toBe('lost');
	});

	test('tries nothing out once it knows', () => {
		const omitted = new OmittedFields();
		omitted.conclude('open');
		expect(omitted.isTrial(others)).toBe(false);
		omitted.conclude('lost');
		omitted.conclude('open');
		expect(omitted.finding).toBe('lost');
	});

	test('makes one trial at a time, and all else at once', async () => {
		const omitted = new OmittedFields();
		omitted.findingOf({ email: 'a' }, { email: 'a' });
		const ends: Record<string, () => void> = {};
		const update = async (name: string, left: object) =>
			await omitted.oneTrialAtATime(left, async () => {
				await new Promise<void>((resolve) => (ends[name] = resolve));
			});
		const pause = () => new Promise((resolve) => setImmediate(resolve));
		const all = [
			update('first trial', { notes: 'x' }),
			update('second trial', { tags: ['a'] }),
			update('like the first', { notes: 'y' }),
			update('only an address', { email: 'b' }),
		];
		await pause();
		expect(Object.keys(ends)).toEqual(['first trial', 'only an address']);
		omitted.findingOf({ notes: 'x' }, { notes: 'x' });
		ends['first trial']();
		await pause();
		expect(Object.keys(ends)).toEqual([
			...['first trial', 'only an address'],
			...['second trial', 'like the first'],
		]);
		Object.values(ends).forEach((end) => end());
		await Promise.all(all);
	});
});
